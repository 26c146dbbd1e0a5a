/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/content.c discover/blank.c discover/superblock.c discover/number.c */
/* links: discover/consent.c discover/geometry.c discover/options.c discover/option_values.c */
/* links: discover/console.c */
/* links: discover/options_check.c discover/uuid.c */
#include "tests/unit/pmem_image.h"

#include <pagestamp/consent.h>

#define MIB (1ull << 20)
#define GIB (1ull << 30)

static struct image image;

static void judged(struct pmem_range *range, enum range_content content, const char *holds)
{
	image_judge(&image, range);
	assert_int_equal(range->content, content);
	assert_string_equal(range->holds, holds);
	bytes_free(&image.head);
}

static enum consent_verdict asked(const struct pmem_range *range, const char *text, char *why,
                                  size_t why_size)
{
	struct consented *consented;
	struct options options;
	enum consent_verdict verdict;

	assert_true(options_parse(text, OPTIONS_TYPED, &options, why, why_size));
	verdict = consent_judge(range, &options, EXP_FSDAX, &consented, why, why_size);
	options_free(&options);
	if (verdict == CONSENT_GIVEN)
		consent_free(consented);
	return verdict;
}

/* Somebody's data, whatever they are: named in the refusal, and only '!' gives them up. */
static void is_not_free(const struct pmem_range *range)
{
	char why[OPTIONS_WHY_SIZE];

	assert_int_equal(asked(range, "write=pmem0", why, sizeof(why)), CONSENT_REFUSED);
	if (!strstr(why, range->holds))
		fail_msg("\"%s\" does not say \"%s\"", why, range->holds);
	assert_int_equal(asked(range, "write=pmem0!", why, sizeof(why)), CONSENT_GIVEN);
}

static void real_devices(void **state)
{
	struct pmem_range range = image_range(&image, "raw-empty", 4 * GIB, 8 * GIB);
	struct bytes json = data_file("nvdimm/raw-empty.ndctl.json");

	(void)state;
	/* ndctl calls all of it raw: no superblock takes anything away */
	assert_non_null(
		strstr((char *)json.data, "\"mode\":\"raw\",\n          \"size\":8589934592"));
	bytes_free(&json);
	judged(&range, CONTENT_BLANK, "nothing (blank)");
	assert_int_equal(range.ns.dataoff, 0);
	range = image_range(&image, "raw-ext4", 4 * GIB, 8 * GIB);
	judged(&range, CONTENT_FOREIGN, "ext4 (or ext2, ext3) file system");
	is_not_free(&range);
	range = image_range(&image, "raw-gpt", 4 * GIB, 8 * GIB);
	judged(&range, CONTENT_FOREIGN, "GPT partition table");
	is_not_free(&range);
	range = image_range(&image, "devdax-mem-1G", 4 * GIB, 8 * GIB);
	judged(&range, CONTENT_NAMESPACE, "devdax map=mem align=1G");
}

