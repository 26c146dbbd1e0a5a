/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copy and stamp by scalable vectors, for the including backend's STORE mnemonic. A
 * vector is any multiple of 16 bytes, so four of them are a whole number of descriptors:
 * z0 to z3 hold so many images one after the other, and are stored in turn.
 *
 * Only z0 to z7 and z16 to z31, p0 and p1 are used: of the rest a caller expects something
 * back. Wide loads of a template: see quads.h.
 */
#include "arch/arm64/copy/vector_clobbers.h"
#include "arch/arm64/sysreg.h"
#include <pagestamp/compiler.h>
#include <stddef.h>
#include <stdint.h>

static ALWAYS_INLINE void copy_sve(void *dst, const void *src)
{
	uint64_t i = 0;

	__asm__ volatile(".arch_extension sve\n\t"
	                 "whilelo p0.d, %[i], %[words]\n"
	                 "1:\n\t"
	                 "ld1d {z0.d}, p0/z, [%[src], %[i], lsl #3]\n\t" STORE
	                 " {z0.d}, p0, [%[dst], %[i], lsl #3]\n\t"
	                 "incd %[i]\n\t"
	                 "whilelo p0.d, %[i], %[words]\n\t"
	                 "b.first 1b"
	                 : [i] "+r"(i)
	                 : [dst] "r"(dst), [src] "r"(src), [words] "r"((uint64_t)8)
	                 : VECTOR_CLOBBERS);
}

/* Element e of the images in a row is word e % 8 of image e / 8; z4 holds e. */
#define SVE_BEGIN ".arch_extension sve\n\tptrue p0.d\n\tindex z4.d, #0, #1\n\t"
#define SVE_GATHER(z, from)                                                                        \
	"mov z5.d, z4.d\n\tand z5.d, z5.d, #7\n\t"                                                 \
	"ld1d {" z ".d}, p0/z, [%[" from "], z5.d, lsl #3]\n\t"
#define SVE_IMAGE(z) SVE_GATHER(z, "image") "incd z4.d\n\t"

/* The rest, or all of it: words [i, words) from dst on, with ADVANCE after four vectors. */
#define SVE_STORE_SOME(z)                                                                          \
	"whilelo p1.d, %[i], %[words]\n\t" STORE " {" z ".d}, p1, [%[dst], %[i], lsl #3]\n\t"      \
	"incd %[i]\n\t"
#define SVE_STORE_REST(ADVANCE)                                                                    \
	"3:\n\t"                                                                                   \
	"cmp %[i], %[words]\n\t"                                                                   \
	"b.hs 4f\n\t" SVE_STORE_SOME("z0") SVE_STORE_SOME("z1") SVE_STORE_SOME("z2")               \
		SVE_STORE_SOME("z3") ADVANCE "b 3b\n"                                              \
					     "4:\n\t"

static ALWAYS_INLINE void stamp_constant(void *dst, const uint64_t image[8], size_t n)
{
	uint64_t words = 8 * n, turn, i = 0;

	/* Eight vectors a turn; `words` is short by one turn until the loop is left. */
	__asm__ volatile(SVE_BEGIN SVE_IMAGE("z0") SVE_IMAGE("z1") SVE_IMAGE("z2") SVE_IMAGE(
				 "z3") "cntd %[turn], all, mul #8\n\t"
	                               "subs %[words], %[words], %[turn]\n\t"
	                               "b.lo 2f\n"
	                               "1:\n\t" STORE " {z0.d}, p0, [%[dst]]\n\t" STORE
	                               " {z1.d}, p0, [%[dst], #1, mul vl]\n\t" STORE
	                               " {z2.d}, p0, [%[dst], #2, mul vl]\n\t" STORE
	                               " {z3.d}, p0, [%[dst], #3, mul vl]\n\t" STORE
	                               " {z0.d}, p0, [%[dst], #4, mul vl]\n\t" STORE
	                               " {z1.d}, p0, [%[dst], #5, mul vl]\n\t" STORE
	                               " {z2.d}, p0, [%[dst], #6, mul vl]\n\t" STORE
	                               " {z3.d}, p0, [%[dst], #7, mul vl]\n\t"
	                               "incb %[dst], all, mul #8\n\t"
	                               "subs %[words], %[words], %[turn]\n\t"
	                               "b.hs 1b\n"
	                               "2:\n\t"
	                               "add %[words], %[words], %[turn]\n" SVE_STORE_REST("")
	                 : [dst] "+r"(dst), [words] "+r"(words), [turn] "=&r"(turn), [i] "+r"(i)
	                 : [image] "r"(image)
	                 : VECTOR_CLOBBERS);
}

/* z becomes its image, step the image's advance over four vectors (z7 descriptors). */
#define SVE_ADVANCING(z, step)                                                                     \
	SVE_GATHER(step, "delta")                                                                  \
	"lsr z6.d, z4.d, #3\n\t"                                                                   \
	"mul z6.d, p0/m, z6.d, " step ".d\n\t"                                                     \
	"mul " step ".d, p0/m, " step ".d, z7.d\n\t" SVE_GATHER(z, "image") "add " z ".d, " z      \
									    ".d, z6.d\n\t"         \
									    "incd z4.d\n\t"
#define SVE_ADVANCE                                                                                \
	"add z0.d, z0.d, z16.d\n\tadd z1.d, z1.d, z17.d\n\t"                                       \
	"add z2.d, z2.d, z18.d\n\tadd z3.d, z3.d, z19.d\n\t"

static ALWAYS_INLINE void stamp_advancing(void *dst, const uint64_t image[8], const uint64_t *delta,
                                          size_t n)
{
	uint64_t words = 8 * n, descriptors, i = 0;

	__asm__ volatile(
		SVE_BEGIN
		"cntd %[descriptors], all, mul #4\n\t"
		"lsr %[descriptors], %[descriptors], #3\n\t"
		"mov z7.d, %[descriptors]\n\t" SVE_ADVANCING("z0", "z16") SVE_ADVANCING("z1", "z17")
			SVE_ADVANCING("z2", "z18")
				SVE_ADVANCING("z3", "z19") "\n" SVE_STORE_REST(SVE_ADVANCE)
		: [descriptors] "=&r"(descriptors), [i] "+r"(i)
		: [dst] "r"(dst), [words] "r"(words), [image] "r"(image), [delta] "r"(delta)
		: VECTOR_CLOBBERS);
}

static ALWAYS_INLINE void stamp_sve(void *dst, const uint64_t image[8], const uint64_t *delta,
                                    size_t n)
{
	if (delta)
		stamp_advancing(dst, image, delta, n);
	else
		stamp_constant(dst, image, n);
}

/* The window turns SVE on; in a process the kernel shows the field only when it did. */
static const char *missing_sve(void)
{
	return bits(READ_SYSREG(id_aa64pfr0_el1), 32, 4) ? NULL : "no SVE";
}
