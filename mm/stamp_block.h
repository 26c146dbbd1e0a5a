/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stamp for instructions that copy from memory to memory and so cannot hold an image
 * in registers: it is stored 64 times over in a 4 KiB block, which stays in the nearest
 * cache, and the block is copied as often as it takes. With deltas the block is stored
 * anew each time: what the copy then reads was stored hundreds of stores ago, not in
 * the store before.
 */
#ifndef MM_STAMP_BLOCK_H
#define MM_STAMP_BLOCK_H

#include <pagestamp/compiler.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCK_IMAGES 64

/* `bytes` is a multiple of 64, not 0. */
typedef void (*copy_bytes_fn)(void *dst, const void *src, size_t bytes);

/* Stores n images and leaves word[] at the one behind them. */
static ALWAYS_INLINE void block_fill(uint64_t *block, uint64_t word[8], const uint64_t *delta,
                                     size_t n)
{
	for (; n; n--, block += 8)
		for (unsigned w = 0; w < 8; w++) {
			WRITE_ONCE(block[w], word[w]);
			word[w] += delta[w];
		}
}

static ALWAYS_INLINE void stamp_from_block(void *dst, const uint64_t image[8],
                                           const uint64_t *delta, size_t n, copy_bytes_fn copy)
{
	static const uint64_t none[8];
	uint64_t block[8 * BLOCK_IMAGES] __attribute__((aligned(64)));
	uint64_t word[8];
	size_t filled = 0;

	for (unsigned w = 0; w < 8; w++)
		word[w] = image[w];
	for (char *to = dst; n;) {
		size_t chunk = n < BLOCK_IMAGES ? n : BLOCK_IMAGES;

		if (delta || !filled) {
			block_fill(block, word, delta ? delta : none, chunk);
			filled = chunk;
		}
		copy(to, block, 64 * chunk);
		to += 64 * chunk;
		n -= chunk;
	}
}

#endif