static void marks(void **state)
{
	static const struct {
		uint32_t offset;
		const char *mark;
		size_t length;
		const char *name;
	} cases[] = {
		{0, "XFSB", 4, "xfs file system"},
		{65600, "_BHRfS_M", 8, "btrfs file system"},
		{512, "LABELONE", 8, "LVM physical volume"},
		{0, "LUKS\xba\xbe", 6, "LUKS encrypted volume"},
		{4086, "SWAPSPACE2", 10, "swap space"},
		{4096, "BTT_ARENA_INFO\0", 16, "sector-mode (BTT) namespace"},
		{4096, "\xfc\x4e\x2b\xa9", 4, "md RAID member"},
		{510, "\x55\xaa", 2, "MBR partition table"},
		{1024, "\x10\x20\xf5\xf2", 4, "f2fs file system"},
		{4096, "EFI PART", 8, "GPT partition table"},
		{0, "BTT_ARENA_INFO\0", 16, "sector-mode (BTT) namespace"},
		{0, "LABELONE", 8, "LVM physical volume"},
		{1024, "LABELONE", 8, "LVM physical volume"},
		{1536, "LABELONE", 8, "LVM physical volume"},
		{0, "\xfc\x4e\x2b\xa9", 4, "md RAID member"},
		{1080, "\x53\xef", 2, "ext4 (or ext2, ext3) file system"},
		{4086, "SWAP-SPACE", 10, "swap space"},
		{3, "NTFS    ", 8, "NTFS file system"},
		{82, "FAT32   ", 8, "FAT file system"},
		{54, "FAT16   ", 8, "FAT file system"},
		{32769, "CD001", 5, "ISO 9660 image"},
		{100, "?", 1, "unknown contents"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pmem_range range = image_range(&image, NULL, 4 * GIB, 8 * GIB);

		memset(bytes_add(&image.head, 70000), 0xee, 70000);
		memcpy(image.head.data + cases[i].offset, cases[i].mark, cases[i].length);
		judged(&range, CONTENT_FOREIGN, cases[i].name);
		is_not_free(&range);

		/* and on a device that is blank but for the mark */
		range = image_range(&image, NULL, 4 * GIB, 8 * GIB);
		memcpy(bytes_add(&image.head, 70000) + cases[i].offset, cases[i].mark,
		       cases[i].length);
		judged(&range, CONTENT_FOREIGN, cases[i].name);
		is_not_free(&range);
	}
}

static void a_signature_is_not_enough(void **state)
{
	struct pmem_range range = image_range(&image, "fsdax-dev-2M", 4 * GIB, 8 * GIB);

	(void)state;
	image.head.data[SUPERBLOCK_OFFSET + 100] ^= 1;
	judged(&range, CONTENT_FOREIGN, "unknown contents");
	range = image_range(&image, NULL, 4 * GIB, 8 * GIB);
	memcpy(bytes_add(&image.head, 8192) + 4096, "NVDIMM_PFN_INFO", 16);
	judged(&range, CONTENT_FOREIGN, "unknown contents");
}

static void what_no_kernel_binds_is_foreign(void **state)
{
	struct pmem_range range = image_range(&image, "devdax-mem-1G", 4 * GIB + 2 * MIB, 8 * GIB);

	(void)state;
	judged(&range, CONTENT_FOREIGN,
	       "devdax namespace: its data are not aligned at this address");
	assert_int_equal(range.ns.dataoff, 0);
}

static void blank_is_looked_for_everywhere(void **state)
{
	const uint64_t size = 8 * GIB, between = size - 4 * MIB;
	struct pmem_range range = image_range(&image, NULL, 4 * GIB, size);

	(void)state;
	image_judge(&image, &range);
	assert_int_equal(range.content, CONTENT_BLANK);
	assert_int_equal(image.zero_calls, 2 + 4096);
	assert_int_equal(image.zero_bytes, 4 * MIB + 16 * MIB);
	const uint64_t seen[] = {0,
	                         2 * MIB - 1,
	                         2 * MIB, /* block 0 */
	                         2 * MIB + 4095,
	                         2 * MIB + between / 2, /* block 2048 */
	                         size - 2 * MIB,
	                         size - 1};

	for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
		image.mark = seen[i];
		image_judge(&image, &range);
		assert_int_equal(range.content, CONTENT_FOREIGN);
		assert_string_equal(range.holds, "unknown contents");
	}
	image.mark = 2 * MIB + 4096; /* between two blocks: the rule does not promise to see it */
	image_judge(&image, &range);
	assert_int_equal(range.content, CONTENT_BLANK);
}

struct area {
	uint64_t begin, end;
	unsigned hits;
};

static bool count_hits(void *ctx, uint64_t offset, uint64_t size)
{
	struct area *area = ctx;

	area->hits += offset >= area->begin && offset + size <= area->end;
	return true;
}

/* Descriptors as map=dev leaves them behind: from that of the first data page on. */
static void our_own_run_leaves_it_not_blank(void **state)
{
	static const uint64_t sizes[] = {512 * MIB, 2 * GIB, 8 * GIB, 128 * GIB, 4096 * GIB};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct area area = {2 * MIB + sizes[i] / 64 / 64, sizes[i] / 64, 0};

		assert_true(blank_judge(count_hits, &area, sizes[i]));
		assert_true(area.hits >= 30);
	}
}

