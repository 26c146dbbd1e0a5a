/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copy and stamp for instructions that can only clear a line: clear it, then store the
 * words that are not zero, whichever those are.
 */
#ifndef MM_ZERO_WORDS_H
#define MM_ZERO_WORDS_H

#include <pagestamp/compiler.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*clear_line_fn)(void *line);

static ALWAYS_INLINE void clear_then_words(void *dst, const uint64_t *word, clear_line_fn clear)
{
	clear(dst);
#pragma GCC unroll 8
	for (unsigned w = 0; w < 8; w++)
		if (word[w])
			WRITE_ONCE(((uint64_t *)dst)[w], word[w]);
}

static ALWAYS_INLINE void stamp_over_zeros(void *dst, const uint64_t image[8],
                                           const uint64_t *delta, size_t n, clear_line_fn clear)
{
	uint64_t word[8] = {image[0], image[1], image[2], image[3],
	                    image[4], image[5], image[6], image[7]};

	if (!delta) {
		for (char *to = dst; n; n--, to += 64)
			clear_then_words(to, word, clear);
		return;
	}
	for (char *to = dst; n; n--, to += 64) {
		clear_then_words(to, word, clear);
#pragma GCC unroll 8
		for (unsigned w = 0; w < 8; w++)
			word[w] += delta[w];
	}
}

#endif
