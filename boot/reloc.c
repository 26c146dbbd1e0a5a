/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A PE base-relocation block with one entry of kind "none". The image relocates
 * itself (relocate.c), but one without this is refused as fixed to its address.
 */
#include <stdint.h>

__attribute__((section(".reloc"), used)) static const struct {
	uint32_t page, size;
	uint16_t entry[2];
} reloc = {0, sizeof(reloc), {0, 0}};
