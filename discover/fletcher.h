/* SPDX-License-Identifier: BSD-2-Clause */
/* Fletcher-64 as nvdimm metadata uses it: over little-endian 32-bit words (Linux: nd_fletcher64()).
 */
#ifndef DISCOVER_FLETCHER_H
#define DISCOVER_FLETCHER_H

#include "discover/le.h"

#include <stddef.h>

/* Over `size` bytes, a multiple of 4; the 8 bytes of the checksum itself, at `own`, count as zero.
 */
static inline uint64_t fletcher64(const uint8_t *bytes, size_t size, size_t own)
{
	uint32_t low = 0;
	uint64_t high = 0;

	for (size_t at = 0; at < size; at += 4) {
		low += at == own || at == own + 4 ? 0 : le32(bytes + at);
		high += low;
	}
	return high << 32 | low;
}

#endif
