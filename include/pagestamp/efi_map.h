/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The firmware's memory map (UEFI 2.10, 7.2.3, EFI_MEMORY_DESCRIPTOR), sorted and sane.
 */
#ifndef PAGESTAMP_EFI_MAP_H
#define PAGESTAMP_EFI_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* EFI_MEMORY_TYPE; a type beyond these is legal and treated as reserved. */
enum efi_map_type {
	EFI_MAP_RESERVED,
	EFI_MAP_LOADER_CODE,
	EFI_MAP_LOADER_DATA,
	EFI_MAP_BOOT_CODE,
	EFI_MAP_BOOT_DATA,
	EFI_MAP_RUNTIME_CODE,
	EFI_MAP_RUNTIME_DATA,
	EFI_MAP_CONVENTIONAL,
	EFI_MAP_UNUSABLE,
	EFI_MAP_ACPI_RECLAIM,
	EFI_MAP_ACPI_NVS,
	EFI_MAP_MMIO,
	EFI_MAP_MMIO_PORT,
	EFI_MAP_PAL_CODE,
	EFI_MAP_PERSISTENT,
	EFI_MAP_UNACCEPTED,
};

/* EFI_MEMORY_SP: "special purpose", not to be used as ordinary RAM. */
#define EFI_MAP_SPECIAL 0x40000ull

/* Beyond what any x86-64 or arm64 can address (52 bits). */
#define PHYSICAL_LIMIT (1ull << 52)

struct efi_region {
	uint64_t base, size; /* bytes, multiples of 4096, size > 0 */
	uint32_t type;
	uint64_t attributes;
};

struct efi_map {
	struct efi_region *region; /* ascending, disjoint */
	size_t nr;
	size_t refused; /* entries: empty, misaligned, or reaching beyond PHYSICAL_LIMIT */
};

/*
 * `stride` is the firmware's descriptor size: anything from 40 on is legal. Bad entries
 * are refused one by one and counted. Where entries overlap, the most restrictive type
 * wins; neighbours of one type and the same attributes merge. False with a reason when
 * the stride is impossible, the size no multiple of it, or memory short.
 */
bool efi_map_parse(const void *bytes, size_t size, size_t stride, struct efi_map *out, char *why,
                   size_t why_size);
void efi_map_free(struct efi_map *map);

/*
 * What an operating system would use as RAM once boot services have ended, in bytes:
 * conventional, loader and boot-services memory that is not special-purpose
 * (Linux: do_add_efi_memmap()).
 */
uint64_t efi_map_ram_bytes(const struct efi_map *map);

/* RAM types, marked special-purpose: Linux's "soft reserved". */
bool efi_region_is_special(const struct efi_region *region);

/* Free now and not special-purpose. */
bool efi_region_is_conventional(const struct efi_region *region);

/* Every byte of [base, base + size) in conventional regions; an empty or wrapping range is not. */
bool efi_map_is_conventional(const struct efi_map *map, uint64_t base, uint64_t size);

/* The next conventional region at or after index `*cursor` (start with 0), NULL at the end. */
const struct efi_region *efi_map_next_conventional(const struct efi_map *map, size_t *cursor);

/* "conventional memory", "runtime services data", ... */
const char *efi_map_type_name(uint32_t type);

#endif
