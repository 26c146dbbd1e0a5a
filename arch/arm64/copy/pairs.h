/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copy and stamp by eight general registers in pairs, for the including backend's STORE
 * mnemonic.
 */
#include "arch/arm64/copy/stamp_loop.h"
#include <pagestamp/compiler.h>
#include <stddef.h>
#include <stdint.h>

#define STORE_PAIRS(at)                                                                            \
	STORE " %[a], %[b], [%[dst], #" at "]\n\t" STORE " %[c], %[d], [%[dst], #16+" at           \
	      "]\n\t" STORE " %[e], %[f], [%[dst], #32+" at "]\n\t" STORE                          \
	      " %[g], %[h], [%[dst], #48+" at "]\n\t"

static ALWAYS_INLINE void copy_pairs(void *dst, const void *src)
{
	uint64_t a, b, c, d, e, f, g, h;

	__asm__ volatile(
		"ldp %[a], %[b], [%[src]]\n\tldp %[c], %[d], [%[src], #16]\n\t"
		"ldp %[e], %[f], [%[src], #32]\n\tldp %[g], %[h], [%[src], #48]\n\t" STORE_PAIRS(
			"0")
		: [a] "=&r"(a), [b] "=&r"(b), [c] "=&r"(c), [d] "=&r"(d), [e] "=&r"(e),
		  [f] "=&r"(f), [g] "=&r"(g), [h] "=&r"(h)
		: [dst] "r"(dst), [src] "r"(src)
		: "memory");
}

#define ADD_DELTA(word, delta) "add %[" word "], %[" word "], %[" delta "]\n\t"
#define STORE_PAIRS_AND_ADVANCE(at)                                                                \
	STORE_PAIRS(at)                                                                            \
	ADD_DELTA("a", "da")                                                                       \
	ADD_DELTA("b", "db")                                                                       \
	ADD_DELTA("c", "dc")                                                                       \
	ADD_DELTA("d", "dd")                                                                       \
	ADD_DELTA("e", "de")                                                                       \
	ADD_DELTA("f", "df")                                                                       \
	ADD_DELTA("g", "dg")                                                                       \
	ADD_DELTA("h", "dh")

static ALWAYS_INLINE void stamp_pairs(void *dst, const uint64_t image[8], const uint64_t *delta,
                                      size_t n)
{
	uint64_t a = image[0], b = image[1], c = image[2], d = image[3];
	uint64_t e = image[4], f = image[5], g = image[6], h = image[7];
	void *to = dst;

	if (!delta)
		__asm__ volatile(STAMP_LOOP(STORE_PAIRS)
		                 : [dst] "+r"(to)
		                 : STAMP_ENDS(dst, n), [a] "r"(a), [b] "r"(b), [c] "r"(c),
		                   [d] "r"(d), [e] "r"(e), [f] "r"(f), [g] "r"(g), [h] "r"(h)
		                 : "memory", "cc");
	else
		__asm__ volatile(STAMP_LOOP(STORE_PAIRS_AND_ADVANCE)
		                 : [dst] "+r"(to), [a] "+r"(a), [b] "+r"(b), [c] "+r"(c),
		                   [d] "+r"(d), [e] "+r"(e), [f] "+r"(f), [g] "+r"(g), [h] "+r"(h)
		                 : STAMP_ENDS(dst, n), [da] "r"(delta[0]), [db] "r"(delta[1]),
		                   [dc] "r"(delta[2]), [dd] "r"(delta[3]), [de] "r"(delta[4]),
		                   [df] "r"(delta[5]), [dg] "r"(delta[6]), [dh] "r"(delta[7])
		                 : "memory", "cc");
}

/* A row of the table that has no use for it leaves it out. */
static inline void stamp_down(void *dst, const uint64_t image[8], size_t n)
{
	uint64_t a = image[0], b = image[1], c = image[2], d = image[3];
	uint64_t e = image[4], f = image[5], g = image[6], h = image[7];
	void *to = (char *)dst + 64 * n;

	__asm__ volatile(STAMP_LOOP_DOWN(STORE_PAIRS)
	                 : [dst] "+r"(to)
	                 : [begin] "r"(dst), [a] "r"(a), [b] "r"(b), [c] "r"(c), [d] "r"(d),
	                   [e] "r"(e), [f] "r"(f), [g] "r"(g), [h] "r"(h)
	                 : "memory", "cc");
}
