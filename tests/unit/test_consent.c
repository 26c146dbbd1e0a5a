/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/consent.c discover/geometry.c discover/options.c discover/option_values.c */
/* links: discover/console.c */
/* links: discover/options_check.c discover/uuid.c discover/number.c */
/* The table "What runs, what is written" of docs/options.md, its map=dev columns, cell by cell. */
#include <pagestamp/consent.h>
#include <pagestamp/geometry.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define MIB (1ull << 20)
#define GIB (1ull << 30)

static const enum experiment_id experiments[] = {EXP_FSDAX, EXP_DEVDAX_2M, EXP_DEVDAX_1G};
static char why[192];

static void namespace_of(struct pmem_range *range, enum namespace_mode mode, enum namespace_map map,
                         uint64_t align, uint64_t dataoff)
{
	range->content = CONTENT_NAMESPACE;
	range->ns.mode = mode;
	range->ns.map = map;
	range->ns.align = align;
	range->ns.dataoff = dataoff;
	range->ns.size = range->size - dataoff;
	for (int i = 0; i < 16; i++)
		range->ns.uuid[i] = (uint8_t)(0xa0 + i);
}

/* The verdict on `range` under the options `text`; *keeps and *end are those of the consent. */
static enum consent_verdict judge_from(const struct pmem_range *range, const char *text,
                                       enum options_source source, enum experiment_id experiment,
                                       bool *keeps, uint64_t *end)
{
	struct consented *consented = NULL;
	enum consent_verdict verdict;
	struct options options;

	if (!options_parse(text, source, &options, why, sizeof(why)))
		fail_msg("%s", why);
	why[0] = '\0';
	verdict = consent_judge(range, &options, experiment, &consented, why, sizeof(why));
	options_free(&options);
	if (verdict != CONSENT_GIVEN) {
		assert_null(consented);
		assert_true(strlen(why) > 0);
		return verdict;
	}
	assert_ptr_equal(consented_range(consented), range);
	/* superblock and labels are safe */
	assert_int_equal(consented_begin(consented), 2 * MIB);
	assert_true(consented_end(consented) < range->size);
	*keeps = consented_keeps_namespace(consented);
	*end = consented_end(consented);
	consent_free(consented);
	return verdict;
}

static enum consent_verdict judge(const struct pmem_range *range, const char *text)
{
	bool keeps;
	uint64_t end;

	return judge_from(range, text, OPTIONS_TYPED, EXP_FSDAX, &keeps, &end);
}

/* A dataoff that no fresh namespace would have, to see whose is taken. */
#define ODD_2M (196 * MIB)
#define ODD_1G (3 * GIB)

static void blank(struct pmem_range *range)
{
	range->content = CONTENT_BLANK;
}

static void memmap_range(struct pmem_range *range)
{
	range->kind = RANGE_MEMMAP;
	range->content = CONTENT_UNREAD;
}

static void memmap_range_with_leftovers(struct pmem_range *range)
{
	range->kind = RANGE_MEMMAP;
	range->content = CONTENT_FOREIGN;
}

static void fsdax_dev(struct pmem_range *range)
{
	namespace_of(range, NS_FSDAX, NS_MAP_DEV, 2 * MIB, ODD_2M);
}

static void fsdax_dev_4k(struct pmem_range *range)
{
	namespace_of(range, NS_FSDAX, NS_MAP_DEV, 4096, ODD_2M);
}

static void fsdax_dev_1g(struct pmem_range *range)
{
	namespace_of(range, NS_FSDAX, NS_MAP_DEV, GIB, ODD_1G);
}

static void fsdax_mem(struct pmem_range *range)
{
	namespace_of(range, NS_FSDAX, NS_MAP_MEM, 2 * MIB, 2 * MIB);
}

static void devdax_dev_4k(struct pmem_range *range)
{
	namespace_of(range, NS_DEVDAX, NS_MAP_DEV, 4096, ODD_2M);
}

static void devdax_dev_2m(struct pmem_range *range)
{
	namespace_of(range, NS_DEVDAX, NS_MAP_DEV, 2 * MIB, ODD_2M);
}

static void devdax_dev_1g(struct pmem_range *range)
{
	namespace_of(range, NS_DEVDAX, NS_MAP_DEV, GIB, ODD_1G);
}

static void devdax_mem_2m(struct pmem_range *range)
{
	namespace_of(range, NS_DEVDAX, NS_MAP_MEM, 2 * MIB, 2 * MIB);
}

static void devdax_mem_1g(struct pmem_range *range)
{
	namespace_of(range, NS_DEVDAX, NS_MAP_MEM, GIB, GIB);
}

static void recognised(struct pmem_range *range)
{
	range->content = CONTENT_FOREIGN;
	strcpy(range->holds, "xfs file system");
}

static void unknown(struct pmem_range *range)
{
	range->content = CONTENT_FOREIGN;
	strcpy(range->holds, "unknown contents");
}

enum row { BLANK, MATCHING, ANYTHING_ELSE };

