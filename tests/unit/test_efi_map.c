/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/efi_map.c */
#include <pagestamp/efi_map.h>

#include "tests/unit/sample_04.h"

#define GIB (1ull << 30)

static struct efi_map map;
static char why[160];

static void parse(struct efi_text *efi)
{
	efi_map_free(&map);
	assert_true(
		efi_map_parse(efi->map.data, efi->map.size, efi->stride, &map, why, sizeof(why)));
	bytes_free(&efi->map);
}

static void parse_sample(const char *name, const char *from, const char *until, size_t stride)
{
	struct efi_text efi = {.stride = stride};

	each_line(name, from, until, efi_line, &efi);
	assert_int_not_equal(efi.entries, 0);
	parse(&efi);
}

static void region_is(size_t i, uint64_t base, uint64_t end, uint32_t type, uint64_t attributes)
{
	assert_true(i < map.nr);
	assert_int_equal(map.region[i].base, base);
	assert_int_equal(map.region[i].base + map.region[i].size, end);
	assert_int_equal(map.region[i].type, type);
	assert_int_equal(map.region[i].attributes, attributes);
}

static void sorted_and_disjoint(void)
{
	for (size_t i = 1; i < map.nr; i++)
		assert_true(map.region[i - 1].base + map.region[i - 1].size <= map.region[i].base);
}

static void special_purpose_is_kept_and_merges(void **state)
{
	(void)state;
	parse_sample("samples/21-efimap-special-purpose-overlap.txt", NULL, NULL, 48);
	assert_int_equal(map.nr, 3);
	region_is(0, 0x15e000000, 0x170c00000, EFI_MAP_CONVENTIONAL, 0x4000f);
	region_is(1, 0x240000000, 0x400000000, EFI_MAP_CONVENTIONAL, 0x4000f);
	region_is(2, 0x400000000, 0x440000000, EFI_MAP_CONVENTIONAL, 0xf);
	assert_true(efi_region_is_special(&map.region[1]));
	assert_false(efi_region_is_special(&map.region[2]));
	assert_int_equal(efi_map_ram_bytes(&map), GIB);
	assert_false(efi_map_is_conventional(&map, 0x240000000, GIB));
	assert_true(efi_map_is_conventional(&map, 0x400000000, GIB));
}

static void zero_pages_are_refused_one_by_one(void **state)
{
	(void)state;
	parse_sample("samples/22-efimap-firmware-bug-zero-pages.txt", NULL, NULL, 48);
	assert_int_equal(map.refused, 5);
	assert_int_equal(map.nr, 0);
	assert_int_equal(efi_map_ram_bytes(&map), 0);
}

static void every_stride(void **state)
{
	static const char name[] = "samples/24-efimap-descriptor-size-variants.txt";
	static const size_t strides[] = {0x28, 0x30, 0x38, 100, 4096};

	(void)state;
	for (size_t i = 0; i < sizeof(strides) / sizeof(strides[0]); i++) {
		parse_sample(name, "Raspberry Pi 2", "##", strides[i]);
		assert_int_equal(map.nr, 2);
		region_is(0, 0, 0x1000, EFI_MAP_RESERVED, 8);
		region_is(1, 0x1000, 0x308000, EFI_MAP_CONVENTIONAL, 8);
	}
}

