/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/ranges.c discover/nfit.c discover/efi_map.c discover/srat.c */
/* links: discover/range_about.c discover/hmat.c discover/cedt.c */
/* links: discover/acpi.c discover/number.c */
#include <pagestamp/ranges.h>

#include "tests/unit/sample_04.h"

#define MIB (1ull << 20)
#define GIB (1ull << 30)

/* What the firmware says; the test fills it, build() parses it and lets go of the bytes. */
static struct bytes nfit_table, srat_table, hmat_table, cedt_table;
static struct efi_text efi_text;
static struct memmap_arg memmaps[4];
static size_t nr_memmaps;

static struct range_sources sources;
static struct pmem_ranges ranges;
static struct range_notes notes;
static char why[512];

static int fresh(void **state)
{
	(void)state;
	nfit_free(&sources.nfit);
	efi_map_free(&sources.efi);
	srat_free(&sources.srat);
	hmat_free(&sources.hmat);
	cedt_free(&sources.cedt);
	ranges_free(&ranges, &notes);
	bytes_free(&nfit_table);
	bytes_free(&srat_table);
	bytes_free(&hmat_table);
	bytes_free(&cedt_table);
	bytes_free(&efi_text.map);
	nfit_table = nfit_begin();
	hmat_table = acpi_begin("HMAT", 2);
	bytes_add(&hmat_table, 4);
	cedt_table = acpi_begin("CEDT", 1);
	srat_table = acpi_begin("SRAT", 3);
	bytes_add(&srat_table, 12);
	efi_text = (struct efi_text){.stride = 48};
	nr_memmaps = 0;
	return 0;
}

static int last(void **state)
{
	fresh(state);
	bytes_free(&nfit_table);
	bytes_free(&srat_table);
	bytes_free(&hmat_table);
	bytes_free(&cedt_table);
	return 0;
}

static void srat_says(uint32_t domain, uint64_t base, uint64_t length)
{
	uint8_t *at = bytes_add(&srat_table, 40);

	at[0] = 1;
	at[1] = 40;
	put32(at + 2, domain);
	put64(at + 8, base);
	put64(at + 16, length);
	put32(at + 28, 1);
}

/* One figure of one target from one initiator, base unit 1000. */
static void hmat_says(uint8_t type, uint32_t initiator, uint32_t target, uint16_t value)
{
	uint8_t *at = bytes_add(&hmat_table, 32 + 10);

	put16(at, 1);
	put32(at + 4, 42);
	at[9] = type;
	put32(at + 12, 1);
	put32(at + 16, 1);
	put64(at + 24, 1000);
	put32(at + 32, initiator);
	put32(at + 36, target);
	put16(at + 40, value);
}

static void window_is(uint64_t base, uint64_t size)
{
	uint8_t *at = bytes_add(&cedt_table, 40);

	at[0] = 1;
	put16(at + 2, 40);
	put64(at + 8, base);
	put64(at + 16, size);
}

static void memmap_is(uint64_t size, uint64_t base)
{
	memmaps[nr_memmaps++] = (struct memmap_arg){size, base};
}

static bool try(void)
{
	acpi_seal(&nfit_table);
	acpi_seal(&srat_table);
	acpi_seal(&hmat_table);
	acpi_seal(&cedt_table);
	assert_true(hmat_parse(hmat_table.data, hmat_table.size, &sources.hmat, why, sizeof(why)));
	assert_true(cedt_parse(cedt_table.data, cedt_table.size, &sources.cedt, why, sizeof(why)));
	assert_true(nfit_parse(nfit_table.data, nfit_table.size, &sources.nfit, why, sizeof(why)));
	assert_true(srat_parse(srat_table.data, srat_table.size, &sources.srat, why, sizeof(why)));
	assert_true(efi_map_parse(efi_text.map.data, efi_text.map.size, efi_text.stride,
	                          &sources.efi, why, sizeof(why)));
	sources.memmaps = memmaps;
	sources.nr_memmaps = nr_memmaps;
	why[0] = '\0';
	return ranges_build(&sources, &ranges, &notes, why, sizeof(why));
}

