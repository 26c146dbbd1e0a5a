/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/acpi_root.c discover/acpi.c */
#include <pagestamp/acpi_root.h>

#include "tests/unit/samples.h"

/* Physical memory of one page. */
#define BASE 0xfe000u
#define RSDT 0x100u
#define XSDT 0x200u
#define SRAT 0x300u
#define NFIT 0x400u
#define SSDT 0x500u

static uint8_t page[4096];
static uint8_t rsdp[RSDP_SIZE];
static struct acpi_root root;

static const uint8_t *at(void *ctx, uint64_t address, size_t size)
{
	(void)ctx;
	if (address < BASE || address - BASE > sizeof(page) ||
	    size > sizeof(page) - (address - BASE))
		return NULL;
	return page + (address - BASE);
}

static void seal(uint8_t *table, size_t size, size_t own)
{
	uint8_t sum = 0;

	table[own] = 0;
	for (size_t i = 0; i < size; i++)
		sum = (uint8_t)(sum + table[i]);
	table[own] = (uint8_t)-sum;
}

static void put_table(uint32_t offset, const char *signature, uint32_t length)
{
	memcpy(page + offset, signature, 4);
	put32(page + offset + 4, length);
	seal(page + offset, length, 9);
}

/* An XSDT with SRAT, NFIT, SSDT and an SSDT again, an RSDT with the SRAT alone. */
static int fresh(void **state)
{
	(void)state;
	memset(page, 0, sizeof(page));
	put_table(SRAT, "SRAT", 48);
	put_table(NFIT, "NFIT", 40);
	put_table(SSDT, "SSDT", 36);
	put32(page + RSDT + 36, BASE + SRAT);
	put_table(RSDT, "RSDT", 40);
	put64(page + XSDT + 36, BASE + SRAT);
	put64(page + XSDT + 44, BASE + NFIT);
	put64(page + XSDT + 52, BASE + SSDT);
	put64(page + XSDT + 60, BASE + SSDT);
	put_table(XSDT, "XSDT", 68);
	memset(rsdp, 0, sizeof(rsdp));
	memcpy(rsdp, "RSD PTR ", 8);
	rsdp[15] = 2;
	put32(rsdp + 16, BASE + RSDT);
	put32(rsdp + 20, RSDP_SIZE);
	put64(rsdp + 24, BASE + XSDT);
	seal(rsdp, 20, 8);
	seal(rsdp, RSDP_SIZE, 32);
	return 0;
}

static void root_is(bool good, uint64_t rsdt, uint64_t xsdt)
{
	assert_int_equal(acpi_root_read(rsdp, sizeof(rsdp), &root), good);
	assert_int_equal(root.rsdt, rsdt);
	assert_int_equal(root.xsdt, xsdt);
}

/* Where the table is; 0: none. */
static uint32_t find(const char *signature, size_t index)
{
	const struct acpi_memory memory = {at, NULL};
	const uint8_t *table;
	size_t length;

	if (!acpi_root_table(&root, &memory, signature, index, &table, &length))
		return 0;
	assert_int_equal(length, table[4]);
	return (uint32_t)(table - page);
}

static void revision_2(void **state)
{
	(void)state;
	root_is(true, BASE + RSDT, BASE + XSDT);
	assert_int_equal(find("SRAT", 0), SRAT);
	assert_int_equal(find("NFIT", 0), NFIT);
	assert_int_equal(find("SSDT", 1), SSDT);
	assert_int_equal(find("SSDT", 2), 0);
	assert_int_equal(find("HMAT", 0), 0);
}

static void revision_1(void **state)
{
	(void)state;
	rsdp[15] = 0;
	seal(rsdp, 20, 8);
	root_is(true, BASE + RSDT, 0);
	assert_int_equal(find("SRAT", 0), SRAT);
	assert_int_equal(find("NFIT", 0), 0); /* not what the XSDT says */
	/* and no byte of it more than it has */
	assert_true(acpi_root_read(rsdp, 20, &root));
	assert_false(acpi_root_read(rsdp, 19, &root));
}

