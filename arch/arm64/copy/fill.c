/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/copy.h>

/* One register, non-temporal pairs: the memory's own limit, no work beside it. */
void fill_streaming(void *dst, uint64_t word, size_t bytes)
{
	char *end = (char *)dst + bytes;

	if (bytes)
		__asm__ volatile("1:\n\t"
		                 "stnp %2, %2, [%0]\n\tstnp %2, %2, [%0, #16]\n\t"
		                 "stnp %2, %2, [%0, #32]\n\tstnp %2, %2, [%0, #48]\n\t"
		                 "add %0, %0, #64\n\t"
		                 "cmp %0, %1\n\t"
		                 "b.ne 1b"
		                 : "+r"(dst)
		                 : "r"(end), "r"(word)
		                 : "memory", "cc");
}

void fill_streaming_drain(void)
{
	__asm__ volatile("dmb ishst" : : : "memory");
}
