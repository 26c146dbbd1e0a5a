/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/efi_map.h>

#include "discover/le.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DESCRIPTOR_MIN 40u

/* The higher, the less may be done with the memory. */
static unsigned restrictiveness(const struct efi_region *region)
{
	switch (region->type) {
	case EFI_MAP_CONVENTIONAL:
		return region->attributes & EFI_MAP_SPECIAL ? 1 : 0;
	case EFI_MAP_LOADER_CODE:
	case EFI_MAP_LOADER_DATA:
	case EFI_MAP_BOOT_CODE:
	case EFI_MAP_BOOT_DATA:
		return 2;
	case EFI_MAP_ACPI_RECLAIM:
		return 3;
	case EFI_MAP_PERSISTENT:
		return 4;
	case EFI_MAP_RUNTIME_CODE:
	case EFI_MAP_RUNTIME_DATA:
	case EFI_MAP_ACPI_NVS:
	case EFI_MAP_PAL_CODE:
		return 5;
	case EFI_MAP_MMIO:
	case EFI_MAP_MMIO_PORT:
		return 6;
	default:
		return 7;
	}
}

static bool read_entry(const uint8_t *entry, struct efi_region *out)
{
	uint64_t pages = le64(entry + 24);

	out->type = le32(entry);
	out->base = le64(entry + 8);
	out->attributes = le64(entry + 32);
	if (pages == 0 || pages > PHYSICAL_LIMIT / 4096 || out->base % 4096 ||
	    out->base > PHYSICAL_LIMIT - pages * 4096)
		return false;
	out->size = pages * 4096;
	return true;
}

static uint64_t end_of(const struct efi_region *region)
{
	return region->base + region->size;
}

/* By base; beyond that only so that one map always gives one result. */
static int by_base(const void *a, const void *b)
{
	const struct efi_region *x = a, *y = b;

	if (x->base != y->base)
		return x->base > y->base ? 1 : -1;
	if (x->type != y->type)
		return x->type > y->type ? 1 : -1;
	return (x->attributes > y->attributes) - (x->attributes < y->attributes);
}

/* Appends to `out`, merging with the last piece where nothing tells them apart. */
static void add_piece(struct efi_map *out, uint64_t base, uint64_t end,
                      const struct efi_region *like)
{
	struct efi_region *last = out->nr ? &out->region[out->nr - 1] : NULL;

	if (last && end_of(last) == base && last->type == like->type &&
	    last->attributes == like->attributes) {
		last->size = end - last->base;
		return;
	}
	out->region[out->nr] = *like;
	out->region[out->nr].base = base;
	out->region[out->nr++].size = end - base;
}

/*
 * Sweeps over the sorted entries. Between two edges the set of open entries does not
 * change, and its most restrictive member gives the piece:
 *
 *     |-----a-----|
 *          |--b--------|
 *     |-a--|--b--------|      b more restrictive
 *
 * Each entry opens and closes once, so there are fewer than 2 * nr pieces.
 */
static void sweep(const struct efi_region *entry, size_t nr, size_t *open, struct efi_map *out)
{
	size_t next = 0, nr_open = 0;
	uint64_t at = 0;

	while (next < nr || nr_open) {
		const struct efi_region *best;
		uint64_t edge;
		size_t kept = 0;

		if (nr_open == 0)
			at = entry[next].base;
		while (next < nr && entry[next].base == at)
			open[nr_open++] = next++;
		best = &entry[open[0]];
		edge = next < nr ? entry[next].base : UINT64_MAX;
		for (size_t i = 0; i < nr_open; i++) {
			const struct efi_region *one = &entry[open[i]];

			if (restrictiveness(one) > restrictiveness(best))
				best = one;
			if (end_of(one) < edge)
				edge = end_of(one);
		}
		add_piece(out, at, edge, best);
		at = edge;
		for (size_t i = 0; i < nr_open; i++)
			if (end_of(&entry[open[i]]) > at)
				open[kept++] = open[i];
		nr_open = kept;
	}
}

bool efi_map_parse(const void *bytes, size_t size, size_t stride, struct efi_map *out, char *why,
                   size_t why_size)
{
	struct efi_region *entry;
	size_t nr = 0, total, *open;

	*out = (struct efi_map){0};
	if (stride < DESCRIPTOR_MIN || size % stride) {
		snprintf(why, why_size, "memory map of %lu bytes in descriptors of %lu",
		         (unsigned long)size, (unsigned long)stride);
		return false;
	}
	total = size / stride;
	entry = calloc(total + 1, sizeof(*entry));
	open = calloc(total + 1, sizeof(*open));
	out->region = calloc(2 * total + 1, sizeof(*out->region));
	if (entry && open && out->region) {
		for (size_t i = 0; i < total; i++) {
			if (read_entry((const uint8_t *)bytes + i * stride, &entry[nr]))
				nr++;
			else
				out->refused++;
		}
		qsort(entry, nr, sizeof(*entry), by_base);
		sweep(entry, nr, open, out);
	} else {
		snprintf(why, why_size, "memory map: out of memory");
		efi_map_free(out);
	}
	free(entry);
	free(open);
	return out->region != NULL;
}

void efi_map_free(struct efi_map *map)
{
	free(map->region);
	*map = (struct efi_map){0};
}

static bool is_ram_type(uint32_t type)
{
	return type == EFI_MAP_CONVENTIONAL ||
	       (type >= EFI_MAP_LOADER_CODE && type <= EFI_MAP_BOOT_DATA);
}

bool efi_region_is_special(const struct efi_region *region)
{
	return is_ram_type(region->type) && region->attributes & EFI_MAP_SPECIAL;
}

bool efi_region_is_conventional(const struct efi_region *region)
{
	return region->type == EFI_MAP_CONVENTIONAL && !(region->attributes & EFI_MAP_SPECIAL);
}

uint64_t efi_map_ram_bytes(const struct efi_map *map)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < map->nr; i++)
		if (is_ram_type(map->region[i].type) && !efi_region_is_special(&map->region[i]))
			bytes += map->region[i].size;
	return bytes;
}

bool efi_map_is_conventional(const struct efi_map *map, uint64_t base, uint64_t size)
{
	uint64_t at = base, end = base + size;

	if (size == 0 || end < base)
		return false;
	for (size_t i = 0; i < map->nr && at < end; i++) {
		const struct efi_region *region = &map->region[i];

		if (end_of(region) <= at)
			continue;
		if (region->base > at || !efi_region_is_conventional(region))
			return false;
		at = end_of(region);
	}
	return at >= end;
}

const struct efi_region *efi_map_next_conventional(const struct efi_map *map, size_t *cursor)
{
	while (*cursor < map->nr) {
		const struct efi_region *region = &map->region[(*cursor)++];

		if (efi_region_is_conventional(region))
			return region;
	}
	return NULL;
}

const char *efi_map_type_name(uint32_t type)
{
	static const char *const names[] = {
		"reserved memory",
		"loader code",
		"loader data",
		"boot services code",
		"boot services data",
		"runtime services code",
		"runtime services data",
		"conventional memory",
		"unusable memory",
		"ACPI reclaim memory",
		"ACPI NVS",
		"memory-mapped I/O",
		"memory-mapped I/O ports",
		"PAL code",
		"persistent memory",
		"unaccepted memory",
	};

	return type < sizeof(names) / sizeof(names[0]) ? names[type] : "memory of an unknown type";
}
