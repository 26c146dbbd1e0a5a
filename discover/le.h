/* SPDX-License-Identifier: BSD-2-Clause */
/* Little-endian reads from tables that promise no alignment. */
#ifndef DISCOVER_LE_H
#define DISCOVER_LE_H

#include <stdint.h>

static inline uint16_t le16(const void *at)
{
	const uint8_t *b = at;

	return (uint16_t)(b[0] | (uint16_t)b[1] << 8);
}

static inline uint32_t le32(const void *at)
{
	const uint8_t *b = at;

	return (uint32_t)le16(b) | (uint32_t)le16(b + 2) << 16;
}

static inline uint64_t le64(const void *at)
{
	const uint8_t *b = at;

	return (uint64_t)le32(b) | (uint64_t)le32(b + 4) << 32;
}

#endif
