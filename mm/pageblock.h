/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MM_PAGEBLOCK_H
#define MM_PAGEBLOCK_H

#include <pagestamp/memmap.h>

/* 2 MiB whatever the base page (Linux: pageblock_order 9 with 4 KiB pages). */
#define PAGEBLOCK_SHIFT 21

enum migratetype { MIGRATE_UNMOVABLE, MIGRATE_MOVABLE };

/* Pageblocks of 1 << order pages that [start_pfn, end_pfn) touches, and the bytes of their bits. */
uint64_t pageblocks_of(uint64_t start_pfn, uint64_t end_pfn, unsigned order);
size_t pageblock_map_bytes(uint64_t nr);

/*
 * Marks every pageblock that begins in [start_pfn, end_pfn) movable, and the one the
 * range begins in. A NULL map, or one without bits, keeps nothing. Blocks outside the
 * map are left alone. Linux: memmap_init_zone_device() since 7.x, after the descriptors.
 */
void set_pageblocks_movable(struct pageblock_map *map, uint64_t start_pfn, uint64_t end_pfn);

enum migratetype get_pageblock_migratetype(const struct pageblock_map *map, uint64_t pfn);

#endif
