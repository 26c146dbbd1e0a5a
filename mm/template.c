/* SPDX-License-Identifier: BSD-2-Clause */
/* The template path's gates, and the copy that every architecture has: plain C. */
#include "mm/template.h"
#include "mm/copy_plain.h"
#include "mm/stamp_sized.h"
#include <string.h>

const char *template_refused(const struct template_gates *gates)
{
	if (gates->trace_page_ref_set)
		return "the page_ref_set trace event is on and must see every reference-count "
		       "write";
	if (gates->instrumented_stores)
		return "stores are instrumented and must not be bypassed";
	return NULL;
}

static ALWAYS_INLINE void copy_plain(void *dst, const void *src)
{
	__builtin_memcpy(dst, src, sizeof(struct page));
}

static ALWAYS_INLINE void walk_copy_plain(void *dst, const void *src, size_t size)
{
	__builtin_memcpy(dst, src, size);
}

static ALWAYS_INLINE void store_words_plain(uint64_t *to, const uint64_t *word, unsigned words)
{
#pragma GCC unroll 12
	for (unsigned w = 0; w < words; w++)
		to[w] = word[w];
}

DEFINE_STAMP_SIZED(plain)

static void stamp_plain(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_words(dst, image, delta, 8, n, store_words_plain);
}

static ALWAYS_INLINE void drain_plain(void)
{
}

DEFINE_COPY_BACKEND_OF_EVERY_SIZE(plain, .name = "plain", .instruction = "mov (compiled C)",
                                  .block_bytes = 8);