static void build(size_t nr_ranges, size_t nr_notes)
{
	if (!try())
		fail_msg("%s", why);
	assert_int_equal(ranges.nr, nr_ranges);
	assert_int_equal(notes.nr, nr_notes);
}

static void refuse(const char *text)
{
	assert_false(try());
	assert_string_equal(why, text);
	assert_int_equal(ranges.nr, 0);
	assert_int_equal(notes.nr, 0);
	assert_null(ranges.item);
}

static void range_is(size_t i, const char *id, const char *source, uint64_t base, uint64_t size)
{
	assert_string_equal(ranges.item[i].id, id);
	assert_string_equal(ranges.item[i].source, source);
	assert_int_equal(ranges.item[i].base, base);
	assert_int_equal(ranges.item[i].size, size);
	assert_int_equal(ranges.item[i].content, CONTENT_UNREAD);
}

static void note_is(size_t i, const char *what, const char *because)
{
	assert_string_equal(notes.item[i].what, what);
	assert_string_equal(notes.item[i].why, because);
}

static void about_is(size_t i, const char *nodes, const char *about)
{
	assert_string_equal(ranges.item[i].nodes, nodes);
	assert_string_equal(ranges.item[i].about, about);
}

static void qemu(void **state)
{
	(void)state;
	bytes_free(&nfit_table);
	each_line("samples/01-nfit-qemu-dimmpxm.hex.txt", NULL, NULL, hex_line, &nfit_table);
	efi_add(&efi_text, EFI_MAP_CONVENTIONAL, 0x100000, 0x7ff00, 0xf);
	srat_says(0, 0, 0x108000000);
	srat_says(1, 0x108000000, 128 * MIB); /* the NFIT's domain wins */
	build(1, 0);
	range_is(0, "pmem0", "nfit", 0x108000000, 128 * MIB);
	assert_int_equal(ranges.item[0].kind, RANGE_PERSISTENT);
	assert_int_equal(ranges.item[0].node, 2);
	assert_int_equal(ranges.item[0].attributes, 0x8008);
	assert_false(ranges.item[0].read_only);
	about_is(0, "nfit 2, srat 1", "1 NVDIMM, 1 way"); /* both are shown */
}

/* NFIT and memory map of one real machine. */
static void two_nvdimm_n_of_sample_04(void **state)
{
	(void)state;
	sample_04_nfit(&nfit_table);
	sample_04_map(&efi_text);
	build(2, 0);
	range_is(0, "pmem0", "nfit", 0x480000000, 16 * GIB);
	range_is(1, "pmem1", "nfit", 0xcc0000000, 16 * GIB);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(ranges.item[i].attributes, 0x800f);
		assert_false(ranges.item[i].read_only);
		about_is(i, "", "1 NVDIMM, 1 way");
	}
}

static void one_range_from_two_sources(void **state)
{
	(void)state;
	nfit_add_range(&nfit_table, 56, 1, nfit_persistent_guid, 0x480000000, 16 * GIB);
	efi_add(&efi_text, EFI_MAP_PERSISTENT, 0x480000000, 16 * GIB / 4096, 0x800f);
	build(1, 0);
	range_is(0, "pmem0", "nfit+efi", 0x480000000, 16 * GIB);
}

/* As on the two-socket machine of sample 11: the memory map has one region, the NFIT two ranges. */
static void neighbours_stay_apart(void **state)
{
	(void)state;
	nfit_add_range(&nfit_table, 56, 2, nfit_persistent_guid, 0x11d80000000, 1012 * GIB);
	nfit_add_range(&nfit_table, 56, 1, nfit_persistent_guid, 0x2080000000, 1012 * GIB);
	efi_add(&efi_text, EFI_MAP_PERSISTENT, 0x2080000000, 2024 * GIB / 4096, 0x800f);
	srat_says(2, 0x2080000000, 1012 * GIB);
	srat_says(3, 0x11d80000000, 1012 * GIB);
	build(2, 0);
	range_is(0, "pmem0", "nfit+efi", 0x2080000000, 1012 * GIB);
	range_is(1, "pmem1", "nfit+efi", 0x11d80000000, 1012 * GIB);
	assert_int_equal(ranges.item[0].node, 2);
	assert_int_equal(ranges.item[1].node, 3);
	about_is(0, "srat 2", "");
	about_is(1, "srat 3", "");
}