static void every_machine_of_sample_24(void **state)
{
	static const char name[] = "samples/24-efimap-descriptor-size-variants.txt";

	(void)state;
	parse_sample(name, "Ampere", "##", 0x30);
	assert_int_equal(map.nr, 2);
	region_is(1, 0x92000000, 0x92900000, EFI_MAP_RUNTIME_DATA, 1ull << 63 | 0xf);
	parse_sample(name, "kvmtool", "##", 0x30);
	assert_int_equal(efi_map_ram_bytes(&map), 0x98d6e000 - 0x80000000ull);
	assert_true(efi_map_is_conventional(&map, 0x80000000, 0x157c0000));
	assert_false(efi_map_is_conventional(&map, 0x80000000, 0x157c1000)); /* loader code */
	parse_sample(name, "Qualcomm", "##", 0x30);
	assert_int_equal(map.nr, 8);
	region_is(0, 0x80800000, 0x80e00000, EFI_MAP_RESERVED, 0x100f);
	assert_false(efi_map_is_conventional(&map, 0x81f38000, 0x1000000)); /* holes */
	parse_sample(name, "Synology", "##", 0x30);
	assert_int_equal(map.nr, 5); /* given unsorted */
	sorted_and_disjoint();
	region_is(0, 0x7bfff000, 0x7c000000, EFI_MAP_BOOT_DATA, 0xf);
	region_is(4, 0x100000000, 0x280000000, EFI_MAP_CONVENTIONAL, 0xf);
	parse_sample(name, "Apple", NULL, 0x30);
	assert_int_equal(map.nr, 1);
	region_is(0, 0, 0x58000, EFI_MAP_CONVENTIONAL, 0x080000000000000full);
}

static void twelve_tebibytes(void **state)
{
	size_t cursor = 0, nr = 0;
	uint64_t last = 0;
	const struct efi_region *region;

	(void)state;
	parse_sample("samples/18-efimap-hpe-superdome2-12tb.txt", NULL, NULL, 48);
	assert_int_equal(map.refused, 0);
	sorted_and_disjoint();
	assert_true(efi_map_ram_bytes(&map) > (12ull << 40) - 3 * GIB);
	assert_true(efi_map_is_conventional(&map, 0xe000001000, 0xc2000000000 - 0xe000001000));
	assert_false(efi_map_is_conventional(&map, 0xe000000000, 0x2000)); /* NVS first */
	assert_false(efi_map_is_conventional(&map, 0xc07ffff000, 0x2000)); /* the hole */
	while ((region = efi_map_next_conventional(&map, &cursor))) {
		assert_int_equal(region->type, EFI_MAP_CONVENTIONAL);
		last = region->base + region->size;
		nr++;
	}
	assert_int_equal(nr, 10);
	assert_int_equal(last, 0xc2000000000);
}

static void two_sockets_of_arm64(void **state)
{
	(void)state;
	parse_sample("samples/20-efimap-arm64-thunderx-2socket.txt", NULL, NULL, 0x30);
	assert_int_equal(map.nr, 36);
	assert_int_equal(map.refused, 0);
	region_is(12, 0x10000400000, 0x10f84660000, EFI_MAP_CONVENTIONAL, 0xf);
	region_is(35, 0x87e0d0001000, 0x87e0d0002000, EFI_MAP_MMIO, 1ull << 63 | 1);
}

static void a_real_server_with_nvdimm_n(void **state)
{
	struct efi_text efi = {.stride = 48};

	(void)state;
	sample_04_map(&efi);
	assert_int_equal(efi.entries, 15);
	parse(&efi);
	sorted_and_disjoint();
	assert_int_equal(map.nr, 15);
	assert_true(efi_map_is_conventional(&map, 0x72e00000, 0x12331000));
	assert_false(efi_map_is_conventional(&map, 0x72d00000, 0x12431000));
}

static void entries_that_cannot_be(void **state)
{
	struct efi_text efi = {.stride = 40};

	(void)state;
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 0x1000, 1, 0xf);
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 0x1800, 1, 0xf);          /* misaligned */
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 0x2000, 0, 0xf);          /* empty */
	efi_add(&efi, EFI_MAP_CONVENTIONAL, ~0xfffull, 2, 0xf);       /* wraps */
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 0x3000, 1ull << 52, 0xf); /* wraps in bytes */
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 0x3000, ~0ull, 0xf);      /* likewise */
	efi_add(&efi, EFI_MAP_CONVENTIONAL, PHYSICAL_LIMIT - 4096, 2, 0xf);
	efi_add(&efi, EFI_MAP_CONVENTIONAL, PHYSICAL_LIMIT - 4096, 1, 0xf); /* the last page */
	parse(&efi);
	assert_int_equal(map.refused, 6);
	assert_int_equal(map.nr, 2);
	region_is(1, PHYSICAL_LIMIT - 4096, PHYSICAL_LIMIT, EFI_MAP_CONVENTIONAL, 0xf);
}

