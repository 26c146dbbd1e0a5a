/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/madt.c discover/acpi.c */
#include <pagestamp/madt.h>

#include "tests/unit/samples.h"

static struct madt madt;
static char why[160];

static struct bytes madt_begin(void)
{
	struct bytes table = acpi_begin("APIC", 5);

	bytes_add(&table, 8);
	return table;
}

static uint8_t *add(struct bytes *table, uint8_t type, uint8_t length)
{
	uint8_t *at = bytes_add(table, length);

	at[0] = type;
	at[1] = length;
	return at;
}

static void add_apic(struct bytes *table, uint8_t id, uint32_t flags)
{
	uint8_t *at = add(table, 0, 8);

	at[2] = (uint8_t)(id + 1);
	at[3] = id;
	put32(at + 4, flags);
}

static void add_x2apic(struct bytes *table, uint32_t id, uint32_t flags)
{
	uint8_t *at = add(table, 9, 16);

	put32(at + 4, id);
	put32(at + 8, flags);
	put32(at + 12, id + 1);
}

static void add_gicc(struct bytes *table, uint8_t length, uint64_t mpidr, uint32_t flags)
{
	uint8_t *at = add(table, 11, length);

	put32(at + 8, 7);
	put32(at + 12, flags);
	put64(at + 68, mpidr);
}

static void parse(struct bytes *table, size_t nr, size_t enabled)
{
	madt_free(&madt);
	acpi_seal(table);
	if (!madt_parse(table->data, table->size, &madt, why, sizeof(why)))
		fail_msg("refused: %s", why);
	bytes_free(table);
	assert_int_equal(madt.nr, nr);
	assert_int_equal(madt.enabled, enabled);
}

static void apics(void **state)
{
	struct bytes table = madt_begin();

	(void)state;
	add(&table, 1, 12); /* I/O APIC */
	add_apic(&table, 0, 1);
	add_apic(&table, 2, 1);
	add_apic(&table, 4, 0);    /* neither: a socket that is empty */
	add_apic(&table, 6, 2);    /* may come later */
	add_apic(&table, 0xff, 1); /* nobody's id */
	add(&table, 4, 6);         /* local APIC NMI */
	add(&table, 200, 9);       /* of a revision to come */
	parse(&table, 3, 2);
	assert_int_equal(madt.cpu[1].id, 2);
	assert_int_equal(madt.cpu[1].uid, 3);
	assert_true(madt.cpu[1].enabled);
	assert_int_equal(madt.cpu[2].id, 6);
	assert_false(madt.cpu[2].enabled);
}

static void a_cpu_that_stands_twice_is_one(void **state)
{
	struct bytes table = madt_begin();

	(void)state;
	add_apic(&table, 1, 1);
	add_apic(&table, 2, 2);
	add_x2apic(&table, 1, 1);
	add_x2apic(&table, 2, 1); /* now enabled */
	add_x2apic(&table, 2, 1);
	add_x2apic(&table, 0x1234, 1);
	add_x2apic(&table, UINT32_MAX, 1);
	parse(&table, 3, 3);
	assert_int_equal(madt.cpu[2].id, 0x1234);
	assert_int_equal(madt.cpu[2].uid, 0x1235);
}

static void giccs(void **state)
{
	struct bytes table = madt_begin();

	(void)state;
	add(&table, 12, 24); /* distributor */
	add_gicc(&table, 76, 0, 1);
	add_gicc(&table, 80, 0x8100000100, 1);
	add_gicc(&table, 82, 0x100, 8); /* online capable is another bit here */
	add_gicc(&table, 82, 0x200, 2); /* performance interrupt mode: no CPU yet */
	parse(&table, 3, 2);
	assert_int_equal(madt.cpu[1].id, 0x8100000100);
	assert_int_equal(madt.cpu[1].uid, 7);
	assert_false(madt.cpu[2].enabled);
}

static void none(void **state)
{
	struct bytes table = madt_begin();

	(void)state;
	parse(&table, 0, 0);
}

static void broken(void **state)
{
	static const struct {
		uint8_t type, length;
		size_t extra;
		const char *because;
	} cases[] = {{0, 0, 6, "type 0 at 0x2c has length 0"},
	             {9, 1, 14, "type 9 at 0x2c has length 1"},
	             {77, 0, 14, "type 77 at 0x2c has length 0"},
	             {77, 255, 14, "has length 255"},
	             {0, 7, 5, "has length 7, its least is 8"},
	             {9, 15, 13, "has length 15, its least is 16"},
	             {11, 75, 73, "has length 75, its least is 76"},
	             {11, 40, 38, "has length 40, its least is 76"}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bytes table = madt_begin();
		uint8_t *at = bytes_add(&table, 2 + cases[i].extra);

		at[0] = cases[i].type;
		at[1] = cases[i].length;
		acpi_seal(&table);
		madt_free(&madt);
		assert_false(madt_parse(table.data, table.size, &madt, why, sizeof(why)));
		if (!strstr(why, cases[i].because))
			fail_msg("\"%s\" does not say \"%s\"", why, cases[i].because);
		assert_null(madt.cpu);
		assert_int_equal(madt.nr, 0);
		bytes_free(&table);
	}
}

/* What was understood before the bad structure is no result. */
static void refused_whole(void **state)
{
	struct bytes table = madt_begin();

	(void)state;
	add_apic(&table, 1, 1);
	bytes_add(&table, 1);
	acpi_seal(&table);
	madt_free(&madt);
	assert_false(madt_parse(table.data, table.size, &madt, why, sizeof(why)));
	assert_string_equal(why, "APIC: 1 stray bytes at its end");
	assert_int_equal(madt.nr, 0);
	assert_int_equal(madt.enabled, 0);
	bytes_free(&table);
}

static int tidy(void **state)
{
	(void)state;
	madt_free(&madt);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(apics),  cmocka_unit_test(a_cpu_that_stands_twice_is_one),
		cmocka_unit_test(giccs),  cmocka_unit_test(none),
		cmocka_unit_test(broken), cmocka_unit_test(refused_whole),
	};

	return cmocka_run_group_tests(tests, NULL, tidy);
}