static void every_cell_of_the_table(void **state)
{
	static const struct {
		void (*holds)(struct pmem_range *range);
		enum row row[3];  /* for fsdax, devdax-2m, devdax-1g */
		uint64_t dataoff; /* where MATCHING */
	} contents[] = {
		{blank, {BLANK, BLANK, BLANK}, 0},
		{memmap_range, {BLANK, BLANK, BLANK}, 0},
		{memmap_range_with_leftovers, {BLANK, BLANK, BLANK}, 0},
		{fsdax_dev, {MATCHING, ANYTHING_ELSE, ANYTHING_ELSE}, ODD_2M},
		{fsdax_dev_4k, {MATCHING, ANYTHING_ELSE, ANYTHING_ELSE}, ODD_2M},
		{fsdax_dev_1g, {MATCHING, ANYTHING_ELSE, ANYTHING_ELSE}, ODD_1G},
		{fsdax_mem, {ANYTHING_ELSE, ANYTHING_ELSE, ANYTHING_ELSE}, 0},
		{devdax_dev_4k, {ANYTHING_ELSE, ANYTHING_ELSE, ANYTHING_ELSE}, 0},
		{devdax_dev_2m, {ANYTHING_ELSE, MATCHING, ANYTHING_ELSE}, ODD_2M},
		{devdax_dev_1g, {ANYTHING_ELSE, ANYTHING_ELSE, MATCHING}, ODD_1G},
		{devdax_mem_2m, {ANYTHING_ELSE, ANYTHING_ELSE, ANYTHING_ELSE}, 0},
		{devdax_mem_1g, {ANYTHING_ELSE, ANYTHING_ELSE, ANYTHING_ELSE}, 0},
		{recognised, {ANYTHING_ELSE, ANYTHING_ELSE, ANYTHING_ELSE}, 0},
		{unknown, {ANYTHING_ELSE, ANYTHING_ELSE, ANYTHING_ELSE}, 0},
	};
	/* the columns without write=, with NAME, with NAME! */
	static const enum consent_verdict table[][3] = {
		[BLANK] = {CONSENT_NOT_ASKED, CONSENT_GIVEN, CONSENT_GIVEN},
		[MATCHING] = {CONSENT_NOT_ASKED, CONSENT_GIVEN, CONSENT_GIVEN},
		[ANYTHING_ELSE] = {CONSENT_NOT_ASKED, CONSENT_REFUSED, CONSENT_GIVEN},
	};
	static const char *const columns[] = {"map=dev", "map=dev write=pmem0",
	                                      "map=dev write=pmem0!"};
	static const uint64_t fresh[] = {130 * MIB, 130 * MIB, GIB};

	(void)state;
	for (size_t c = 0; c < sizeof(contents) / sizeof(contents[0]); c++) {
		struct pmem_range range = {.id = "pmem0", .base = 4 * GIB, .size = 8 * GIB};

		contents[c].holds(&range);
		for (int e = 0; e < 3; e++) {
			enum row row = contents[c].row[e];

			for (int column = 0; column < 3; column++) {
				bool keeps = false;
				uint64_t end = 0;
				enum consent_verdict verdict =
					judge_from(&range, columns[column], OPTIONS_TYPED,
				                   experiments[e], &keeps, &end);

				if (verdict != table[row][column])
					fail_msg("content %zu, %s, \"%s\": %d", c,
					         experiment_name(experiments[e]), columns[column],
					         verdict);
				if (verdict == CONSENT_REFUSED)
					assert_non_null(strstr(why, range.holds));
				if (verdict != CONSENT_GIVEN)
					continue;
				assert_int_equal(keeps, row == MATCHING);
				assert_int_equal(end, keeps ? contents[c].dataoff : fresh[e]);
			}
		}
	}
}

static void by_any_of_its_names(void **state)
{
	struct pmem_range range = {.id = "pmem1", .base = 0x180000000, .size = 16 * GIB};

	(void)state;
	recognised(&range);
	assert_int_equal(judge(&range, "write=pmem1!"), CONSENT_GIVEN);
	assert_int_equal(judge(&range, "write=0x180000000+16G!"), CONSENT_GIVEN);
	assert_int_equal(judge(&range, "write=pmem0!"), CONSENT_NOT_ASKED);
	assert_int_equal(judge(&range, "write=pmem11!"), CONSENT_NOT_ASKED);
	assert_int_equal(judge(&range, "write=0x180000000+8G!"), CONSENT_NOT_ASKED);
	assert_int_equal(judge(&range, "write=0x180001000+16G!"), CONSENT_NOT_ASKED);
	assert_int_equal(judge(&range, "write=a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf!"),
	                 CONSENT_NOT_ASKED);
	/* several names, one of them with '!' */
	assert_int_equal(judge(&range, "write=pmem0!,pmem1,0x180000000+16G"), CONSENT_REFUSED);
	assert_int_equal(judge(&range, "write=pmem1,0x180000000+16G!"), CONSENT_GIVEN);
	fsdax_mem(&range);
	assert_int_equal(judge(&range, "write=a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf!"),
	                 CONSENT_GIVEN);
	assert_int_equal(judge(&range, "write=A0A1A2A3-A4A5-A6A7-A8A9-AAABACADAEAF"),
	                 CONSENT_REFUSED);
	assert_int_equal(judge(&range, "write=a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeae!"),
	                 CONSENT_NOT_ASKED);
}