static void the_most_restrictive_wins(void **state)
{
	struct efi_text efi = {.stride = 48};

	(void)state;
	/* reserved inside RAM, loader over its end, both given first and last */
	efi_add(&efi, EFI_MAP_RESERVED, 0x4000, 2, 0);
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 0x0, 16, 0xf);
	efi_add(&efi, EFI_MAP_LOADER_DATA, 0xe000, 4, 0xf);
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 0x5000, 4, 0x4000f);
	parse(&efi);
	assert_int_equal(map.nr, 5);
	region_is(0, 0, 0x4000, EFI_MAP_CONVENTIONAL, 0xf);
	region_is(1, 0x4000, 0x6000, EFI_MAP_RESERVED, 0);
	region_is(2, 0x6000, 0x9000, EFI_MAP_CONVENTIONAL, 0x4000f);
	region_is(3, 0x9000, 0xe000, EFI_MAP_CONVENTIONAL, 0xf);
	region_is(4, 0xe000, 0x12000, EFI_MAP_LOADER_DATA, 0xf);
	assert_false(efi_map_is_conventional(&map, 0x0, 0x5000));
	assert_true(efi_map_is_conventional(&map, 0x9000, 0x5000));
	assert_int_equal(efi_map_ram_bytes(&map), 0x4000 + 0x5000 + 0x4000);
}

/* From what may be done with it to what may not. */
static void the_order_of_restriction(void **state)
{
	static const struct {
		uint32_t type;
		uint64_t attributes;
	} order[] = {{EFI_MAP_CONVENTIONAL, 0xf},
	             {EFI_MAP_CONVENTIONAL, 0x4000f},
	             {EFI_MAP_BOOT_DATA, 0xf},
	             {EFI_MAP_ACPI_RECLAIM, 0xf},
	             {EFI_MAP_PERSISTENT, 0x8008},
	             {EFI_MAP_RUNTIME_DATA, 0xf},
	             {EFI_MAP_MMIO, 1},
	             {EFI_MAP_RESERVED, 0}};

	(void)state;
	for (size_t i = 1; i < sizeof(order) / sizeof(order[0]); i++)
		for (size_t first = 0; first < 2; first++) {
			size_t a = first ? i : i - 1, b = first ? i - 1 : i;
			struct efi_text efi = {.stride = 48};

			efi_add(&efi, order[a].type, 0x1000, 1, order[a].attributes);
			efi_add(&efi, order[b].type, 0x1000, 1, order[b].attributes);
			parse(&efi);
			assert_int_equal(map.nr, 1);
			region_is(0, 0x1000, 0x2000, order[i].type, order[i].attributes);
		}
}

/* Each inside the one before: as many pieces as there can be. */
static void nested(void **state)
{
	static const uint32_t types[] = {
		EFI_MAP_CONVENTIONAL, EFI_MAP_BOOT_CODE, EFI_MAP_ACPI_RECLAIM, EFI_MAP_PERSISTENT,
		EFI_MAP_PAL_CODE,     EFI_MAP_MMIO_PORT, EFI_MAP_UNUSABLE};
	struct efi_text efi = {.stride = 48};

	(void)state;
	for (uint64_t i = 0; i < 7; i++)
		efi_add(&efi, types[i], 0x1000 * i, 13 - 2 * i, 0xf);
	parse(&efi);
	assert_int_equal(map.nr, 13);
	for (uint64_t i = 0; i < 13; i++)
		region_is(i, 0x1000 * i, 0x1000 * (i + 1), types[i < 7 ? i : 12 - i], 0xf);
}

