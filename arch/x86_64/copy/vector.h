/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copy and stamp by vector registers. The includer is xmm.h, ymm.h or zmm.h, which has
 * defined, as assembly with the backend's STORE,
 *
 *   LOAD_IMAGE(from)  64 bytes at operand `from` into registers
 *   LOAD_DELTA(from)  the same into the registers behind those
 *   STORE_IMAGE(at)   the image to byte `at` behind %[dst]
 *   ADD_DELTA         advances the image to the next descriptor
 *   LEAVE             clears the upper halves
 *
 * The image is loaded by wide loads, once a stamp and once a copy. A wide load soon after
 * an 8-byte store into the same bytes waits until that store is in the cache. In the
 * vmemmap model no word of a template is stored again once it was seeded, so none waits;
 * in the sparse model, which refreshes the section for every page, every copy does.
 */
#include "arch/x86_64/copy/stamp_loop.h"
#include <pagestamp/compiler.h>
#include <stddef.h>
#include <stdint.h>

/*
 * With -mgeneral-regs-only the compiler keeps out of vector registers, and refuses them
 * as clobbers. Without it, it must be told.
 */
#ifdef __SSE__
#define VECTOR_CLOBBERS                                                                            \
	"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "memory", "cc"
#else
#define VECTOR_CLOBBERS "memory", "cc"
#endif

/* Leaves the upper halves in use: vector_leave() is for the drain, once a walk. */
static ALWAYS_INLINE void copy_vector(void *dst, const void *src)
{
	__asm__ volatile(LOAD_IMAGE("src") STORE_IMAGE("0")
	                 :
	                 : [dst] "r"(dst), [src] "r"(src)
	                 : VECTOR_CLOBBERS);
}

static ALWAYS_INLINE void vector_leave(void)
{
	__asm__ volatile(LEAVE : : : "memory");
}

#define STORE_IMAGE_AND_ADVANCE(at) STORE_IMAGE(at) ADD_DELTA

static ALWAYS_INLINE void stamp_vector(void *dst, const uint64_t image[8], const uint64_t *delta,
                                       size_t n)
{
	void *to = dst;

	if (!delta)
		__asm__ volatile(LOAD_IMAGE("image") STAMP_LOOP(STORE_IMAGE) LEAVE
		                 : [dst] "+r"(to)
		                 : STAMP_ENDS(dst, n), [image] "r"(image)
		                 : VECTOR_CLOBBERS);
	else
		__asm__ volatile(LOAD_IMAGE("image") LOAD_DELTA("delta")
		                         STAMP_LOOP(STORE_IMAGE_AND_ADVANCE) LEAVE
		                 : [dst] "+r"(to)
		                 : STAMP_ENDS(dst, n), [image] "r"(image), [delta] "r"(delta)
		                 : VECTOR_CLOBBERS);
}

/* A row of the table that has no use for it leaves it out. */
static inline void stamp_down(void *dst, const uint64_t image[8], size_t n)
{
	void *to = (char *)dst + 64 * n;

	__asm__ volatile(LOAD_IMAGE("image") STAMP_LOOP_DOWN(STORE_IMAGE) LEAVE
	                 : [dst] "+r"(to)
	                 : [begin] "r"(dst), [image] "r"(image)
	                 : VECTOR_CLOBBERS);
}
