/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The variants that have instances: X(A, name, size, sparse, mask, page_shift, trace), A
 * being whatever the expansion wants to be handed. The base page is not part of an
 * instance (0 here): where the PFN stands in a descriptor, as its section or as
 * page->virtual, the shift is read from memmap_page_shift. The order mask wants a
 * power-of-two descriptor.
 */
#ifndef MM_VARIANTS_H
#define MM_VARIANTS_H

#include <pagestamp/memmap.h>

/* Every copy has a template walk for these. */
#define MEMMAP_VARIANTS_COMMON(X, A)                                                               \
	X(A, v64, 64, false, false, 0, false)                                                      \
	X(A, s64, 64, true, false, 0, false)

/* The plain copy and one streaming one have these as well. */
#define MEMMAP_VARIANTS_OTHER(X, A)                                                                \
	X(A, v56, 56, false, false, 0, false)                                                      \
	X(A, v72, 72, false, false, 0, false)                                                      \
	X(A, v80, 80, false, false, 0, false)                                                      \
	X(A, v88, 88, false, false, 0, false)                                                      \
	X(A, v96, 96, false, false, 0, false)                                                      \
	X(A, s56, 56, true, false, 0, false)                                                       \
	X(A, s72, 72, true, false, 0, false)                                                       \
	X(A, s80, 80, true, false, 0, false)                                                       \
	X(A, s88, 88, true, false, 0, false)                                                       \
	X(A, s96, 96, true, false, 0, false)

/* The tail encoding only shows in the slow path: template walks do without. */
#define MEMMAP_VARIANTS_MASK(X, A)                                                                 \
	X(A, v64_mask, 64, false, true, 0, false)                                                  \
	X(A, s64_mask, 64, true, true, 0, false)

#define MEMMAP_VARIANTS_TEMPLATE(X, A) MEMMAP_VARIANTS_COMMON(X, A) MEMMAP_VARIANTS_OTHER(X, A)

#define MEMMAP_VARIANTS(X, A) MEMMAP_VARIANTS_TEMPLATE(X, A) MEMMAP_VARIANTS_MASK(X, A)

/* Does a template walk made for `made` serve `wanted`? */
static inline bool memmap_template_serves(const struct memmap_variant *made,
                                          const struct memmap_variant *wanted)
{
	return made->size == wanted->size && made->sparse == wanted->sparse;
}

/* The same of the ordinary path. */
static inline bool memmap_variant_serves(const struct memmap_variant *made,
                                         const struct memmap_variant *wanted)
{
	return memmap_template_serves(made, wanted) && made->mask == wanted->mask &&
	       made->trace_page_ref == wanted->trace_page_ref;
}

#endif
