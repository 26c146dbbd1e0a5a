/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stamp_sized_<id>() of a backend from its store_words_<id>(to, word, words), which is
 * ALWAYS_INLINE and gets a constant number of words: the image stays in registers.
 */
#ifndef MM_STAMP_SIZED_H
#define MM_STAMP_SIZED_H

#include <pagestamp/compiler.h>
#include <pagestamp/memmap.h>

typedef void (*store_words_fn)(uint64_t *to, const uint64_t *word, unsigned words);

static ALWAYS_INLINE void stamp_words(uint64_t *to, const uint64_t *image, const uint64_t *delta,
                                      const unsigned words, size_t n, store_words_fn store)
{
	const uint64_t *const end = to + words * n;
	uint64_t word[MAX_DESCRIPTOR_WORDS];

#pragma GCC unroll 12
	for (unsigned w = 0; w < words; w++)
		word[w] = image[w];
	if (!delta) {
		for (; to != end; to += words)
			store(to, word, words);
		return;
	}
	for (; to != end; to += words) {
		store(to, word, words);
#pragma GCC unroll 12
		for (unsigned w = 0; w < words; w++)
			word[w] += delta[w];
	}
}

#define DEFINE_STAMP_SIZED(id)                                                                     \
	static void stamp_sized_##id(void *dst, const uint64_t *image, const uint64_t *delta,      \
	                             unsigned size, size_t n)                                      \
	{                                                                                          \
		switch (size) {                                                                    \
		case 56:                                                                           \
			stamp_words(dst, image, delta, 7, n, store_words_##id);                    \
			break;                                                                     \
		case 72:                                                                           \
			stamp_words(dst, image, delta, 9, n, store_words_##id);                    \
			break;                                                                     \
		case 80:                                                                           \
			stamp_words(dst, image, delta, 10, n, store_words_##id);                   \
			break;                                                                     \
		case 88:                                                                           \
			stamp_words(dst, image, delta, 11, n, store_words_##id);                   \
			break;                                                                     \
		case 96:                                                                           \
			stamp_words(dst, image, delta, 12, n, store_words_##id);                   \
			break;                                                                     \
		}                                                                                  \
	}

#endif
