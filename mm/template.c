/* SPDX-License-Identifier: BSD-2-Clause */
/* The template path's gates, and the copy that every architecture has: plain C. */
#include "mm/template.h"
#include "mm/copy_plain.h"
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

static void stamp_constant(uint64_t *word, const uint64_t image[8], size_t n)
{
	const uint64_t a = image[0], b = image[1], c = image[2], d = image[3];
	const uint64_t e = image[4], f = image[5], g = image[6], h = image[7];

	for (const uint64_t *end = word + 8 * n; word != end; word += 8) {
		word[0] = a;
		word[1] = b;
		word[2] = c;
		word[3] = d;
		word[4] = e;
		word[5] = f;
		word[6] = g;
		word[7] = h;
	}
}

static void stamp_plain(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	if (!delta) {
		stamp_constant(dst, image, n);
		return;
	}
	for (unsigned w = 0; w < 8; w++) {
		uint64_t *word = (uint64_t *)dst + w, value = image[w];

		for (size_t i = 0; i < n; i++, value += delta[w])
			word[8 * i] = value;
	}
}

static ALWAYS_INLINE void drain_plain(void)
{
}

DEFINE_COPY_BACKEND(plain, .name = "plain", .instruction = "mov (compiled C)", .block_bytes = 8);