static void what_the_memory_map_alone_knows(void **state)
{
	(void)state;
	nfit_add_range(&nfit_table, 56, 1, nfit_persistent_guid, 10 * GIB, 2 * GIB);
	nfit_add_range(&nfit_table, 56, 2, nfit_persistent_guid, 30 * GIB, 2 * GIB);
	nfit_add_range(&nfit_table, 56, 3, nfit_persistent_guid, 34 * GIB, 2 * GIB);
	efi_add(&efi_text, EFI_MAP_PERSISTENT, 8 * GIB, 8 * GIB / 4096, 0x800f);
	efi_add(&efi_text, EFI_MAP_PERSISTENT, 20 * GIB, GIB / 4096, 0x800f);
	efi_add(&efi_text, EFI_MAP_PERSISTENT, 31 * GIB, 4 * GIB / 4096, 0x800f);
	srat_says(4, 20 * GIB, GIB);
	build(7, 0);
	range_is(0, "pmem0", "efi", 8 * GIB, 2 * GIB);
	range_is(1, "pmem1", "nfit+efi", 10 * GIB, 2 * GIB);
	range_is(2, "pmem2", "efi", 12 * GIB, 4 * GIB);
	range_is(3, "pmem3", "efi", 20 * GIB, GIB);
	range_is(4, "pmem4", "nfit", 30 * GIB, 2 * GIB); /* the map covers half of it */
	range_is(5, "pmem5", "efi", 32 * GIB, 2 * GIB);
	range_is(6, "pmem6", "nfit", 34 * GIB, 2 * GIB);
	assert_int_equal(ranges.item[3].node, 4);
	assert_int_equal(ranges.item[3].attributes, 0x800f);
	assert_int_equal(ranges.item[6].node, 0);
}

static void special_purpose(void **state)
{
	(void)state;
	each_line("samples/21-efimap-special-purpose-overlap.txt", NULL, NULL, efi_line, &efi_text);
	nfit_add_range(&nfit_table, 56, 1, nfit_persistent_guid, 0x200000000, GIB);
	build(3, 0);
	range_is(0, "special0", "efi", 0x15e000000, 300 * MIB);
	range_is(1, "pmem0", "nfit", 0x200000000, GIB);
	range_is(2, "special1", "efi", 0x240000000, 7 * GIB);
	assert_int_equal(ranges.item[2].kind, RANGE_SPECIAL);
	assert_int_equal(ranges.item[2].attributes, 0x4000f);
}

/* Firmware takes special-purpose memory like any other: what it lives in is nobody's range. */
static void special_purpose_in_use(void **state)
{
	static const uint32_t in_use[] = {EFI_MAP_LOADER_CODE, EFI_MAP_LOADER_DATA,
	                                  EFI_MAP_BOOT_CODE, EFI_MAP_BOOT_DATA};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		fresh(NULL);
		efi_add(&efi_text, EFI_MAP_CONVENTIONAL, 8 * GIB, GIB / 4096, 0x4000f);
		efi_add(&efi_text, in_use[i], 9 * GIB, GIB / 4096, 0x4000f);
		efi_add(&efi_text, EFI_MAP_CONVENTIONAL, 10 * GIB, GIB / 4096, 0x4000f);
		build(2, 1);
		range_is(0, "special0", "efi", 8 * GIB, GIB);
		range_is(1, "special1", "efi", 10 * GIB, GIB);
		note_is(0, "special-purpose memory 0x240000000+1G",
		        "the firmware, or this program, lives there");
	}
}

