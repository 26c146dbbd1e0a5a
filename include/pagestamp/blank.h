/* SPDX-License-Identifier: BSD-2-Clause */
/* Is there nothing on a range? Asked once, before the first write. */
#ifndef PAGESTAMP_BLANK_H
#define PAGESTAMP_BLANK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether every byte of [offset, offset + size) is zero; false also when it cannot be
 * read. Both are multiples of 4096 (but a range's own ragged end), inside the range.
 */
typedef bool (*blank_reader)(void *ctx, uint64_t offset, uint64_t size);

/*
 * Blank: the first and last 2 MiB and 4,096 spread blocks of 4 KiB are zero
 * (docs/options.md). A range too small for that is read whole. `size` in bytes, below
 * 2^52. The descriptors that a run of ours leaves behind take 1/64 of what they
 * describe, so dozens of the blocks fall on them: after a run the range is not blank.
 */
bool blank_judge(blank_reader zero, void *ctx, uint64_t size);

#endif
