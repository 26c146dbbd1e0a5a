/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/hmat.c discover/acpi.c */
#include <pagestamp/hmat.h>

#include "tests/unit/samples.h"

static struct hmat hmat;
static struct hmat_view view;
static char why[160];

static struct bytes hmat_begin(uint8_t revision)
{
	struct bytes table = acpi_begin("HMAT", revision);

	bytes_add(&table, 4);
	return table;
}

/* Initiators 0, 1; targets 2, 3, 4; entries by row. */
static void add_locality(struct bytes *table, uint8_t flags, uint8_t type, uint64_t base,
                         const uint16_t *entries)
{
	uint32_t length = 32 + 4 * 2 + 4 * 3 + 2 * 6;
	uint8_t *at = bytes_add(table, length);

	put16(at, 1);
	put32(at + 4, length);
	at[8] = flags;
	at[9] = type;
	put32(at + 12, 2);
	put32(at + 16, 3);
	put64(at + 24, base);
	for (uint32_t i = 0; i < 2; i++)
		put32(at + 32 + 4 * i, i);
	for (uint32_t i = 0; i < 3; i++)
		put32(at + 40 + 4 * i, 2 + i);
	for (size_t i = 0; i < 6; i++)
		put16(at + 52 + 2 * i, entries[i]);
}

static void parse(struct bytes *table, size_t nr)
{
	hmat_free(&hmat);
	acpi_seal(table);
	if (!hmat_parse(table->data, table->size, &hmat, why, sizeof(why)))
		fail_msg("refused: %s", why);
	bytes_free(table);
	assert_int_equal(hmat.nr, nr);
}

static void refuse(struct bytes *table, const char *because)
{
	hmat_free(&hmat);
	acpi_seal(table);
	assert_false(hmat_parse(table->data, table->size, &hmat, why, sizeof(why)));
	if (!strstr(why, because))
		fail_msg("\"%s\" does not say \"%s\"", why, because);
	assert_null(hmat.entry);
	assert_int_equal(hmat.nr, 0);
	bytes_free(table);
}

static void view_is(uint32_t target, uint32_t initiator, uint64_t read_latency,
                    uint64_t write_latency, uint64_t read_bandwidth, uint64_t write_bandwidth)
{
	assert_true(hmat_nearest(&hmat, target, &view));
	assert_int_equal(view.initiator, initiator);
	assert_int_equal(view.value[HMAT_READ_LATENCY], read_latency);
	assert_int_equal(view.value[HMAT_WRITE_LATENCY], write_latency);
	assert_int_equal(view.value[HMAT_READ_BANDWIDTH], read_bandwidth);
	assert_int_equal(view.value[HMAT_WRITE_BANDWIDTH], write_bandwidth);
}

static void both_ways_and_each(void **state)
{
	static const uint16_t latency[] = {10, 30, 0xffff, 20, 15, 0xffff};
	static const uint16_t bandwidth[] = {100, 40, 7, 50, 80, 9};
	static const uint16_t writes[] = {0, 0, 3, 0, 60, 2};
	struct bytes table = hmat_begin(2);

	(void)state;
	bytes_add(&table, 40); /* memory proximity domain attributes: stepped over */
	put32(table.data + 40 + 4, 40);
	add_locality(&table, 0, 0, 10000, latency);
	add_locality(&table, 0, 4, 1000, bandwidth);
	add_locality(&table, 0, 5, 1000, writes);
	parse(&table, 4 * 2 + 6 + 3);
	view_is(2, 0, 100000, 100000, 100000, 0);
	view_is(3, 1, 150000, 150000, 80000, 60000);
	/* no latency: the most bandwidth decides */
	view_is(4, 1, 0, 0, 9000, 2000);
	assert_false(hmat_nearest(&hmat, 0, &view));
	assert_false(hmat_nearest(&hmat, 5, &view));
}