static const uint8_t block_window_guid[16] = {0x30, 0x05, 0xaf, 0x91, 0x86, 0x5d, 0x0e, 0x47,
                                              0xa6, 0xb0, 0x0a, 0x2d, 0xb9, 0x40, 0x82, 0x49};

static void seen_and_not_used(void **state)
{
	(void)state;
	nfit_add_range(&nfit_table, 56, 9, block_window_guid, 72 * GIB, MIB);
	nfit_add_range(&nfit_table, 56, 1, nfit_volatile_guid, 0, 4 * GIB);
	nfit_add_range(&nfit_table, 56, 2, nfit_control_guid, 64 * GIB, 8192);
	nfit_add_range(&nfit_table, 56, 3, nfit_virtual_disk_guid, 65 * GIB, MIB);
	nfit_add_range(&nfit_table, 56, 4, nfit_persistent_guid, 66 * GIB, GIB);
	nfit_add_mapping(&nfit_table, 48, 4, NFIT_SAVE_FAILED);
	nfit_add_range(&nfit_table, 56, 5, nfit_persistent_guid, 68 * GIB, GIB);
	nfit_add_mapping(&nfit_table, 48, 5, NFIT_MAP_FAILED);
	nfit_add_range(&nfit_table, 56, 6, nfit_persistent_guid, 70 * GIB, GIB);
	nfit_add_mapping(&nfit_table, 48, 6, 0x30);
	/* the memory map does not bring back what the NFIT gave up */
	efi_add(&efi_text, EFI_MAP_PERSISTENT, 66 * GIB, 4 * GIB / 4096, 0x800f);
	build(4, 5);
	range_is(0, "virtual0", "nfit", 65 * GIB, MIB);
	assert_int_equal(ranges.item[0].kind, RANGE_VIRTUAL);
	range_is(1, "pmem0", "efi", 67 * GIB, GIB);
	range_is(2, "pmem1", "efi", 69 * GIB, GIB);
	range_is(3, "pmem2", "nfit", 70 * GIB, GIB);
	note_is(0, "block data window 0x1200000000+1M", "not persistent memory");
	note_is(1, "volatile memory 0x0+4G", "not persistent memory");
	note_is(2, "NVDIMM control region 0x1000000000+8K", "not persistent memory");
	note_is(3, "persistent memory 0x1080000000+1G", "its NVDIMM reports a failed save");
	note_is(4, "persistent memory 0x1100000000+1G", "the firmware could not map its NVDIMM");
}

/* Of a confidential guest: nobody may touch it yet. Neither RAM nor a range, and said so. */
static void unaccepted_memory(void **state)
{
	(void)state;
	efi_add(&efi_text, EFI_MAP_CONVENTIONAL, 0, GIB / 4096, 0xf);
	efi_add(&efi_text, EFI_MAP_UNACCEPTED, 4 * GIB, 2 * GIB / 4096, 0xf);
	efi_add(&efi_text, EFI_MAP_UNACCEPTED, 8 * GIB, GIB / 4096, 0x4000f);
	nfit_add_range(&nfit_table, 56, 1, nfit_persistent_guid, 5 * GIB, 2 * GIB);
	build(0, 3);
	note_is(0, "persistent memory 0x140000000+2G",
	        "the memory map has unaccepted memory there");
	note_is(1, "unaccepted memory 0x100000000+2G",
	        "a guest must accept it before it is touched");
	note_is(2, "unaccepted memory 0x200000000+1G",
	        "a guest must accept it before it is touched");
	assert_int_equal(efi_map_ram_bytes(&sources.efi), GIB);
	fresh(NULL);
	efi_add(&efi_text, EFI_MAP_UNACCEPTED, 4 * GIB, 2 * GIB / 4096, 0xf);
	memmap_is(GIB, 4 * GIB);
	refuse("memmap=0x40000000!0x100000000: not all of it is free RAM in the firmware's map; "
	       "accepted: whole pages of free RAM, none here");
}

