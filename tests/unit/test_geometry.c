/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/geometry.c discover/content.c discover/blank.c discover/superblock.c */
/* links: discover/number.c */
#include <pagestamp/geometry.h>

#include "tests/unit/pmem_image.h"

#define MIB (1ull << 20)
#define GIB (1ull << 30)

static const struct memmap_variant usual = {.size = 64, .page_shift = 12};
static struct geometry g;

static const enum experiment_id experiments[] = {EXP_FSDAX, EXP_DEVDAX_2M, EXP_DEVDAX_1G};

static struct pmem_range range_at(uint64_t base, uint64_t size)
{
	return (struct pmem_range){.id = "pmem0", .base = base, .size = size};
}

static struct pmem_range real(const char *name, uint64_t base, uint64_t size)
{
	struct image image;
	struct pmem_range range = image_range(&image, name, base, size);

	image_judge(&image, &range);
	bytes_free(&image.head);
	assert_int_equal(range.content, CONTENT_NAMESPACE);
	return range;
}

/* What holds of every geometry that fits, whatever the range. */
static void sound(const struct pmem_range *range, bool map_dev)
{
	uint64_t start = g.start_pfn * 4096, end = (g.start_pfn + g.nr_pages) * 4096;

	assert_true(g.nr_pages > 0);
	assert_int_equal(g.align, 4096ull << g.order);
	assert_int_equal(start % g.align, 0);
	assert_int_equal(end % g.align, 0);
	assert_true(start >= range->base + g.dataoff);
	assert_true(end <= range->base + range->size);
	if (!map_dev) {
		assert_int_equal(g.dataoff, 0);
		assert_int_equal(g.store_begin, 0);
		assert_int_equal(g.store_end, 0);
		assert_int_equal(g.base_pfn, g.start_pfn);
		assert_int_equal(start - g.lost_head, range->base);
		assert_int_equal(end + g.lost_tail, range->base + range->size);
		return;
	}
	assert_true(g.store_begin >= DESCRIPTOR_AREA);
	assert_true(g.store_end <= g.dataoff); /* never a byte of the data */
	assert_int_equal(g.store_end - g.store_begin, 64 * g.nr_pages);
	assert_int_equal(g.store_begin, g.base_pfn * 4096 - range->base + DESCRIPTOR_AREA +
	                                        64 * (g.start_pfn - g.base_pfn));
	assert_int_equal(start - g.lost_head, range->base + g.dataoff);
}

static void fits(const struct pmem_range *range, enum experiment_id experiment, bool map_dev,
                 bool keep, uint64_t pages)
{
	assert_true(geometry_for(range, experiment, &usual, map_dev, keep, &g));
	sound(range, map_dev);
	assert_int_equal(g.nr_pages, pages);
}

static void nothing_fits(const struct pmem_range *range, enum experiment_id experiment,
                         bool map_dev, bool keep)
{
	assert_false(geometry_for(range, experiment, &usual, map_dev, keep, &g));
	assert_int_equal(g.nr_pages, 0);
	assert_int_equal(g.align, 4096ull << experiment_order(experiment, 12));
}

static void published_sizes(void **state)
{
	struct pmem_range range = range_at(4 * GIB, 8 * GIB);

	(void)state;
	for (int i = 0; i < 3; i++) {
		fits(&range, experiments[i], false, false, 2097152);
		assert_int_equal(g.lost_head + g.lost_tail, 0);
	}
	range = range_at(4 * GIB, 100 * GIB);
	for (int i = 0; i < 3; i++)
		fits(&range, experiments[i], false, false, 26214400);
}

/* /proc/iomem of sample 28: a namespace, or its data, and the vmemmap before them. */
struct vmemmap {
	uint64_t base, dataoff, end;
	size_t seen;
};

static void vmemmap_line(void *arg, char *text)
{
	struct vmemmap *vmemmap = arg;
	unsigned long long base, end;

	if (sscanf(text, " %llx-%llx", &base, &end) != 2)
		return;
	if (strstr(text, "Device Backed Vmemmap")) {
		vmemmap->base = base;
		vmemmap->dataoff = end + 1 - base;
		vmemmap->seen++;
	} else if (strstr(text, " : namespace0.0") || strstr(text, " : dax1.0")) {
		vmemmap->end = end + 1;
		vmemmap->seen++;
	}
}