static void what_becomes_ram(void **state)
{
	(void)state;
	for (uint32_t type = 0; type < 20; type++) {
		struct efi_text efi = {.stride = 48};
		bool ram = (type >= EFI_MAP_LOADER_CODE && type <= EFI_MAP_BOOT_DATA) ||
		           type == EFI_MAP_CONVENTIONAL;

		efi_add(&efi, type, 0x1000, 1, 0xf);
		efi_add(&efi, type, 0x3000, 1, 0x4000f);
		parse(&efi);
		assert_int_equal(efi_map_ram_bytes(&map), ram ? 4096 : 0);
		assert_false(efi_region_is_special(&map.region[0]));
		assert_int_equal(efi_region_is_special(&map.region[1]), ram);
		assert_int_equal(efi_region_is_conventional(&map.region[0]),
		                 type == EFI_MAP_CONVENTIONAL);
		assert_false(efi_region_is_conventional(&map.region[1]));
	}
}

/* Equals in restriction: one and the same result, however they are listed. */
static void the_order_of_the_list_does_not_matter(void **state)
{
	static const struct {
		uint32_t type;
		uint64_t attributes;
	} pairs[][2] = {{{EFI_MAP_BOOT_CODE, 0xf}, {EFI_MAP_LOADER_CODE, 0xf}},
	                {{EFI_MAP_CONVENTIONAL, 0xf}, {EFI_MAP_CONVENTIONAL, 0x8}}};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		uint64_t winner[2];

		for (size_t first = 0; first < 2; first++) {
			struct efi_text efi = {.stride = 48};

			for (size_t j = 0; j < 2; j++)
				efi_add(&efi, pairs[i][first ^ j].type, 0x1000, 1,
				        pairs[i][first ^ j].attributes);
			parse(&efi);
			winner[first] = map.region[0].type << 16 | map.region[0].attributes;
		}
		assert_int_equal(winner[0], winner[1]);
	}
}

static void unknown_types_are_reserved(void **state)
{
	struct efi_text efi = {.stride = 48};

	(void)state;
	efi_add(&efi, 0x70000001, 0x1000, 1, 0xf);
	efi_add(&efi, EFI_MAP_UNACCEPTED, 0x2000, 1, 0xf);
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 0x0, 4, 0xf);
	parse(&efi);
	assert_int_equal(map.nr, 4);
	region_is(1, 0x1000, 0x2000, 0x70000001, 0xf);
	region_is(2, 0x2000, 0x3000, EFI_MAP_UNACCEPTED, 0xf); /* it wins over RAM too */
	assert_false(efi_region_is_conventional(&map.region[2]));
	assert_false(efi_map_is_conventional(&map, 0x2000, 0x1000));
	assert_int_equal(efi_map_ram_bytes(&map), 0x2000);
	assert_string_equal(efi_map_type_name(0x70000001), "memory of an unknown type");
	assert_string_equal(efi_map_type_name(14), "persistent memory");
}

static void the_same_entry_many_times(void **state)
{
	struct efi_text efi = {.stride = 40};

	(void)state;
	for (uint64_t i = 0; i < 5000; i++) {
		efi_add(&efi, EFI_MAP_CONVENTIONAL, 0x1000 * (4999 - i), 1, 0xf);
		if (i % 100 == 0)
			efi_add(&efi, EFI_MAP_CONVENTIONAL, 0x1000 * (4999 - i), 1, 0xf);
	}
	parse(&efi);
	assert_int_equal(map.nr, 1);
	region_is(0, 0, 0x1000 * 5000, EFI_MAP_CONVENTIONAL, 0xf);
}