static void not_armed_is_read_only(void **state)
{
	(void)state;
	nfit_add_range(&nfit_table, 56, 1, nfit_persistent_guid, 64 * GIB, GIB);
	nfit_add_range(&nfit_table, 56, 2, nfit_persistent_guid, 66 * GIB, GIB);
	nfit_add_mapping(&nfit_table, 48, 1, NFIT_NOT_ARMED);
	build(2, 0);
	assert_true(ranges.item[0].read_only);
	assert_false(ranges.item[1].read_only);
}

static void ranges_that_cannot_be(void **state)
{
	(void)state;
	nfit_add_range(&nfit_table, 56, 1, nfit_persistent_guid, 64 * GIB + 512, GIB);
	nfit_add_range(&nfit_table, 56, 2, nfit_persistent_guid, 64 * GIB, GIB + 512);
	nfit_add_range(&nfit_table, 56, 3, nfit_persistent_guid, 64 * GIB, 0);
	nfit_add_range(&nfit_table, 56, 4, nfit_persistent_guid, ~0xfffull, 2 * GIB);
	nfit_add_range(&nfit_table, 56, 5, nfit_persistent_guid, 1ull << 52, GIB);
	nfit_add_range(&nfit_table, 56, 6, nfit_persistent_guid, GIB, 2 * GIB);
	nfit_add_range(&nfit_table, 56, 7, nfit_persistent_guid, 64 * GIB, 2 * GIB);
	nfit_add_range(&nfit_table, 56, 8, nfit_persistent_guid, 65 * GIB, 2 * GIB);
	nfit_add_range(&nfit_table, 56, 9, nfit_persistent_guid, 64 * GIB, 2 * GIB);
	efi_add(&efi_text, EFI_MAP_CONVENTIONAL, 0, GIB / 4096, 0xf);
	efi_add(&efi_text, EFI_MAP_BOOT_DATA, 3 * GIB - 4096, 1, 0xf);
	efi_add(&efi_text, EFI_MAP_RESERVED, 64 * GIB, 1, 0xf);
	build(1, 8);
	range_is(0, "pmem0", "nfit", 64 * GIB, 2 * GIB);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(notes.item[i].why, "no whole 4 KiB pages within 52 bits");
	note_is(5, "persistent memory 0x40000000+2G",
	        "the memory map has boot services data there");
	note_is(6, "persistent memory 0x1040000000+2G", "overlaps another range of the NFIT");
	note_is(7, "persistent memory 0x1000000000+2G", "overlaps another range of the NFIT");
}

static void ram_in_the_first_region(void **state)
{
	(void)state;
	nfit_add_range(&nfit_table, 56, 1, nfit_persistent_guid, GIB, GIB);
	efi_add(&efi_text, EFI_MAP_CONVENTIONAL, 0, 2 * GIB / 4096, 0xf);
	build(0, 1);
	note_is(0, "persistent memory 0x40000000+1G",
	        "the memory map has conventional memory there");
}

static void every_virtual_kind(void **state)
{
	uint8_t cd[16] = {0x88, 0x81, 0x01, 0x08, 0xcd, 0x42, 0x48, 0xbb,
	                  0x10, 0x0f, 0x53, 0x87, 0xd5, 0x3d, 0xed, 0x3d};

	(void)state;
	nfit_add_range(&nfit_table, 56, 1, cd, GIB, MIB);
	nfit_add_range(&nfit_table, 56, 2, nfit_virtual_disk_guid, 2 * GIB, MIB);
	efi_add(&efi_text, EFI_MAP_RESERVED, GIB, MIB / 4096, 0xf);
	efi_add(&efi_text, EFI_MAP_BOOT_DATA, 2 * GIB, MIB / 4096, 0xf);
	build(2, 0);
	range_is(0, "virtual0", "nfit", GIB, MIB);
	range_is(1, "virtual1", "nfit", 2 * GIB, MIB);
}