static void vmemmaps_of_sample_28(void **state)
{
	static const char name[] = "samples/28-iomem-pmem-and-cxl-device-backed-vmemmap.txt";
	static const struct {
		const char *from, *until;
		enum experiment_id experiment;
		uint64_t size, dataoff;
	} cases[] = {{NULL, "a80000000-b7fffffff", EXP_FSDAX, 256 * MIB, 6 * MIB},
	             {"a80000000-b7fffffff", "b80000000", EXP_DEVDAX_2M, GIB, 18 * MIB}};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct vmemmap vmemmap = {0};
		struct pmem_range range;

		each_line(name, cases[i].from, cases[i].until, vmemmap_line, &vmemmap);
		assert_int_equal(vmemmap.seen, 2);
		assert_int_equal(vmemmap.end - vmemmap.base, cases[i].size);
		assert_int_equal(vmemmap.dataoff, cases[i].dataoff);
		range = range_at(vmemmap.base, cases[i].size);
		fits(&range, cases[i].experiment, true, false,
		     (cases[i].size - cases[i].dataoff) / 4096);
		assert_int_equal(g.dataoff, cases[i].dataoff);
		assert_int_equal(g.store_end, cases[i].dataoff);
	}
}

/* What ndctl says is left of a device with map=dev, in sample 29. */
static void sizes_of_sample_29(void **state)
{
	struct bytes file = data_file("samples/29-ndctl-daxctl-list.json.txt");
	const char *json = (const char *)file.data;
	struct pmem_range range = range_at(4 * GIB, GIB);
	char text[64];

	(void)state;
	assert_true(geometry_for(&range, EXP_DEVDAX_2M, &usual, true, false, &g));
	snprintf(text, sizeof(text), "\"mode\":\"devdax\",\"map\":\"dev\",\"size\":%llu,",
	         (unsigned long long)(range.size - g.dataoff));
	assert_non_null(strstr(json, text));
	range = range_at(4 * GIB, 8 * GIB);
	assert_true(geometry_for(&range, EXP_FSDAX, &usual, true, false, &g));
	snprintf(text, sizeof(text), "\"size\":%llu,",
	         (unsigned long long)(range.size - g.dataoff));
	assert_non_null(strstr(json, text));
	range = range_at(4 * GIB, 756 * GIB);
	assert_true(geometry_for(&range, EXP_FSDAX, &usual, true, false, &g));
	snprintf(text, sizeof(text), "\"size\":\"%.2f GiB (%.2f GB)\"",
	         (double)(range.size - g.dataoff) / (double)GIB,
	         (double)(range.size - g.dataoff) / 1e9);
	assert_non_null(strstr(json, text));
	bytes_free(&file);
}

static void eight_gibibytes_on_the_device(void **state)
{
	struct pmem_range range = range_at(4 * GIB, 8 * GIB);

	(void)state;
	for (int i = 0; i < 2; i++) {
		fits(&range, experiments[i], true, false, 2063872);
		assert_int_equal(g.dataoff, 130 * MIB);
		assert_int_equal(g.base_pfn, GIB / 1024);
		assert_int_equal(g.start_pfn - g.base_pfn, 33280);
		assert_int_equal(g.store_begin, 2 * MIB + 64 * 33280);
		assert_int_equal(g.store_end, 130 * MIB);
		assert_int_equal(g.lost_head + g.lost_tail, 0);
	}
	assert_int_equal(g.nr_pages >> g.order, 4031); /* heads counted on a real device */
	fits(&range, EXP_DEVDAX_1G, true, false, 7 << 18);
	assert_int_equal(g.dataoff, GIB);
	assert_int_equal(g.start_pfn - g.base_pfn, 262144);
	assert_int_equal(g.store_begin, 2 * MIB + 16 * MIB);
}

