/* SPDX-License-Identifier: BSD-2-Clause */
#include "mm/pageblock.h"

uint64_t pageblocks_of(uint64_t start_pfn, uint64_t end_pfn, unsigned order)
{
	if (start_pfn >= end_pfn)
		return 0;
	return ((end_pfn - 1) >> order) - (start_pfn >> order) + 1;
}

size_t pageblock_map_bytes(uint64_t nr)
{
	return (nr + 1) / 2;
}

static uint64_t block_index(const struct pageblock_map *map, uint64_t pfn)
{
	return (pfn >> map->order) - (map->start_pfn >> map->order);
}

void set_pageblocks_movable(struct pageblock_map *map, uint64_t start_pfn, uint64_t end_pfn)
{
	uint64_t nr_pages;

	if (!map || !map->bits || start_pfn >= end_pfn)
		return;
	nr_pages = 1ull << map->order;
	for (uint64_t pfn = start_pfn; pfn < end_pfn; pfn = (pfn & ~(nr_pages - 1)) + nr_pages) {
		uint64_t i = block_index(map, pfn);
		unsigned shift = (i & 1) * 4;

		if (i < map->nr)
			map->bits[i / 2] = (uint8_t)((map->bits[i / 2] & ~(0xf << shift)) |
			                             (MIGRATE_MOVABLE << shift));
	}
}

enum migratetype get_pageblock_migratetype(const struct pageblock_map *map, uint64_t pfn)
{
	uint64_t i = block_index(map, pfn);

	return (enum migratetype)(map->bits[i / 2] >> ((i & 1) * 4) & 0xf);
}
