/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/arm64/copy/vector_clobbers.h"
#include <pagestamp/copy.h>

/* The memory's own limits, no work beside them: one register, in pairs. */
#define FILL(STORE)                                                                                \
	__asm__ volatile("dup v0.2d, %[word]\n"                                                    \
	                 "1:\n\t" STORE " q0, q0, [%[dst]]\n\t" STORE " q0, q0, [%[dst], #32]\n\t" \
	                 "add %[dst], %[dst], #64\n\t"                                             \
	                 "cmp %[dst], %[end]\n\t"                                                  \
	                 "b.ne 1b"                                                                 \
	                 : [dst] "+r"(dst)                                                         \
	                 : [end] "r"((char *)dst + bytes), [word] "r"(word)                        \
	                 : VECTOR_CLOBBERS)

void fill_streaming(void *dst, uint64_t word, size_t bytes)
{
	if (bytes)
		FILL("stnp");
}

void fill_streaming_drain(void)
{
	__asm__ volatile("dmb ishst" : : : "memory");
}

void fill_ordinary(void *dst, uint64_t word, size_t bytes)
{
	if (bytes)
		FILL("stp");
}