/* Sample 25: two aligned 1 GiB pages in the second bank, none in the first. */
static void graviton(void **state)
{
	struct pmem_range bank2 = range_at(0x400000000, 0xba000000);
	static const uint64_t bank1[][2] = {{0x40000000, 0x786f0000},
	                                    {0x786f0000, 0x78730000},
	                                    {0x78730000, 0x7bc00000},
	                                    {0x7bc00000, 0x7bfe0000},
	                                    {0x7bfe0000, 0x80000000}};

	(void)state;
	fits(&bank2, EXP_DEVDAX_1G, false, false, 2 << 18);
	assert_int_equal(g.start_pfn, 0x400000000 / 4096);
	assert_int_equal(g.lost_tail, 0x3a000000);
	fits(&bank2, EXP_DEVDAX_2M, false, false, 0xba000000 / 4096);
	for (size_t i = 0; i < 5; i++) {
		struct pmem_range piece = range_at(bank1[i][0], bank1[i][1] - bank1[i][0]);

		nothing_fits(&piece, EXP_DEVDAX_1G, false, false);
		fits(&piece, EXP_FSDAX, false, false, piece.size / 4096);
	}
}

static void real_namespaces(void **state)
{
	struct pmem_range range = real("fsdax-dev-2M", 4 * GIB, 8 * GIB);

	(void)state;
	fits(&range, EXP_FSDAX, true, true, 2063872);
	assert_int_equal(g.dataoff, 130 * MIB);
	range = real("devdax-dev-2M", 4 * GIB, 8 * GIB);
	fits(&range, EXP_DEVDAX_2M, true, true, 4031 << 9);
	assert_int_equal(g.nr_pages * 4096, range.ns.size);
	range = real("devdax-dev-2M", 4 * GIB, 64 * GIB); /* smaller than its region */
	fits(&range, EXP_DEVDAX_2M, true, true, 4031 << 9);
	assert_int_equal(g.lost_tail, 56 * GIB);
}

static void unaligned_ends(void **state)
{
	struct pmem_range range = range_at(4 * GIB + 4096, 8 * GIB + 8192);

	(void)state;
	fits(&range, EXP_FSDAX, false, false, 2097154);
	fits(&range, EXP_DEVDAX_2M, false, false, 2097152 - 512);
	assert_int_equal(g.lost_head, 2 * MIB - 4096);
	assert_int_equal(g.lost_tail, 12288);
	fits(&range, EXP_DEVDAX_1G, false, false, 7 << 18);
	assert_int_equal(g.lost_head, GIB - 4096);
	assert_int_equal(g.lost_tail, 12288);
}

/* Data begin at an aligned address, as nd_pfn_init() does it, whatever the base. */
static void unaligned_base_on_the_device(void **state)
{
	struct pmem_range range = range_at(4 * GIB + 512 * MIB, 16 * GIB);

	(void)state;
	fits(&range, EXP_DEVDAX_1G, true, false, 15 << 18);
	assert_int_equal(g.dataoff, 512 * MIB);
	assert_int_equal(g.lost_head, 0);
	assert_int_equal(g.lost_tail, 512 * MIB);
	range = range_at(4 * GIB - 2 * MIB, 16 * GIB);
	fits(&range, EXP_DEVDAX_1G, true, false, 14 << 18);
	assert_int_equal(g.dataoff, 2 * MIB + GIB);
}

/* 16 GiB with a label area of 2 MiB: dataoff does not cover the last descriptors. */
static void descriptors_never_reach_the_data(void **state)
{
	struct pmem_range range = range_at(6 * GIB, 16 * GIB - 2 * MIB);

	(void)state;
	fits(&range, EXP_FSDAX, true, false, 254 * MIB / 64 - 256 * MIB / 4096);
	assert_int_equal(g.dataoff, 256 * MIB);
	assert_int_equal(g.store_end, 256 * MIB);
	assert_int_equal(g.lost_tail, 126 * MIB);
	/* with 1 GiB the rounding leaves room enough */
	fits(&range, EXP_DEVDAX_1G, true, false, 14 << 18);
	assert_int_equal(g.lost_tail, GIB - 2 * MIB);
	for (uint64_t size = 4 * MIB; size < 600 * MIB; size += 2 * MIB) {
		range = range_at(6 * GIB, size);
		for (int i = 0; i < 3; i++)
			if (geometry_for(&range, experiments[i], &usual, true, false, &g))
				sound(&range, true);
	}
}