static void every_data_type(void **state)
{
	static const struct {
		uint8_t type;
		enum hmat_figure figure;
	} types[] = {{1, HMAT_READ_LATENCY},
	             {2, HMAT_WRITE_LATENCY},
	             {4, HMAT_READ_BANDWIDTH},
	             {5, HMAT_WRITE_BANDWIDTH}};
	static const uint16_t entries[] = {1, 0, 0, 0, 0, 0};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct bytes table = hmat_begin(2);

		add_locality(&table, 0, types[i].type, 5, entries);
		parse(&table, 1);
		assert_int_equal(hmat.entry[0].figure, types[i].figure);
		assert_int_equal(hmat.entry[0].initiator, 0);
		assert_int_equal(hmat.entry[0].target, 2);
		assert_int_equal(hmat.entry[0].value, 5);
	}
}

/* Of equals the first, whoever comes after. */
static void equals(void **state)
{
	static const uint16_t entries[] = {5, 5, 5, 5, 5, 5}, worse[] = {9, 9, 9, 9, 9, 9};
	struct bytes table = hmat_begin(2);

	(void)state;
	add_locality(&table, 0, 1, 1, entries);
	add_locality(&table, 0, 1, 1, worse);
	parse(&table, 12);
	view_is(3, 0, 5, 0, 0, 0);
}

static void what_says_nothing(void **state)
{
	static const uint16_t entries[] = {1, 2, 3, 4, 5, 6},
			      large[] = {2, 1, 0, 0xffff, 3, 0xfffe};
	struct bytes table = hmat_begin(2);

	(void)state;
	add_locality(&table, 1, 0, 1, entries); /* of a cache */
	add_locality(&table, 0, 6, 1, entries); /* no such data */
	add_locality(&table, 0, 0, 0, entries); /* no unit */
	add_locality(&table, 0x10, 1, UINT64_MAX, large);
	parse(&table, 1);
	assert_int_equal(hmat.entry[0].value, UINT64_MAX);

	table = hmat_begin(1);
	add_locality(&table, 0, 0, 1, entries);
	refuse(&table, "HMAT: revision 1 counts in other units");
	table = hmat_begin(2);
	parse(&table, 0);
}

static void matrices_that_do_not_fit(void **state)
{
	static const uint16_t entries[] = {1, 2, 3, 4, 5, 6};
	static const struct {
		uint32_t initiators, targets;
		bool fits;
	} cases[] = {
		{2, 3, true},           {3, 3, false},          {2, 4, false},
		{0xffffffff, 1, false}, {1, 0xffffffff, false}, {0x80000000, 0x80000000, false},
		{0, 8, true},           {0, 9, false},          {0, 0, true}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bytes table = hmat_begin(2);

		add_locality(&table, 0, 0, 1, entries);
		put32(table.data + 40 + 12, cases[i].initiators);
		put32(table.data + 40 + 16, cases[i].targets);
		if (cases[i].fits)
			parse(&table, cases[i].initiators ? 12 : 0);
		else
			refuse(&table, "targets in 64 bytes");
	}
}

static void broken(void **state)
{
	static const struct {
		uint16_t type;
		uint32_t length;
		size_t extra;
		const char *because;
	} cases[] = {{1, 0, 24, "type 1 at 0x28 has length 0"},
	             {0, 7, 24, "type 0 at 0x28 has length 7"},
	             {9, 0xffffffff, 24, "type 9 at 0x28 has length 4294967295"},
	             {1, 31, 23, "type 1 has length 31, its least is 32"}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bytes table = hmat_begin(2);
		uint8_t *at = bytes_add(&table, 8 + cases[i].extra);

		put16(at, cases[i].type);
		put32(at + 4, cases[i].length);
		refuse(&table, cases[i].because);
	}
	for (size_t stray = 1; stray < 8; stray++) {
		struct bytes table = hmat_begin(2);

		bytes_add(&table, stray);
		refuse(&table, "stray bytes");
	}
}

static int tidy(void **state)
{
	(void)state;
	hmat_free(&hmat);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ways_and_each),
		cmocka_unit_test(every_data_type),
		cmocka_unit_test(equals),
		cmocka_unit_test(what_says_nothing),
		cmocka_unit_test(matrices_that_do_not_fit),
		cmocka_unit_test(broken),
	};

	return cmocka_run_group_tests(tests, NULL, tidy);
}