static void memmap_takes_free_ram(void **state)
{
	(void)state;
	nfit_add_range(&nfit_table, 56, 1, nfit_persistent_guid, 64 * GIB, GIB);
	efi_add(&efi_text, EFI_MAP_CONVENTIONAL, 4 * GIB, 8 * GIB / 4096, 0xf);
	srat_says(1, 4 * GIB, 8 * GIB);
	memmap_is(GIB, 8 * GIB);
	memmap_is(GIB, 4 * GIB);
	build(3, 0);
	range_is(0, "pmem0", "memmap=", 4 * GIB, GIB);
	range_is(1, "pmem1", "memmap=", 8 * GIB, GIB);
	range_is(2, "pmem2", "nfit", 64 * GIB, GIB);
	assert_int_equal(ranges.item[0].kind, RANGE_MEMMAP);
	assert_int_equal(ranges.item[0].node, 1);
}

/* Sample 33: nothing inside what the map does not call usable. */
static void memmap_of_what_is_not_free(void **state)
{
	static const uint64_t cases[][2] = {
		{78 * GIB + 4096, 4 * GIB}, /* runs into the reserved block */
		{GIB, 0x1480000000},        /* inside it */
		{48 * MIB, 0x1683600000},   /* where an image was */
		{GIB, 0x280000000000},      /* nothing there */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char expected[256];

		fresh(NULL);
		efi_add(&efi_text, EFI_MAP_CONVENTIONAL, 0x100000000, 78 * GIB / 4096, 0xf);
		efi_add(&efi_text, EFI_MAP_RESERVED, 0x1480000000, 79 * GIB / 4096, 0xf);
		efi_add(&efi_text, EFI_MAP_CONVENTIONAL, 0x2840000000, GIB / 4096, 0xf);
		memmap_is(cases[i][0], cases[i][1]);
		snprintf(expected, sizeof(expected),
		         "memmap=0x%llx!0x%llx: not all of it is free RAM in the firmware's map; "
		         "accepted: whole pages of free RAM, for example inside "
		         "0x100000000+0x1380000000",
		         (unsigned long long)cases[i][0], (unsigned long long)cases[i][1]);
		refuse(expected);
	}
}

static void memmap_refusals(void **state)
{
	(void)state;
	memmap_is(GIB, 4 * GIB + 512);
	refuse("memmap=0x40000000!0x100000200: not whole 4 KiB pages within 52 bits; accepted: "
	       "whole pages of free RAM, none here");
	fresh(NULL);
	memmap_is(GIB + 1, 4 * GIB);
	assert_false(try());
	fresh(NULL);
	memmap_is(1ull << 62, 1ull << 62);
	assert_false(try());
	fresh(NULL);
	efi_add(&efi_text, EFI_MAP_CONVENTIONAL, 4 * GIB, 8 * GIB / 4096, 0xf);
	memmap_is(2 * GIB, 4 * GIB);
	memmap_is(2 * GIB, 5 * GIB);
	assert_false(try());
	assert_non_null(strstr(why, "overlaps another memmap="));
	fresh(NULL);
	efi_add(&efi_text, EFI_MAP_CONVENTIONAL, 4 * GIB, 8 * GIB / 4096, 0x4000f);
	memmap_is(2 * GIB, 4 * GIB);
	assert_false(try());
	assert_non_null(strstr(why, "a range already"));
	fresh(NULL);
	nfit_add_range(&nfit_table, 56, 1, nfit_persistent_guid, 4 * GIB, GIB);
	memmap_is(GIB, 4 * GIB);
	assert_false(try());
	assert_non_null(strstr(why, "a range already"));
}