static void no_acpi(void **state)
{
	(void)state;
	rsdp[0] = 'X';
	root_is(false, 0, 0);
	assert_int_equal(find("SRAT", 0), 0);
	fresh(state);
	rsdp[9] ^= 1; /* the short checksum */
	root_is(false, 0, 0);
}

static void xsdt_of_a_bad_rsdp(void **state)
{
	(void)state;
	rsdp[33] ^= 1; /* the longer checksum */
	root_is(true, BASE + RSDT, 0);
	fresh(state);
	put32(rsdp + 20, 35);
	seal(rsdp, 35, 32);
	root_is(true, BASE + RSDT, 0);
	put32(rsdp + 20, 37);
	root_is(true, BASE + RSDT, 0);
	put32(rsdp + 20, 0);
	root_is(true, BASE + RSDT, 0);
	fresh(state);
	assert_true(acpi_root_read(rsdp, 35, &root));
	assert_int_equal(root.xsdt, 0);
}

/* The RSDT is there for whoever does not have, or cannot use, the other. */
static void a_bad_xsdt(void **state)
{
	static const struct {
		uint32_t at;
		uint8_t value;
	} bad[] = {{XSDT, 'Y'}, {XSDT + 4, 0}, {XSDT + 4, 35}, {XSDT + 7, 0x10}, {XSDT + 40, 1}};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		fresh(state);
		page[bad[i].at] = bad[i].value;
		root_is(true, BASE + RSDT, BASE + XSDT);
		assert_int_equal(find("SRAT", 0), SRAT);
		assert_int_equal(find("NFIT", 0), 0);
	}
	fresh(state);
	put64(rsdp + 24, 0x123456789000); /* nowhere */
	seal(rsdp, RSDP_SIZE, 32);
	root_is(true, BASE + RSDT, 0x123456789000);
	assert_int_equal(find("SRAT", 0), SRAT);
	/* and the RSDT is bad too */
	page[RSDT + 9] ^= 1;
	assert_int_equal(find("SRAT", 0), 0);
}

static void entries_that_cannot_be(void **state)
{
	(void)state;
	put64(page + XSDT + 36, 0);
	put64(page + XSDT + 52, BASE + XSDT); /* itself */
	put64(page + XSDT + 60, 1ull << 60);
	put_table(XSDT, "XSDT", 68);
	root_is(true, BASE + RSDT, BASE + XSDT);
	assert_int_equal(find("SRAT", 0), 0);
	assert_int_equal(find("NFIT", 0), NFIT);
	assert_int_equal(find("SSDT", 0), 0);
	assert_int_equal(find("XSDT", 0), XSDT);
	assert_int_equal(find("XSDT", 1), 0);
	/* lengths that are none, and one that leads out of memory */
	for (size_t i = 0; i < 4; i++) {
		static const uint32_t lengths[] = {0, 35, (64u << 20) + 1, sizeof(page)};

		put32(page + NFIT + 4, lengths[i]);
		assert_int_equal(find("NFIT", 0), 0);
	}
}

static void a_list_with_a_ragged_end(void **state)
{
	(void)state;
	put_table(XSDT, "XSDT", 51); /* half of the second entry */
	root_is(true, BASE + RSDT, BASE + XSDT);
	assert_int_equal(find("SRAT", 0), SRAT);
	assert_int_equal(find("NFIT", 0), 0);
	put_table(XSDT, "XSDT", 36); /* no entry */
	assert_int_equal(find("SRAT", 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(revision_2, fresh),
		cmocka_unit_test_setup(revision_1, fresh),
		cmocka_unit_test_setup(no_acpi, fresh),
		cmocka_unit_test_setup(xsdt_of_a_bad_rsdp, fresh),
		cmocka_unit_test_setup(a_bad_xsdt, fresh),
		cmocka_unit_test_setup(entries_that_cannot_be, fresh),
		cmocka_unit_test_setup(a_list_with_a_ragged_end, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
