/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/smbios.c */
#include <pagestamp/smbios.h>

#include "tests/unit/samples.h"

static struct bytes table;

static void add(uint8_t type, uint8_t length, const char *strings, size_t size)
{
	uint8_t *at = bytes_add(&table, length + size);

	at[0] = type;
	at[1] = length;
	memcpy(at + length, strings, size);
}

static const char *find(const char *prefix)
{
	return smbios_oem_string(table.data, table.size, prefix);
}

static int fresh(void **state)
{
	(void)state;
	bytes_free(&table);
	return 0;
}

static void what_the_runner_says(void **state)
{
	(void)state;
	add(0, 24, "vendor\0version\0", 16);
	add(1, 27, "\0", 2); /* no strings */
	add(11, 5, "other\0pagestamp:accel=tcg\0pagestamp:icount=1\0", 46);
	add(127, 4, "\0", 2);
	assert_string_equal(find("pagestamp:accel="), "tcg");
	assert_string_equal(find("pagestamp:icount="), "1");
	assert_null(find("pagestamp:kvm="));
	assert_null(find("vendor"));
	assert_string_equal(find("pagestamp:accel=tcg"), "");
}

static void several_structures_of_oem_strings(void **state)
{
	(void)state;
	add(11, 5, "one\0", 5);
	add(11, 5, "\0", 2);
	add(11, 5, "two=2\0", 7);
	assert_string_equal(find("two="), "2");
}

static void nothing_behind_the_end(void **state)
{
	(void)state;
	add(127, 4, "\0", 2);
	add(11, 5, "two=2\0", 7);
	assert_null(find("two="));
}

/* A memory device of the HPE server of sample 04, where the NFIT says physical id 0x26. */
static void add_dimm(uint16_t handle, uint8_t length, uint8_t locator)
{
	size_t at = table.size;

	add(17, length, "NOT SPECIFIED\0PROC 1 DIMM 8\0HPE\0", 33);
	put16(table.data + at + 2, handle);
	if (length > 0x10)
		table.data[at + 0x10] = locator;
}

static const char *dimm(uint16_t handle)
{
	return smbios_dimm_name(table.data, table.size, handle);
}

static void names_of_dimms(void **state)
{
	(void)state;
	add(0, 24, "vendor\0version\0", 16);
	add(16, 23, "\0", 2);
	add_dimm(0x26, 40, 2);
	add_dimm(0x32, 92, 1);
	add_dimm(0x33, 40, 0);   /* it has none */
	add_dimm(0x34, 40, 4);   /* more than there are */
	add_dimm(0x35, 0x10, 1); /* too short to say */
	add_dimm(0x36, 0x11, 3); /* just long enough */
	add_dimm(0x26, 40, 1);   /* the first counts */
	add_dimm(0x2600, 40, 255);
	add(127, 4, "\0", 2);
	add_dimm(0x40, 40, 1);
	assert_string_equal(dimm(0x26), "PROC 1 DIMM 8");
	assert_string_equal(dimm(0x32), "NOT SPECIFIED");
	assert_string_equal(dimm(0x36), "HPE");
	assert_null(dimm(0x33));
	assert_null(dimm(0x34));
	assert_null(dimm(0x35));
	assert_null(dimm(0x2600));
	assert_null(dimm(0x40));
	assert_null(dimm(0));
}

static void broken(void **state)
{
	(void)state;
	assert_null(smbios_oem_string(NULL, 0, "x"));
	add(11, 5, "two=2", 5); /* no end in sight */
	assert_null(find("two="));
	bytes_free(&table);
	add(11, 5, "two=2", 6); /* one NUL */
	assert_null(find("two="));
	bytes_free(&table);
	add(11, 5, "two=2\0", 7);
	table.data[1] = 3; /* shorter than its header */
	assert_null(find("two="));
	table.data[1] = 0;
	assert_null(find("two="));
	table.data[1] = 200; /* beyond the table */
	assert_null(find("two="));
	bytes_free(&table);
	bytes_add(&table, 3);
	assert_null(find("two="));
}

/* ---- entry points --------------------------------------------------------------- */

static uint8_t entry[SMBIOS_ENTRY_MOST];
static uint64_t address;
static size_t length;

static void seal_entry(size_t size, size_t own)
{
	uint8_t sum = 0;

	entry[own] = 0;
	for (size_t i = 0; i < size; i++)
		sum = (uint8_t)(sum + entry[i]);
	entry[own] = (uint8_t)-sum;
}

static void entry_of_3(void)
{
	memset(entry, 0xee, sizeof(entry));
	memcpy(entry, "_SM3_", 5);
	entry[6] = 24;
	put32(entry + 12, 0x12345);
	put64(entry + 16, 0x123456789000);
	seal_entry(24, 5);
}

static void entry_of_2(uint8_t size)
{
	memset(entry, 0xee, sizeof(entry));
	memcpy(entry, "_SM_", 4);
	entry[5] = size;
	put16(entry + 22, 0x1234);
	put32(entry + 24, 0xfe000);
	seal_entry(size, 4);
}

static bool read_entry(size_t size)
{
	return smbios_entry(entry, size, &address, &length);
}

static void entry_points(void **state)
{
	(void)state;
	entry_of_3();
	assert_true(read_entry(sizeof(entry)));
	assert_int_equal(address, 0x123456789000);
	assert_int_equal(length, 0x12345);
	assert_true(read_entry(24));
	for (uint8_t size = 30; size < 32; size++) { /* 30 by a slip of SMBIOS 2.1 */
		entry_of_2(size);
		assert_true(read_entry(sizeof(entry)));
		assert_int_equal(address, 0xfe000);
		assert_int_equal(length, 0x1234);
	}
}

static void entry_points_that_cannot_be(void **state)
{
	static const uint8_t lengths[] = {0, 23, 33, 255};

	(void)state;
	for (size_t i = 0; i < 24; i++) {
		entry_of_3();
		entry[i] ^= 4;
		assert_false(read_entry(sizeof(entry)));
	}
	for (size_t i = 0; i < sizeof(lengths); i++) {
		entry_of_3();
		entry[6] = lengths[i];
		if (lengths[i] <= sizeof(entry))
			seal_entry(lengths[i] ? lengths[i] : 24, 5);
		assert_false(read_entry(sizeof(entry)));
		entry_of_2(31);
		entry[5] = lengths[i];
		assert_false(read_entry(sizeof(entry)));
	}
	entry_of_3();
	assert_false(read_entry(23));
	put64(entry + 16, 0); /* a table at 0 is none */
	seal_entry(24, 5);
	assert_false(read_entry(sizeof(entry)));
	entry_of_2(31);
	assert_false(read_entry(30));
	entry[30] ^= 1;
	assert_false(read_entry(sizeof(entry)));
	assert_false(read_entry(0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_the_runner_says, fresh, fresh),
		cmocka_unit_test_setup_teardown(several_structures_of_oem_strings, fresh, fresh),
		cmocka_unit_test_setup_teardown(nothing_behind_the_end, fresh, fresh),
		cmocka_unit_test_setup_teardown(names_of_dimms, fresh, fresh),
		cmocka_unit_test_setup_teardown(broken, fresh, fresh),
		cmocka_unit_test(entry_points),
		cmocka_unit_test(entry_points_that_cannot_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