/* Everything at once, each at its longest. */
static void what_the_tables_say_of_a_range(void **state)
{
	uint8_t *at = nfit_add_range(&nfit_table, 56, 1, nfit_persistent_guid, 64 * GIB, GIB);

	(void)state;
	put16(at + 6, 2);
	put32(at + 12, UINT32_MAX);
	for (int i = 0; i < 12; i++)
		put16(nfit_add_mapping(&nfit_table, 48, 1, NFIT_HEALTH_EVENTS) + 42, UINT16_MAX);
	srat_says(UINT32_MAX - 1, 64 * GIB, GIB);
	for (uint64_t i = 0; i < 4; i++)
		window_is(64 * GIB + i * 256 * MIB, 256 * MIB);
	for (uint8_t type = 0; type < 6; type++)
		hmat_says(type, UINT32_MAX, UINT32_MAX, 0xfffe);
	build(1, 0);
	about_is(0, "nfit 4294967295, srat 4294967294",
	         "12 NVDIMMs, 65535 ways; health events; CXL window 0 and 3 more; HMAT from node "
	         "4294967295: read 65534 ns, write 65534 ns, read 65534000 MB/s, write 65534000 "
	         "MB/s");
	/* firmware that exaggerates is quoted whole */
	for (size_t i = 0; i < sources.hmat.nr; i++)
		sources.hmat.entry[i].value = UINT64_MAX;
	range_about(&sources, &ranges.item[0]);
	assert_true(strlen(ranges.item[0].about) < sizeof(ranges.item[0].about) - 1);
	assert_non_null(strstr(ranges.item[0].about, "write 18446744073709551615 MB/s"));
	assert_non_null(strstr(ranges.item[0].about, "read 18446744073709552 ns"));
}

/* A line of Linux's e820 or /proc/iomem, of samples 14 and 17, as the tables behind it. */
static void e820_line(void *arg, char *text)
{
	static const struct {
		const char *kind;
		uint32_t type;
		uint64_t attributes;
	} kinds[] = {{"soft reserved", EFI_MAP_CONVENTIONAL, 0x4000f},
	             {"persistent", EFI_MAP_PERSISTENT, 0x800f},
	             {"usable", EFI_MAP_CONVENTIONAL, 0xf},
	             {"reserved", EFI_MAP_RESERVED, 0}};
	const char *extent = strstr(text, "[mem 0x");
	unsigned long long base, end;

	(void)arg;
	if (strstr(text, " : CXL Window") && sscanf(text, "%llx-%llx", &base, &end) == 2)
		window_is(base, end + 1 - base);
	if (!extent || sscanf(extent, "[mem 0x%llx-0x%llx]", &base, &end) != 2)
		return;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strstr(extent, kinds[i].kind)) {
			efi_add(&efi_text, kinds[i].type, base, (end + 1 - base) / 4096,
			        kinds[i].attributes);
			return;
		}
	fail_msg("not understood: %s", text);
}

static void soft_reserved_of_samples_14_and_17(void **state)
{
	static const char amd[] = "samples/14-cedt-amd-3cfmws-split-at-1tb.txt";
	static const char others[] = "samples/17-e820-cxl-softreserved-iomem.txt";

	/* two ranges, and between them a hole below 1 TiB that is nobody's */
	each_line(amd, NULL, NULL, e820_line, NULL);
	build(2, 0);
	range_is(0, "special0", "efi", 0xc050000000, 0x3cb0000000);
	range_is(1, "special1", "efi", 1ull << 40, 0x350000000);

	fresh(state);
	each_line(others, "## Intel", "## physical", e820_line, NULL);
	build(2, 0);
	range_is(0, "special0", "efi", 0xc080000000, 16 * GIB);
	range_is(1, "special1", "efi", 0x68e80000000, 512 * GIB);
	about_is(0, "", "CXL window 0");
	about_is(1, "", "CXL window 1");

	fresh(state);
	each_line(others, "## physical", "## QEMU: 1", e820_line, NULL);
	build(1, 0);
	range_is(0, "special0", "efi", 0x2070000000, 512 * GIB);
	about_is(0, "", "CXL window 0 and 1 more");

	fresh(state);
	each_line(others, "## QEMU: 1", "## QEMU sp-mem", e820_line, NULL);
	build(1, 0);
	range_is(0, "special0", "efi", 0xa90000000, 4 * GIB);
	about_is(0, "", "CXL window 0");

	fresh(state);
	each_line(others, "## QEMU sp-mem", "## legacy", e820_line, NULL);
	build(1, 0);
	range_is(0, "special0", "efi", 0x280000000, 8 * GIB);
	assert_int_equal(efi_map_ram_bytes(&sources.efi), 6 * GIB);

	fresh(state);
	each_line(others, "## legacy", NULL, e820_line, NULL);
	build(4, 0);
	range_is(0, "pmem0", "efi", 4 * GIB, 4 * GIB);
	range_is(1, "special0", "efi", 8 * GIB, GIB);
	range_is(2, "pmem1", "efi", 9 * GIB, 4 * GIB);
	range_is(3, "special1", "efi", 13 * GIB, GIB);
	assert_int_equal(ranges.item[2].kind, RANGE_PERSISTENT);
	assert_int_equal(ranges.item[3].kind, RANGE_SPECIAL);
}