static void from_a_file(void **state)
{
	struct pmem_range range = {.id = "pmem0", .base = 0x180000000, .size = 16 * GIB};
	bool keeps;
	uint64_t end;

	(void)state;
	blank(&range);
	assert_int_equal(
		judge_from(&range, "write=0x180000000+16G!", OPTIONS_FILE, EXP_FSDAX, &keeps, &end),
		CONSENT_GIVEN);
	range.base += GIB; /* the same stick in the next server */
	assert_int_equal(
		judge_from(&range, "write=0x180000000+16G!", OPTIONS_FILE, EXP_FSDAX, &keeps, &end),
		CONSENT_NOT_ASKED);
}

static void what_nothing_overrules(void **state)
{
	struct pmem_range range = {.id = "pmem0", .base = 4 * GIB, .size = 8 * GIB};

	(void)state;
	assert_int_equal(range.content, CONTENT_UNREAD);
	assert_int_equal(judge(&range, "write=pmem0!"), CONSENT_REFUSED);
	assert_string_equal(why, "pmem0 is never written: nobody has looked at what it holds");
	blank(&range);
	assert_int_equal(judge(&range, "write=pmem0!"), CONSENT_GIVEN);
	range.read_only = true;
	assert_int_equal(judge(&range, "write=pmem0!"), CONSENT_REFUSED);
	assert_non_null(strstr(why, "not armed"));
	assert_int_equal(judge(&range, ""), CONSENT_NOT_ASKED);
	range.read_only = false;
	range.kind = RANGE_VIRTUAL;
	assert_int_equal(judge(&range, "write=pmem0!"), CONSENT_REFUSED);
	range.kind = RANGE_SPECIAL;
	assert_int_equal(judge(&range, "write=pmem0!"), CONSENT_GIVEN);
}

static void no_room_no_consent(void **state)
{
	struct pmem_range range = {.id = "pmem0", .base = 4 * GIB, .size = GIB};
	bool keeps;
	uint64_t end;

	(void)state;
	blank(&range);
	assert_int_equal(
		judge_from(&range, "write=pmem0", OPTIONS_TYPED, EXP_DEVDAX_1G, &keeps, &end),
		CONSENT_REFUSED);
	assert_string_equal(why, "pmem0 is too small for devdax-1g behind its own descriptors");
}

static void padding_moves_the_area(void **state)
{
	struct pmem_range range = {.id = "pmem0", .base = 4 * GIB, .size = 8 * GIB};
	struct consented *consented;
	struct options options;

	(void)state;
	fsdax_dev(&range);
	range.ns.start_pad = 64 * MIB;
	range.ns.dataoff += 64 * MIB;
	range.ns.size -= 64 * MIB;
	assert_true(options_parse("write=pmem0", OPTIONS_TYPED, &options, why, sizeof(why)));
	assert_int_equal(consent_judge(&range, &options, EXP_FSDAX, &consented, why, sizeof(why)),
	                 CONSENT_GIVEN);
	assert_int_equal(consented_begin(consented), 66 * MIB);
	assert_int_equal(consented_end(consented), ODD_2M + 64 * MIB);
	consent_free(consented);
	options_free(&options);
}

/* What is built stands inside what may be written. */
static void the_geometry_stays_inside(void **state)
{
	(void)state;
	for (uint64_t size = 4 * MIB; size < 4 * GIB; size += 34 * MIB) {
		struct pmem_range range = {.id = "pmem0", .base = 5 * GIB + 2 * MIB, .size = size};

		blank(&range);
		for (int e = 0; e < 3; e++) {
			struct consented *consented;
			struct options options;
			struct geometry geometry;

			assert_true(options_parse("write=pmem0", OPTIONS_TYPED, &options, why,
			                          sizeof(why)));
			if (consent_judge(&range, &options, experiments[e], &consented, why,
			                  sizeof(why)) == CONSENT_GIVEN) {
				assert_true(geometry_for(&range, experiments[e], &options.variant,
				                         true, false, &geometry));
				assert_true(geometry.store_begin >= consented_begin(consented));
				assert_true(geometry.store_end <= consented_end(consented));
				consent_free(consented);
			}
			options_free(&options);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_of_the_table),
		cmocka_unit_test(by_any_of_its_names),
		cmocka_unit_test(from_a_file),
		cmocka_unit_test(what_nothing_overrules),
		cmocka_unit_test(no_room_no_consent),
		cmocka_unit_test(padding_moves_the_area),
		cmocka_unit_test(the_geometry_stays_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
