/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The variants that have instances: X(A, name, the fields of
 * struct memmap_variant), A being
 * whatever the expansion wants to be handed. The PFN
 * only stands in a descriptor in the sparse model or with page->virtual (72 bytes
 * and up): elsewhere one instance serves every base page (page_shift 0 here). The
 * order mask wants a power-of-two descriptor.
 */
#ifndef MM_VARIANTS_H
#define MM_VARIANTS_H

#include <pagestamp/memmap.h>

/* With 64 bytes and 4 KiB pages, or where the page does not matter: every copy has these. */
#define MEMMAP_VARIANTS_COMMON(X, A)                                                               \
	X(A, v64, 64, false, false, 0, false)                                                      \
	X(A, s64_4k, 64, true, false, 12, false)

/* The plain copy and one streaming one have these as well. */
#define MEMMAP_VARIANTS_OTHER(X, A)                                                                \
	X(A, v56, 56, false, false, 0, false)                                                      \
	X(A, v64_mask, 64, false, true, 0, false)                                                  \
	X(A, v72_4k, 72, false, false, 12, false)                                                  \
	X(A, v80_4k, 80, false, false, 12, false)                                                  \
	X(A, v88_4k, 88, false, false, 12, false)                                                  \
	X(A, v96_4k, 96, false, false, 12, false)                                                  \
	X(A, s56_4k, 56, true, false, 12, false)                                                   \
	X(A, s64_16k, 64, true, false, 14, false)                                                  \
	X(A, s64_64k, 64, true, false, 16, false)                                                  \
	X(A, s64_mask_4k, 64, true, true, 12, false)                                               \
	X(A, s72_4k, 72, true, false, 12, false)                                                   \
	X(A, s80_4k, 80, true, false, 12, false)                                                   \
	X(A, s88_4k, 88, true, false, 12, false)                                                   \
	X(A, s96_4k, 96, true, false, 12, false)

/* Only the ordinary path has these: with it and stamps they can be measured all the same. */
#define MEMMAP_VARIANTS_RARE(X, A)                                                                 \
	X(A, v72_16k, 72, false, false, 14, false)                                                 \
	X(A, v80_16k, 80, false, false, 14, false)                                                 \
	X(A, v88_16k, 88, false, false, 14, false)                                                 \
	X(A, v96_16k, 96, false, false, 14, false)                                                 \
	X(A, v72_64k, 72, false, false, 16, false)                                                 \
	X(A, v80_64k, 80, false, false, 16, false)                                                 \
	X(A, v88_64k, 88, false, false, 16, false)                                                 \
	X(A, v96_64k, 96, false, false, 16, false)                                                 \
	X(A, s56_16k, 56, true, false, 14, false)                                                  \
	X(A, s72_16k, 72, true, false, 14, false)                                                  \
	X(A, s80_16k, 80, true, false, 14, false)                                                  \
	X(A, s88_16k, 88, true, false, 14, false)                                                  \
	X(A, s96_16k, 96, true, false, 14, false)                                                  \
	X(A, s56_64k, 56, true, false, 16, false)                                                  \
	X(A, s72_64k, 72, true, false, 16, false)                                                  \
	X(A, s80_64k, 80, true, false, 16, false)                                                  \
	X(A, s88_64k, 88, true, false, 16, false)                                                  \
	X(A, s96_64k, 96, true, false, 16, false)                                                  \
	X(A, s64_mask_16k, 64, true, true, 14, false)                                              \
	X(A, s64_mask_64k, 64, true, true, 16, false)

#define MEMMAP_VARIANTS_TEMPLATE(X, A) MEMMAP_VARIANTS_COMMON(X, A) MEMMAP_VARIANTS_OTHER(X, A)

#define MEMMAP_VARIANTS(X, A) MEMMAP_VARIANTS_TEMPLATE(X, A) MEMMAP_VARIANTS_RARE(X, A)

/* Does an instance made for `made` build what `wanted` asks for? */
static inline bool memmap_variant_serves(const struct memmap_variant *made,
                                         const struct memmap_variant *wanted)
{
	return made->size == wanted->size && made->sparse == wanted->sparse &&
	       made->mask == wanted->mask && made->trace_page_ref == wanted->trace_page_ref &&
	       (!made->page_shift || made->page_shift == wanted->page_shift);
}

#endif