static void small_ranges_are_read_whole(void **state)
{
	static const uint64_t sizes[] = {4096, 8192, 2 * MIB, 4 * MIB, 20 * MIB};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct pmem_range range = image_range(&image, NULL, 4 * GIB, sizes[i]);

		image_judge(&image, &range);
		assert_int_equal(range.content, CONTENT_BLANK);
		assert_int_equal(image.zero_bytes, sizes[i]);
		for (uint64_t at = 0; at < sizes[i]; at += sizes[i] / 4 - 1) {
			image.mark = at;
			image_judge(&image, &range);
			assert_int_equal(range.content, CONTENT_FOREIGN);
		}
	}
}

static void one_byte_more_than_small(void **state)
{
	struct pmem_range range = image_range(&image, NULL, 4 * GIB, 20 * MIB + 4096);

	(void)state;
	image_judge(&image, &range);
	assert_int_equal(range.content, CONTENT_BLANK);
	assert_int_equal(image.zero_calls, 4098);
}

static void unreadable_is_not_blank(void **state)
{
	struct pmem_range range = image_range(&image, NULL, 4 * GIB, 8 * GIB);

	(void)state;
	image.broken = true;
	judged(&range, CONTENT_FOREIGN, "unknown contents (cannot be read)");
	range = image_range(&image, NULL, 4 * GIB, 4096); /* too small for a superblock */
	image.broken = true;
	judged(&range, CONTENT_FOREIGN, "unknown contents");
}

/* Whatever the readable part looks like, what the line held may have been somebody's. */
static void a_poisoned_line_is_foreign(void **state)
{
	static const struct {
		const char *data;
		uint64_t at;
		const char *holds;
	} cases[] = {
		{"raw-empty", 64, "poisoned line at 0x100000040; unknown contents"},
		{"raw-empty", 8 * GIB - 64, "poisoned line at 0x2ffffffc0; unknown contents"},
		{"fsdax-dev-2M", SUPERBLOCK_OFFSET + 4032,
	         "poisoned line at 0x100001fc0; unknown contents (cannot be read)"},
		{"raw-gpt", 0, "poisoned line at 0x100000000; GPT partition table"},
		{"raw-ext4", 0x1000,
	         "poisoned line at 0x100001000; unknown contents (cannot be read)"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pmem_range range = image_range(&image, cases[i].data, 4 * GIB, 8 * GIB);

		range.poisoned = 1; /* of an earlier look */
		image.poison = cases[i].at;
		judged(&range, CONTENT_FOREIGN, cases[i].holds);
		is_not_free(&range);
		assert_int_equal(range.poisoned, 4 * GIB + cases[i].at);
	}
}

static void an_old_poisoning_is_forgotten(void **state)
{
	struct pmem_range range = image_range(&image, "raw-empty", 4 * GIB, 8 * GIB);

	(void)state;
	range.poisoned = 4 * GIB;
	judged(&range, CONTENT_BLANK, "nothing (blank)");
	assert_int_equal(range.poisoned, 0);
}

static void some_kinds_are_not_read(void **state)
{
	struct pmem_range range = image_range(&image, "raw-ext4", 4 * GIB, 8 * GIB);
	static const struct content_reader none;

	(void)state;
	bytes_free(&image.head);
	range.kind = RANGE_MEMMAP;
	content_judge(&range, &none);
	assert_int_equal(range.content, CONTENT_BLANK);
	range.kind = RANGE_VIRTUAL;
	content_judge(&range, &none);
	assert_int_equal(range.content, CONTENT_UNREAD);
	range = image_range(&image, "raw-ext4", 4 * GIB, 8 * GIB);
	range.kind = RANGE_SPECIAL;
	judged(&range, CONTENT_FOREIGN, "ext4 (or ext2, ext3) file system");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_devices),
		cmocka_unit_test(marks),
		cmocka_unit_test(a_signature_is_not_enough),
		cmocka_unit_test(what_no_kernel_binds_is_foreign),
		cmocka_unit_test(blank_is_looked_for_everywhere),
		cmocka_unit_test(our_own_run_leaves_it_not_blank),
		cmocka_unit_test(small_ranges_are_read_whole),
		cmocka_unit_test(one_byte_more_than_small),
		cmocka_unit_test(unreadable_is_not_blank),
		cmocka_unit_test(a_poisoned_line_is_foreign),
		cmocka_unit_test(an_old_poisoning_is_forgotten),
		cmocka_unit_test(some_kinds_are_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
