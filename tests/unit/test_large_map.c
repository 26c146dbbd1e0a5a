/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/ranges.c discover/efi_map.c discover/range_about.c */
/* links: discover/nfit.c discover/srat.c discover/hmat.c discover/cedt.c */
/* links: discover/acpi.c discover/number.c */
/* 300 entries in no order, many over one another, against a model that knows no sorting. */
#include <pagestamp/ranges.h>

#include "tests/unit/samples.h"

#define MIB     (1ull << 20)
#define SLOTS   4096u /* of 1 MiB, from FIRST on */
#define FIRST   (1020ull << 30)
#define ENTRIES 300u
#define SEEDS   50u

/* From what may be done with it to what may not: the highest that covers a slot has it. */
static const struct kind {
	uint32_t type;
	uint64_t attributes;
} kinds[] = {{EFI_MAP_CONVENTIONAL, 0xf},
             {EFI_MAP_CONVENTIONAL, 0x4000f},
             {EFI_MAP_BOOT_DATA, 0xf},
             {EFI_MAP_ACPI_RECLAIM, 0xf},
             {EFI_MAP_PERSISTENT, 0x800f},
             {EFI_MAP_RUNTIME_DATA, 1ull << 63 | 0xf},
             {EFI_MAP_MMIO, 1},
             {EFI_MAP_RESERVED, 0}};
enum { NOTHING = -1, FREE = 0, SPECIAL = 1, BOOT_DATA = 2, PERSISTENT = 4 };
#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static int8_t slot[SLOTS]; /* index into kinds[] */
static struct efi_text efi;
static size_t bad_entries;
static uint64_t state64;

static uint32_t any(uint32_t below)
{
	state64 = state64 * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(state64 >> 33) % below;
}

/* Every tenth entry is none: empty, or off by half a page. */
static void add_one(size_t i)
{
	const uint32_t first = any(SLOTS), kind = any(NR_KINDS);
	uint32_t nr = 1 + any(any(8) ? 16 : 600);

	if (nr > SLOTS - first)
		nr = SLOTS - first;
	if (i % 10 == 9) {
		efi_add(&efi, kinds[kind].type, FIRST + first * MIB + (i % 20 == 9 ? 2048 : 0),
		        i % 20 == 9 ? 1 : 0, kinds[kind].attributes);
		bad_entries++;
		return;
	}
	efi_add(&efi, kinds[kind].type, FIRST + first * MIB, nr * (MIB / 4096),
	        kinds[kind].attributes);
	for (uint32_t s = first; s < first + nr; s++)
		if (slot[s] < (int8_t)kind)
			slot[s] = (int8_t)kind;
}

static size_t slots_of(int kind)
{
	size_t nr = 0;

	for (size_t s = 0; s < SLOTS; s++)
		nr += slot[s] == kind;
	return nr;
}

/* Each slot is in the one region that it belongs to, and neighbours of a kind are one. */
static void map_is_the_model(const struct efi_map *map)
{
	size_t region = 0, regions = 0;

	assert_int_equal(map->refused, bad_entries);
	for (uint32_t s = 0; s < SLOTS; s++) {
		const uint64_t at = FIRST + s * MIB;
		const struct efi_region *r;

		assert_int_equal(efi_map_is_conventional(map, at, MIB), slot[s] == FREE);
		if (slot[s] == NOTHING)
			continue;
		regions += s == 0 || slot[s - 1] != slot[s];
		while (region < map->nr &&
		       map->region[region].base + map->region[region].size <= at)
			region++;
		assert_true(region < map->nr);
		r = &map->region[region];
		assert_true(r->base <= at && at + MIB <= r->base + r->size);
		assert_int_equal(r->type, kinds[slot[s]].type);
		assert_int_equal(r->attributes, kinds[slot[s]].attributes);
	}
	assert_int_equal(map->nr, regions);
	assert_int_equal(efi_map_ram_bytes(map), (slots_of(FREE) + slots_of(BOOT_DATA)) * MIB);
}

/* The ranges are the persistent and the special slots, each once, under ascending names. */
static void ranges_are_the_model(const struct pmem_ranges *ranges)
{
	unsigned pmem = 0, special = 0;
	uint64_t covered = 0, last = 0;

	for (size_t i = 0; i < ranges->nr; i++) {
		const struct pmem_range *range = &ranges->item[i];
		const bool is_special = range->kind == RANGE_SPECIAL;
		char id[16];

		snprintf(id, sizeof(id), "%s%u", is_special ? "special" : "pmem",
		         is_special ? special++ : pmem++);
		assert_string_equal(range->id, id);
		assert_string_equal(range->source, "efi");
		assert_true(range->base >= last);
		last = range->base + range->size;
		covered += range->size;
		for (uint64_t at = range->base; at < last; at += MIB)
			assert_int_equal(slot[(at - FIRST) / MIB],
			                 is_special ? SPECIAL : PERSISTENT);
	}
	assert_int_equal(covered, (slots_of(PERSISTENT) + slots_of(SPECIAL)) * MIB);
}

static void three_hundred_entries(void **state)
{
	static const size_t strides[] = {40, 48, 72};
	struct range_notes notes;
	struct pmem_ranges ranges;
	char why[160] = "";

	(void)state;
	for (size_t seed = 0; seed < SEEDS; seed++) {
		struct range_sources sources = {0};

		state64 = seed;
		bad_entries = 0;
		memset(slot, NOTHING, sizeof(slot));
		efi = (struct efi_text){.stride = strides[seed % 3]};
		for (size_t i = 0; i < ENTRIES; i++)
			add_one(i);
		assert_int_equal(efi.entries, ENTRIES);
		assert_true(efi_map_parse(efi.map.data, efi.map.size, efi.stride, &sources.efi, why,
		                          sizeof(why)));
		bytes_free(&efi.map);
		map_is_the_model(&sources.efi);
		assert_true(ranges_build(&sources, &ranges, &notes, why, sizeof(why)));
		assert_int_equal(notes.nr, 0);
		assert_true(ranges.nr > 4);
		ranges_are_the_model(&ranges);
		ranges_free(&ranges, &notes);
		efi_map_free(&sources.efi);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(three_hundred_entries)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