/* A GPU's or a CXL card's memory: named by its window and its node. */
static void special_ranges_are_named(void **state)
{
	(void)state;
	efi_add(&efi_text, EFI_MAP_CONVENTIONAL, 0xc050000000, 0x3cb0000000 / 4096, 0x4000f);
	efi_add(&efi_text, EFI_MAP_CONVENTIONAL, 0x10000000000, 0x350000000 / 4096, 0x4000f);
	efi_add(&efi_text, EFI_MAP_CONVENTIONAL, 0x20000000000, GIB / 4096, 0x4000f);
	window_is(0xc050000000, 0x2000000000);
	window_is(0xe050000000, 0x1cb0000000);
	window_is(0x10000000000, 0x350000000);
	srat_says(1, 0xc050000000, 0x3cb0000000);
	srat_says(2, 0x10000000000, 0x350000000);
	hmat_says(1, 0, 1, 250);
	hmat_says(1, 7, 1, 200);
	hmat_says(3, 0, 2, 30);
	hmat_says(1, 0, 0, 1); /* of node 0, which nobody says that the last one is */
	build(3, 0);
	about_is(0, "srat 1", "CXL window 0 and 1 more; HMAT from node 7: read 200 ns");
	about_is(1, "srat 2", "CXL window 2; HMAT from node 0: read 30000 MB/s, write 30000 MB/s");
	about_is(2, "", "");
	assert_string_equal(ranges.item[0].id, "special0");
}

static void a_machine_without_any(void **state)
{
	static const struct range_sources none;

	(void)state;
	assert_true(ranges_build(&none, &ranges, &notes, why, sizeof(why)));
	assert_int_equal(ranges.nr, 0);
	assert_int_equal(notes.nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(qemu, fresh),
		cmocka_unit_test_setup(two_nvdimm_n_of_sample_04, fresh),
		cmocka_unit_test_setup(one_range_from_two_sources, fresh),
		cmocka_unit_test_setup(neighbours_stay_apart, fresh),
		cmocka_unit_test_setup(what_the_memory_map_alone_knows, fresh),
		cmocka_unit_test_setup(special_purpose, fresh),
		cmocka_unit_test_setup(special_purpose_in_use, fresh),
		cmocka_unit_test_setup(seen_and_not_used, fresh),
		cmocka_unit_test_setup(unaccepted_memory, fresh),
		cmocka_unit_test_setup(not_armed_is_read_only, fresh),
		cmocka_unit_test_setup(ranges_that_cannot_be, fresh),
		cmocka_unit_test_setup(ram_in_the_first_region, fresh),
		cmocka_unit_test_setup(every_virtual_kind, fresh),
		cmocka_unit_test_setup(memmap_takes_free_ram, fresh),
		cmocka_unit_test_setup(memmap_of_what_is_not_free, fresh),
		cmocka_unit_test_setup(memmap_refusals, fresh),
		cmocka_unit_test_setup(what_the_tables_say_of_a_range, fresh),
		cmocka_unit_test_setup(soft_reserved_of_samples_14_and_17, fresh),
		cmocka_unit_test_setup(special_ranges_are_named, fresh),
		cmocka_unit_test_setup(a_machine_without_any, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, last);
}
