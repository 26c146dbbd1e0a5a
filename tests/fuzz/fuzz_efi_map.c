/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/efi_map.c */
#include "tests/fuzz/fuzz.h"

#include <pagestamp/efi_map.h>

/* The first byte chooses the stride. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct efi_map map;
	char why[160];
	uint64_t end = 0;

	if (size == 0 || !efi_map_parse(data + 1, size - 1, data[0], &map, why, sizeof(why)))
		return 0;
	ALWAYS(map.refused <= (size - 1) / 40);
	for (size_t i = 0; i < map.nr; i++) {
		const struct efi_region *region = &map.region[i];

		ALWAYS(region->size && region->base >= end);
		ALWAYS(region->base % 4096 == 0 && region->size % 4096 == 0);
		end = region->base + region->size;
		ALWAYS(end <= PHYSICAL_LIMIT);
		ALWAYS(efi_map_is_conventional(&map, region->base, region->size) ==
		       efi_region_is_conventional(region));
		ALWAYS(efi_map_type_name(region->type)[0]);
	}
	ALWAYS(efi_map_ram_bytes(&map) <= end);
	efi_map_free(&map);
	return 0;
}
