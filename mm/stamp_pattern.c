/* SPDX-License-Identifier: BSD-2-Clause */
#include "mm/stamp_pattern.h"
#include <pagestamp/memcpy_nt.h>
#include <pagestamp/memmap.h>

/* The words of a run, one after the other. */
struct cursor {
	uint64_t word[MAX_DESCRIPTOR_WORDS], delta[MAX_DESCRIPTOR_WORDS];
	unsigned words, at;
};

static uint64_t next_word(struct cursor *cursor)
{
	const unsigned at = cursor->at;
	const uint64_t word = cursor->word[at];

	cursor->word[at] += cursor->delta[at];
	cursor->at = at + 1 < cursor->words ? at + 1 : 0;
	return word;
}

static uint64_t *stream_words(uint64_t *to, size_t n, struct cursor *cursor)
{
	for (; n; n--, to++) {
		const uint64_t word = next_word(cursor);

		memcpy_nt(to, &word, sizeof(word));
	}
	return to;
}

static unsigned words_a_turn(unsigned words, unsigned width)
{
	unsigned turn = words;

	while (turn % width)
		turn += words;
	return turn;
}

void stamp_by_pattern(void *dst, const uint64_t *image, const uint64_t *delta, unsigned size,
                      size_t n, unsigned width, pattern_turns store)
{
	struct cursor cursor = {.words = size / 8};
	const unsigned turn = words_a_turn(cursor.words, width / 8);
	const unsigned images = turn / cursor.words;
	const size_t head = -(uintptr_t)dst % width / 8;
	const size_t words = n * cursor.words;
	const size_t turns = words > head ? (words - head) / turn : 0;
	const unsigned unused = PATTERN_REGISTERS * (width / 8) - turn;
	struct stamp_pattern pattern;
	uint64_t *to = dst;

	for (unsigned w = 0; w < cursor.words; w++) {
		cursor.word[w] = image[w];
		cursor.delta[w] = delta ? delta[w] : 0;
	}
	if (turns) {
		to = stream_words(to, head, &cursor);
		/* Wide loads of what was just stored wait for it: once a run, not once a page. */
		for (unsigned w = unused; w < unused + turn; w++) {
			pattern.step[w] = cursor.delta[cursor.at] * images;
			pattern.word[w] = next_word(&cursor);
		}
		store(to, &pattern, turns, unused / (width / 8));
		for (unsigned w = 0; w < cursor.words; w++)
			cursor.word[w] += cursor.delta[w] * images * (turns - 1);
		to += turns * turn;
	}
	stream_words(to, words - (size_t)(to - (uint64_t *)dst), &cursor);
}
