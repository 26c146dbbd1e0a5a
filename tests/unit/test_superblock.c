/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/superblock.c discover/number.c discover/content.c discover/blank.c */
/* Superblocks that real ndctl wrote, and what becomes of them when they are touched. */
#include "tests/unit/pmem_image.h"

#define MIB (1ull << 20)
#define GIB (1ull << 30)

static struct pmem_namespace ns;
static const char *why;

/* The superblock of a real namespace, to be bent; resealed before it is read. */
static uint8_t block[SUPERBLOCK_SIZE];

static void take(const char *name)
{
	struct image image;

	image_range(&image, name, 0, 8 * GIB);
	memcpy(block, image.head.data + SUPERBLOCK_OFFSET, sizeof(block));
	bytes_free(&image.head);
}

static enum superblock_state read_at(uint64_t base, uint64_t size)
{
	image_reseal(block);
	return superblock_read(block, base, size, &ns, &why);
}

static void good(void)
{
	if (read_at(4 * GIB, 8 * GIB) != SUPERBLOCK_GOOD)
		fail_msg("not good: %s", why);
}

static void refused(const char *because)
{
	assert_int_equal(read_at(4 * GIB, 8 * GIB), SUPERBLOCK_REFUSED);
	assert_string_equal(why, because);
}

static void what_ndctl_made(void **state)
{
	static const struct {
		const char *name;
		enum namespace_mode mode;
		enum namespace_map map;
		uint64_t align, dataoff, size;
		const char *describe, *uuid;
	} cases[] = {
		{"fsdax-dev-2M", NS_FSDAX, NS_MAP_DEV, 2 * MIB, 130 * MIB, 8453619712,
	         "fsdax map=dev align=2M", "f9da295e-4bc6-4b6a-879d-3ef004bfc78d"},
		{"fsdax-dev-2M-label", NS_FSDAX, NS_MAP_DEV, 2 * MIB, 130 * MIB, 8453619712,
	         "fsdax map=dev align=2M", "ab594092-e5dc-451b-a30a-539657b416c4"},
		{"fsdax-mem-2M", NS_FSDAX, NS_MAP_MEM, 2 * MIB, 2 * MIB, 8587837440,
	         "fsdax map=mem align=2M", "7440f918-c12f-49c1-8268-0f4eefd596d0"},
		{"devdax-dev-2M", NS_DEVDAX, NS_MAP_DEV, 2 * MIB, 130 * MIB, 8453619712,
	         "devdax map=dev align=2M", "89509dba-8e13-4c1f-82be-b31f9fc83a9b"},
		{"devdax-mem-1G", NS_DEVDAX, NS_MAP_MEM, GIB, GIB, 7516192768,
	         "devdax map=mem align=1G", "429b8d29-4736-46bc-bfd2-30cccc9cd021"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct image image;
		struct pmem_range range = image_range(&image, cases[i].name, 4 * GIB, 8 * GIB);
		char uuid[40] = "", path[128], expected[64];
		struct bytes json;

		image_judge(&image, &range);
		assert_int_equal(range.content, CONTENT_NAMESPACE);
		assert_string_equal(range.holds, cases[i].describe);
		assert_int_equal(range.ns.mode, cases[i].mode);
		assert_int_equal(range.ns.map, cases[i].map);
		assert_int_equal(range.ns.align, cases[i].align);
		assert_int_equal(range.ns.dataoff, cases[i].dataoff);
		assert_int_equal(range.ns.size, cases[i].size);
		assert_int_equal(range.ns.npfns * 4096, cases[i].size);
		assert_int_equal(range.ns.start_pad, 0);
		assert_int_equal(range.ns.end_trunc, 0);
		assert_int_equal(range.ns.page_size, 4096);
		assert_int_equal(range.ns.page_struct_size, 64);
		for (int j = 0; j < 16; j++)
			sprintf(uuid + strlen(uuid), "%s%02x",
			        j == 4 || j == 6 || j == 8 || j == 10 ? "-" : "", range.ns.uuid[j]);
		assert_string_equal(uuid, cases[i].uuid);
		/* and ndctl says the same */
		snprintf(path, sizeof(path), "nvdimm/%s.ndctl.json", cases[i].name);
		json = data_file(path);
		snprintf(expected, sizeof(expected), "\"uuid\":\"%s\"", uuid);
		assert_non_null(strstr((char *)json.data, expected));
		snprintf(expected, sizeof(expected), "\"size\":%llu",
		         (unsigned long long)range.ns.size);
		assert_non_null(strstr((char *)json.data, expected));
		bytes_free(&json);
		bytes_free(&image.head);
	}
}

/* ndctl's own figures of sample 29: the same 8 GiB NVDIMMs elsewhere. */
static void sizes_of_sample_29(void **state)
{
	struct bytes file = data_file("samples/29-ndctl-daxctl-list.json.txt");

	(void)state;
	take("fsdax-mem-2M");
	good();
	assert_int_equal(ns.size, 8587837440);
	assert_non_null(strstr((char *)file.data, "\"size\":8587837440"));
	take("fsdax-dev-2M");
	good();
	assert_int_equal(ns.size, 8453619712);
	assert_non_null(strstr((char *)file.data, "\"size\":8453619712"));
	bytes_free(&file);
}

static void every_bit_counts(void **state)
{
	(void)state;
	take("fsdax-dev-2M");
	for (size_t at = 16; at < SUPERBLOCK_SIZE; at++) {
		block[at] ^= 0x10;
		assert_int_equal(superblock_read(block, 4 * GIB, 8 * GIB, &ns, &why),
		                 SUPERBLOCK_BROKEN);
		block[at] ^= 0x10;
	}
	for (size_t at = 0; at < 16; at++) {
		block[at] ^= 0x10;
		assert_int_equal(superblock_read(block, 4 * GIB, 8 * GIB, &ns, &why),
		                 SUPERBLOCK_NONE);
		block[at] ^= 0x10;
	}
	good();
}

static void fields_that_a_version_lacks(void **state)
{
	(void)state;
	take("fsdax-dev-2M");
	put32(block + 76, 2 * MIB);   /* start_pad: 1.1 */
	put32(block + 80, 2 * MIB);   /* end_trunc: 1.1 */
	put32(block + 84, 3);         /* align: 1.2 */
	put32(block + 88, 65536);     /* page_size: 1.4 */
	put16(block + 92, 8);         /* page_struct_size: 1.4 */
	put64(block + 56, 128 * MIB); /* aligned to the alignment that is guessed from it */
	put16(block + 54, 0);
	good();
	assert_int_equal(ns.start_pad, 0);
	assert_int_equal(ns.end_trunc, 0);
	assert_int_equal(ns.align, 128 * MIB);
	assert_int_equal(ns.page_size, 4096);
	assert_int_equal(ns.page_struct_size, 64);

	put16(block + 54, 1);
	put64(block + 56, 126 * MIB);
	put32(block + 76, 2 * MIB);
	assert_int_equal(read_at(4 * GIB, 8 * GIB), SUPERBLOCK_GOOD);
	assert_int_equal(ns.start_pad, 2 * MIB);
	assert_int_equal(ns.end_trunc, 2 * MIB);
	assert_int_equal(ns.align, 64 * MIB);

	put16(block + 54, 2);
	put32(block + 84, 4096);
	good();
	assert_int_equal(ns.align, 4096);
	assert_int_equal(ns.page_size, 4096);
	put16(block + 54, 3);
	good();
	put16(block + 54, 4);
	refused("made for larger base pages");
}

static void padding(void **state)
{
	(void)state;
	take("fsdax-dev-2M");
	put32(block + 76, 6 * MIB);
	put32(block + 80, 4 * MIB);
	put64(block + 64, (8 * GIB - 140 * MIB) / 4096);
	good();
	assert_int_equal(ns.start_pad, 6 * MIB);
	assert_int_equal(ns.dataoff, 136 * MIB); /* from the start of the range */
	assert_int_equal(ns.size, 8 * GIB - 140 * MIB);
}

/* A range that only its padding brings to 2 MiB at both ends. */
static void padding_aligns(void **state)
{
	const uint64_t half = MIB / 2;

	(void)state;
	take("fsdax-mem-2M");
	put64(block + 64, 1 << 30); /* more pages than there can be: the range decides */
	put32(block + 76, (uint32_t)half);
	put32(block + 80, (uint32_t)half);
	assert_int_equal(read_at(4 * GIB + 3 * half, 8 * GIB), SUPERBLOCK_REFUSED);
	assert_string_equal(why, "the range is not aligned to 2 MiB");
	assert_int_equal(read_at(4 * GIB + 3 * half, 8 * GIB - 2 * half), SUPERBLOCK_GOOD);
	assert_int_equal(ns.dataoff, 2 * MIB + half);
	assert_int_equal(ns.size, 8 * GIB - 4 * half - 2 * MIB);
	put32(block + 76, 0);
	assert_int_equal(read_at(4 * GIB + 3 * half, 8 * GIB - 2 * half), SUPERBLOCK_REFUSED);
}

/* The least that is legal. */
static void small_numbers(void **state)
{
	(void)state;
	take("devdax-mem-1G");
	put32(block + 84, 4096);
	put64(block + 56, 8192);
	good();
	assert_int_equal(ns.size, 7516192768);
	put64(block + 64, 1);
	good();
	assert_int_equal(ns.size, 4096);
}

static void a_namespace_smaller_than_its_region(void **state)
{
	(void)state;
	take("fsdax-dev-2M");
	assert_int_equal(read_at(4 * GIB, 64 * GIB), SUPERBLOCK_GOOD);
	assert_int_equal(ns.size, 8453619712);
	/* and larger: Linux cuts the pages down */
	assert_int_equal(read_at(4 * GIB, 4 * GIB), SUPERBLOCK_GOOD);
	assert_int_equal(ns.size, 4 * GIB - 130 * MIB);
}

static void what_linux_would_not_bind(void **state)
{
	(void)state;
	take("fsdax-dev-2M");
	put32(block + 72, 3);
	refused("its mode is neither RAM nor PMEM");
	take("fsdax-dev-2M");
	put32(block + 88, 65536);
	refused("made for larger base pages");
	put32(block + 72, 1); /* in RAM that does not matter */
	good();
	take("fsdax-dev-2M");
	put16(block + 92, 56);
	refused("made for smaller descriptors");
	put32(block + 72, 1);
	good();
	take("fsdax-dev-2M");
	put32(block + 88, 0);
	refused("its page size cannot be");
	put32(block + 88, 3000);
	refused("its page size cannot be");
	put32(block + 88, 2048);
	refused("its page size cannot be");
	put32(block + 88, 12288);
	put32(block + 72, 1);
	refused("its page size cannot be");
	take("fsdax-dev-2M");
	put32(block + 84, 3 * MIB);
	refused("its alignment cannot be");
	take("fsdax-dev-2M");
	put32(block + 84, 0);
	put64(block + 56, 0);
	refused("its alignment cannot be");
	take("devdax-dev-2M");
	put32(block + 84, 65536);
	refused("its alignment is not supported");
	take("fsdax-dev-2M");
	put32(block + 84, 4096);
	put64(block + 56, 4096);
	refused("its data offset cannot be");
	put64(block + 56, 130 * MIB + 512);
	refused("its data offset cannot be");
	put64(block + 56, 8 * GIB);
	refused("its data lie beyond the range");
	put64(block + 56, ~0xfffull);
	refused("its data lie beyond the range");
	put64(block + 56, 8 * GIB - 4096);
	put32(block + 80, 4096);
	refused("its data lie beyond the range");
	take("fsdax-dev-2M"); /* start_pad counts */
	put64(block + 56, 8 * GIB - 4 * MIB);
	put32(block + 76, 4 * MIB);
	refused("its data lie beyond the range");
	put32(block + 76, 2 * MIB);
	good();
	take("fsdax-dev-2M");
	put64(block + 56, 131 * MIB);
	refused("its data are not aligned at this address");
	take("fsdax-dev-2M");
	put64(block + 64, 0);
	refused("it has no pages");
	/* moved to where it was not made for */
	take("devdax-mem-1G");
	assert_int_equal(read_at(4 * GIB + 2 * MIB, 8 * GIB), SUPERBLOCK_REFUSED);
	assert_string_equal(why, "its data are not aligned at this address");
	take("fsdax-dev-2M");
	put32(block + 84, 4096);
	assert_int_equal(read_at(4 * GIB + MIB, 8 * GIB), SUPERBLOCK_REFUSED);
	assert_string_equal(why, "the range is not aligned to 2 MiB");
	assert_int_equal(read_at(4 * GIB, 8 * GIB - MIB), SUPERBLOCK_REFUSED);
	assert_string_equal(why, "the range is not aligned to 2 MiB");
	/* too small a range for its alignment */
	take("devdax-mem-1G");
	assert_int_equal(read_at(4 * GIB, GIB / 2), SUPERBLOCK_REFUSED);
	assert_string_equal(why, "its alignment cannot be");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_ndctl_made),
		cmocka_unit_test(sizes_of_sample_29),
		cmocka_unit_test(every_bit_counts),
		cmocka_unit_test(fields_that_a_version_lacks),
		cmocka_unit_test(padding),
		cmocka_unit_test(padding_aligns),
		cmocka_unit_test(small_numbers),
		cmocka_unit_test(a_namespace_smaller_than_its_region),
		cmocka_unit_test(what_linux_would_not_bind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
