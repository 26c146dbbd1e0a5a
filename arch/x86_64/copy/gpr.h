/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copy and stamp by eight general registers. The including backend defines STORE, its
 * mnemonic, and may define BESIDE(at): an instruction more for each descriptor, at byte
 * `at` behind %[dst].
 */
#include "arch/x86_64/copy/stamp_loop.h"
#include <pagestamp/compiler.h>
#include <stddef.h>
#include <stdint.h>

#ifndef BESIDE
#define BESIDE(at) ""
#endif

static ALWAYS_INLINE void copy_gpr(void *dst, const void *src)
{
#pragma GCC unroll 8
	for (unsigned w = 0; w < 8; w++) {
		uint64_t word;

		__asm__ volatile("movq %1, %0" : "=r"(word) : "m"(((const uint64_t *)src)[w]));
		__asm__ volatile(STORE " %1, %0" : "=m"(((uint64_t *)dst)[w]) : "r"(word));
	}
}

#define STORE_WORDS(at)                                                                            \
	STORE " %[a], " at "(%[dst])\n\t" STORE " %[b], 8+" at "(%[dst])\n\t" STORE                \
	      " %[c], 16+" at "(%[dst])\n\t" STORE " %[d], 24+" at "(%[dst])\n\t" STORE            \
	      " %[e], 32+" at "(%[dst])\n\t" STORE " %[f], 40+" at "(%[dst])\n\t" STORE            \
	      " %[g], 48+" at "(%[dst])\n\t" STORE " %[h], 56+" at "(%[dst])\n\t" BESIDE(at)

/* Eight deltas more than there are registers: each is added from memory. */
#define STORE_WORDS_AND_ADVANCE(at)                                                                \
	STORE_WORDS(at)                                                                            \
	"addq (%[delta]), %[a]\n\taddq 8(%[delta]), %[b]\n\t"                                      \
	"addq 16(%[delta]), %[c]\n\taddq 24(%[delta]), %[d]\n\t"                                   \
	"addq 32(%[delta]), %[e]\n\taddq 40(%[delta]), %[f]\n\t"                                   \
	"addq 48(%[delta]), %[g]\n\taddq 56(%[delta]), %[h]\n\t"

static ALWAYS_INLINE void stamp_gpr(void *dst, const uint64_t image[8], const uint64_t *delta,
                                    size_t n)
{
	uint64_t a = image[0], b = image[1], c = image[2], d = image[3];
	uint64_t e = image[4], f = image[5], g = image[6], h = image[7];
	void *to = dst;

	if (!delta)
		__asm__ volatile(STAMP_LOOP(STORE_WORDS)
		                 : [dst] "+r"(to)
		                 : STAMP_ENDS(dst, n), [a] "r"(a), [b] "r"(b), [c] "r"(c),
		                   [d] "r"(d), [e] "r"(e), [f] "r"(f), [g] "r"(g), [h] "r"(h)
		                 : "memory", "cc");
	else
		__asm__ volatile(STAMP_LOOP(STORE_WORDS_AND_ADVANCE)
		                 : [dst] "+r"(to), [a] "+r"(a), [b] "+r"(b), [c] "+r"(c),
		                   [d] "+r"(d), [e] "+r"(e), [f] "+r"(f), [g] "+r"(g), [h] "+r"(h)
		                 : STAMP_ENDS(dst, n), [delta] "r"(delta)
		                 : "memory", "cc");
}

/* A row of the table that has no use for it leaves it out. */
static inline void stamp_down(void *dst, const uint64_t image[8], size_t n)
{
	uint64_t a = image[0], b = image[1], c = image[2], d = image[3];
	uint64_t e = image[4], f = image[5], g = image[6], h = image[7];
	void *to = (char *)dst + 64 * n;

	__asm__ volatile(STAMP_LOOP_DOWN(STORE_WORDS)
	                 : [dst] "+r"(to)
	                 : [begin] "r"(dst), [a] "r"(a), [b] "r"(b), [c] "r"(c), [d] "r"(d),
	                   [e] "r"(e), [f] "r"(f), [g] "r"(g), [h] "r"(h)
	                 : "memory", "cc");
}