static void impossible_strides(void **state)
{
	uint8_t bytes[96] = {0};

	(void)state;
	efi_map_free(&map);
	assert_false(efi_map_parse(bytes, 96, 0, &map, why, sizeof(why)));
	assert_false(efi_map_parse(bytes, 96, 39, &map, why, sizeof(why)));
	assert_false(efi_map_parse(bytes, 95, 48, &map, why, sizeof(why)));
	assert_string_equal(why, "memory map of 95 bytes in descriptors of 48");
	assert_true(efi_map_parse(bytes, 0, 48, &map, why, sizeof(why)));
	assert_int_equal(map.nr, 0);
	assert_false(efi_map_is_conventional(&map, 0, 4096));
}

static void edges_of_the_query(void **state)
{
	struct efi_text efi = {.stride = 40};

	(void)state;
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 0x1000, 1, 0xf);
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 0x2000, 1, 0x7); /* free too, not merged */
	parse(&efi);
	assert_int_equal(map.nr, 2);
	assert_true(efi_map_is_conventional(&map, 0x1000, 0x2000));
	assert_false(efi_map_is_conventional(&map, 0x1000, 0x2001));
	assert_false(efi_map_is_conventional(&map, 0xfff, 0x10));
	assert_false(efi_map_is_conventional(&map, 0x1000, 0));
	assert_false(efi_map_is_conventional(&map, 0x1000, UINT64_MAX));
	assert_false(efi_map_is_conventional(&map, UINT64_MAX, 2));
}

/* Sample 33: the block that somebody carved out is no place for anything. */
static void only_what_the_map_calls_usable(void **state)
{
	struct bytes file = data_file("samples/33-e820-user-reserved-80g-kernel-inside.txt");
	struct efi_text efi = {.stride = 48};

	(void)state;
	for (char *text = strtok((char *)file.data, "\n"); text; text = strtok(NULL, "\n")) {
		unsigned long long base, end;
		char kind[16];

		if (sscanf(text, "user: [mem 0x%llx-0x%llx] %15s", &base, &end, kind) == 3)
			efi_add(&efi, strcmp(kind, "usable") == 0 ? 7 : 0, base,
			        (end + 1 - base) / 4096, 0xf);
	}
	bytes_free(&file);
	parse(&efi);
	assert_true(efi_map_is_conventional(&map, 0x100000000, 78 * GIB));
	assert_false(efi_map_is_conventional(&map, 0x100000000, 78 * GIB + 4096));
	assert_false(efi_map_is_conventional(&map, 0x1480000000, 79 * GIB));
	assert_false(efi_map_is_conventional(&map, 0x1683600000, 0x3030000)); /* the image */
	assert_true(efi_map_is_conventional(&map, 0x2840000000, GIB));
	assert_int_equal(map.region[5].base, 0x1480000000);
	assert_int_equal(map.region[5].size, 79 * GIB);
}

static int tidy(void **state)
{
	(void)state;
	efi_map_free(&map);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(special_purpose_is_kept_and_merges),
		cmocka_unit_test(zero_pages_are_refused_one_by_one),
		cmocka_unit_test(every_stride),
		cmocka_unit_test(every_machine_of_sample_24),
		cmocka_unit_test(twelve_tebibytes),
		cmocka_unit_test(two_sockets_of_arm64),
		cmocka_unit_test(a_real_server_with_nvdimm_n),
		cmocka_unit_test(entries_that_cannot_be),
		cmocka_unit_test(the_most_restrictive_wins),
		cmocka_unit_test(the_order_of_restriction),
		cmocka_unit_test(nested),
		cmocka_unit_test(what_becomes_ram),
		cmocka_unit_test(the_order_of_the_list_does_not_matter),
		cmocka_unit_test(unknown_types_are_reserved),
		cmocka_unit_test(the_same_entry_many_times),
		cmocka_unit_test(impossible_strides),
		cmocka_unit_test(edges_of_the_query),
		cmocka_unit_test(only_what_the_map_calls_usable),
	};

	return cmocka_run_group_tests(tests, NULL, tidy);
}
