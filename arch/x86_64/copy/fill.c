/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/copy.h>

/* One register, 8-byte streaming stores: the memory's own limit, no work beside it. */
void fill_streaming(void *dst, uint64_t word, size_t bytes)
{
	char *end = (char *)dst + bytes;

	if (bytes)
		__asm__ volatile("1:\n\t"
		                 "movnti %2, (%0)\n\tmovnti %2, 8(%0)\n\t"
		                 "movnti %2, 16(%0)\n\tmovnti %2, 24(%0)\n\t"
		                 "movnti %2, 32(%0)\n\tmovnti %2, 40(%0)\n\t"
		                 "movnti %2, 48(%0)\n\tmovnti %2, 56(%0)\n\t"
		                 "addq $64, %0\n\t"
		                 "cmpq %1, %0\n\t"
		                 "jne 1b"
		                 : "+r"(dst)
		                 : "r"(end), "r"(word)
		                 : "memory", "cc");
}

void fill_streaming_drain(void)
{
	__asm__ volatile("sfence" : : : "memory");
}