static void padding_of_the_namespace(void **state)
{
	struct pmem_range range = real("devdax-dev-2M", 4 * GIB, 8 * GIB);

	(void)state;
	range.ns.start_pad = 64 * MIB;
	range.ns.end_trunc = 32 * MIB;
	range.ns.dataoff = 64 * MIB + 130 * MIB;
	range.ns.size = 8 * GIB - 226 * MIB;
	fits(&range, EXP_DEVDAX_2M, true, true, (8 * GIB - 226 * MIB) / 4096);
	assert_int_equal(g.base_pfn, (4 * GIB + 64 * MIB) / 4096);
	assert_int_equal(g.store_begin, 64 * MIB + 2 * MIB + 64 * 33280);
	assert_int_equal(g.lost_tail, 32 * MIB);
	/* not kept: as if nothing were there */
	fits(&range, EXP_DEVDAX_2M, true, false, 2063872);
	assert_int_equal(g.base_pfn, 4 * GIB / 4096);
}

static void too_small(void **state)
{
	static const uint64_t sizes[] = {0, 4096, 2 * MIB, GIB - 4096};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct pmem_range range = range_at(4 * GIB, sizes[i]);

		nothing_fits(&range, EXP_DEVDAX_1G, false, false);
		nothing_fits(&range, EXP_DEVDAX_1G, true, false);
	}
	struct pmem_range range = range_at(4 * GIB, 2 * GIB - 4096);

	nothing_fits(&range, EXP_DEVDAX_1G, true, false);
	range.size = 2 * GIB;
	fits(&range, EXP_DEVDAX_1G, true, false, 1 << 18);
	range = range_at(4 * GIB, 4 * MIB); /* dataoff 2 MiB leaves no room for a descriptor */
	nothing_fits(&range, EXP_FSDAX, true, false);
	range = range_at(4 * GIB + 4096, 2 * MIB);
	nothing_fits(&range, EXP_DEVDAX_2M, false, false);
	assert_int_equal(g.lost_head, 2 * MIB);
}

static void a_kept_namespace_that_makes_no_sense(void **state)
{
	struct pmem_range range = real("fsdax-dev-2M", 4 * GIB, 8 * GIB);

	(void)state;
	range.ns.dataoff = 8 * GIB;
	nothing_fits(&range, EXP_FSDAX, true, true);
	range.ns.dataoff = UINT64_MAX - 4095;
	nothing_fits(&range, EXP_FSDAX, true, true);
	range.ns.dataoff = 2 * MIB;
	nothing_fits(&range, EXP_FSDAX, true, true);
	range.ns.dataoff = 8192;
	nothing_fits(&range, EXP_FSDAX, true, true);
	range.ns.dataoff = 130 * MIB;
	range.ns.size = UINT64_MAX;
	fits(&range, EXP_FSDAX, true, true, 2063872);
}

