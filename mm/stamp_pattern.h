/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stamping descriptors of 56 to 96 bytes by registers that are wider than a word: what is
 * stored repeats after lcm(size, register) bytes, a turn. 11 registers hold the longest one.
 */
#ifndef MM_STAMP_PATTERN_H
#define MM_STAMP_PATTERN_H

#include <pagestamp/compiler.h>
#include <stddef.h>
#include <stdint.h>

#define PATTERN_REGISTERS    11
#define PATTERN_REGISTER_MAX 64 /* bytes */

/* A turn stands at the end: what is before it belongs to registers that it does not need. */
struct stamp_pattern {
	uint64_t word[PATTERN_REGISTERS * PATTERN_REGISTER_MAX / 8]
		__attribute__((aligned(PATTERN_REGISTER_MAX)));
	uint64_t step[PATTERN_REGISTERS * PATTERN_REGISTER_MAX / 8]; /* from turn to turn */
};

/*
 * Loads 11 registers from word[0] on and stores the last 11 - skip of them `turns` times (1
 * or more) to consecutive places from `to` on, which is aligned to the register; each
 * advances by its step[] after each turn.
 */
typedef void (*pattern_turns)(void *to, const struct stamp_pattern *pattern, size_t turns,
                              unsigned skip);

/*
 * stamp_sized() of a copy backend (pagestamp/copy.h) from its turns; `width` is its
 * register's bytes. What is before the first place that is aligned and behind the last whole
 * turn goes word by word through memcpy_nt().
 */
void stamp_by_pattern(void *dst, const uint64_t *image, const uint64_t *delta, unsigned size,
                      size_t n, unsigned width, pattern_turns store);

#endif
