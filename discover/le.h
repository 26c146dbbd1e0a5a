/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Little-endian reads from tables that promise no alignment. Each is one load where the CPU
 * allows it, and smaller than a call: -Os does not see that.
 */
#ifndef DISCOVER_LE_H
#define DISCOVER_LE_H

#include <stdint.h>

#define LE_INLINE static inline __attribute__((always_inline))

LE_INLINE uint16_t le16(const void *at)
{
	const uint8_t *b = at;

	return (uint16_t)(b[0] | (uint16_t)b[1] << 8);
}

LE_INLINE uint32_t le32(const void *at)
{
	const uint8_t *b = at;

	return (uint32_t)le16(b) | (uint32_t)le16(b + 2) << 16;
}

LE_INLINE uint64_t le64(const void *at)
{
	const uint8_t *b = at;

	return (uint64_t)le32(b) | (uint64_t)le32(b + 4) << 32;
}

#endif