static void matching(void **state)
{
	static const struct {
		enum namespace_mode mode;
		enum namespace_map map;
		uint64_t align;
		bool matches[3];
	} cases[] = {
		{NS_FSDAX, NS_MAP_DEV, 4096, {true, false, false}},
		{NS_FSDAX, NS_MAP_DEV, 2 * MIB, {true, false, false}},
		{NS_FSDAX, NS_MAP_DEV, GIB, {true, false, false}},
		{NS_FSDAX, NS_MAP_MEM, 2 * MIB, {false, false, false}},
		{NS_DEVDAX, NS_MAP_DEV, 4096, {false, false, false}},
		{NS_DEVDAX, NS_MAP_DEV, 2 * MIB, {false, true, false}},
		{NS_DEVDAX, NS_MAP_DEV, GIB, {false, false, true}},
		{NS_DEVDAX, NS_MAP_MEM, 2 * MIB, {false, false, false}},
		{NS_DEVDAX, NS_MAP_MEM, GIB, {false, false, false}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pmem_range range = range_at(4 * GIB, 8 * GIB);

		range.ns.mode = cases[i].mode;
		range.ns.map = cases[i].map;
		range.ns.align = cases[i].align;
		for (int e = 0; e < 3; e++) {
			range.content = CONTENT_NAMESPACE;
			assert_int_equal(namespace_matches(&range, experiments[e], &usual),
			                 cases[i].matches[e]);
			range.content = CONTENT_FOREIGN;
			assert_false(namespace_matches(&range, experiments[e], &usual));
		}
		range.content = CONTENT_NAMESPACE;
		assert_false(namespace_matches(&range, EXP_HUGETLB, &usual));
	}
}

static void orders(void **state)
{
	(void)state;
	assert_int_equal(experiment_order(EXP_FSDAX, 12), 0);
	assert_int_equal(experiment_order(EXP_DEVDAX_2M, 12), 9);
	assert_int_equal(experiment_order(EXP_DEVDAX_1G, 12), 18);
}

/* 8 GiB at a 1 GiB aligned base, with other descriptors and base pages. */
static void other_variants(void **state)
{
	static const struct {
		unsigned size, shift;
		enum experiment_id experiment;
		unsigned order;
		uint64_t dataoff, pages;
	} cases[] = {
		{96, 12, EXP_FSDAX, 0, 194 * MIB, (8192 - 194) * 256},
		{56, 12, EXP_DEVDAX_2M, 9, 114 * MIB, (8192 - 114) * 256},
		{64, 14, EXP_FSDAX, 0, 34 * MIB, (8192 - 34) * 64},
		{64, 14, EXP_DEVDAX_1G, 16, 1024 * MIB, 7 * 65536},
		{64, 16, EXP_DEVDAX_2M, 5, 10 * MIB, (8192 - 10) * 16},
	};
	const struct pmem_range range = range_at(4 * GIB, 8 * GIB);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct memmap_variant v = {.size = cases[i].size,
		                                 .page_shift = cases[i].shift};

		assert_true(geometry_for(&range, cases[i].experiment, &v, true, false, &g));
		assert_int_equal(g.order, cases[i].order);
		assert_int_equal(g.dataoff, cases[i].dataoff);
		assert_int_equal(g.nr_pages, cases[i].pages);
		assert_int_equal(g.store_end - g.store_begin, v.size * g.nr_pages);
		assert_true(g.store_end <= g.dataoff);
	}
}

/* A namespace is made for 4 KiB pages and 64-byte descriptors: others do not bind it. */
static void other_variants_match_no_namespace(void **state)
{
	const struct pmem_range range = real("fsdax-dev-2M", 4 * GIB, 8 * GIB);
	const struct memmap_variant wide = {.size = 96, .page_shift = 12};
	const struct memmap_variant large = {.size = 64, .page_shift = 16};

	(void)state;
	assert_true(namespace_matches(&range, EXP_FSDAX, &usual));
	assert_false(namespace_matches(&range, EXP_FSDAX, &wide));
	assert_false(namespace_matches(&range, EXP_FSDAX, &large));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_sizes),
		cmocka_unit_test(vmemmaps_of_sample_28),
		cmocka_unit_test(sizes_of_sample_29),
		cmocka_unit_test(eight_gibibytes_on_the_device),
		cmocka_unit_test(graviton),
		cmocka_unit_test(real_namespaces),
		cmocka_unit_test(unaligned_ends),
		cmocka_unit_test(unaligned_base_on_the_device),
		cmocka_unit_test(descriptors_never_reach_the_data),
		cmocka_unit_test(padding_of_the_namespace),
		cmocka_unit_test(too_small),
		cmocka_unit_test(a_kept_namespace_that_makes_no_sense),
		cmocka_unit_test(matching),
		cmocka_unit_test(orders),
		cmocka_unit_test(other_variants),
		cmocka_unit_test(other_variants_match_no_namespace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
