/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/spcr.c discover/acpi.c */
#include <pagestamp/spcr.h>

#include "tests/unit/samples.h"

static struct spcr spcr;
static char why[160];

/* Space 0 is memory, 1 I/O ports. */
static struct bytes table_of(uint8_t type, uint8_t space, uint8_t width, uint8_t access,
                             uint64_t address, uint8_t baud)
{
	struct bytes table = acpi_begin("SPCR", 2);
	uint8_t *at;

	bytes_add(&table, 80 - 36);
	at = table.data;
	at[36] = type;
	at[40] = space;
	at[41] = width;
	at[43] = access;
	put64(at + 44, address);
	at[58] = baud;
	acpi_seal(&table);
	return table;
}

static void is(struct bytes table, const char *text, unsigned access_bits, unsigned stride)
{
	char described[64];

	if (!spcr_parse(table.data, table.size, &spcr, why, sizeof(why)))
		fail_msg("refused: %s", why);
	bytes_free(&table);
	spcr_describe(&spcr, described, sizeof(described));
	assert_string_equal(described, text);
	assert_int_equal(spcr.access_bits, access_bits);
	assert_int_equal(spcr.stride, stride);
}

static void refused(struct bytes table, const char *because)
{
	assert_false(spcr_parse(table.data, table.size, &spcr, why, sizeof(why)));
	assert_string_equal(why, because);
	assert_int_equal(spcr.address, 0);
	bytes_free(&table);
}

/* Sample 25: what Linux made of that machine's table, in its words. */
static void linux_line(void *arg, char *text)
{
	unsigned long long *address = arg;

	if (strncmp(text, "ACPI: SPCR:", 11) == 0)
		assert_int_equal(
			sscanf(text, "ACPI: SPCR: console: uart,mmio,0x%llx,115200", address), 1);
}

static void graviton(void **state)
{
	unsigned long long address = 0;
	char text[64];

	(void)state;
	each_line("samples/25-arm64-graviton-memory-ranges.txt", NULL, NULL, linux_line, &address);
	assert_int_equal(address, 0x90a0000);
	snprintf(text, sizeof(text), "16550 mmio 0x%llx 115200 baud", address);
	is(table_of(0, 0, 8, 1, address, 7), text, 8, 1);
	is(table_of(18, 0, 8, 1, address, 7), text, 8, 1);
	assert_int_equal(spcr.uart, SPCR_16550);
	assert_false(spcr.io);
	assert_int_equal(spcr.address, 0x90a0000);
	assert_int_equal(spcr.baud, 115200);
}

static void ports(void **state)
{
	(void)state;
	is(table_of(0, 1, 8, 1, 0x3f8, 3), "16550 io 0x3f8 9600 baud", 8, 1);
	is(table_of(1, 1, 8, 0, 0x2f8, 4), "16550 io 0x2f8 19200 baud", 8, 1);
	is(table_of(0, 1, 32, 3, 0xffff, 6), "16550 io 0xffff 57600 baud", 32, 1);
}

static void widths(void **state)
{
	(void)state;
	is(table_of(18, 0, 32, 3, 0x1000, 0), "16550 mmio 0x1000", 32, 4);
	is(table_of(18, 0, 32, 0, 0x1000, 0), "16550 mmio 0x1000", 32, 4); /* not given */
	is(table_of(18, 0, 32, 0x20, 0x1000, 0), "16550 mmio 0x1000", 32,
	   4); /* not an access size */
	is(table_of(18, 0, 16, 5, 0x1000, 0), "16550 mmio 0x1000", 16, 2);
	is(table_of(18, 0, 8, 3, 0x1000, 0), "16550 mmio 0x1000", 32, 4);
	is(table_of(18, 0, 8, 4, 0x1000, 0), "16550 mmio 0x1000", 64, 8);
	is(table_of(18, 0, 0, 0, 0x1000, 0), "16550 mmio 0x1000", 8, 1);
	is(table_of(18, 0, 7, 9, 0x1000, 0), "16550 mmio 0x1000", 8, 1);
}

static void pl011(void **state)
{
	static const uint8_t types[] = {3, 13, 14};

	(void)state;
	for (size_t i = 0; i < sizeof(types); i++) {
		is(table_of(types[i], 0, 8, 1, 0x9000000, 3), "PL011 mmio 0x9000000 9600 baud", 8,
		   4);
		assert_int_equal(spcr.uart, SPCR_PL011);
	}
	is(table_of(3, 1, 32, 3, 0x3f8, 0), "PL011 io 0x3f8", 32, 1); /* ports are not spread */
}

static void others(void **state)
{
	(void)state;
	is(table_of(0x13, 0, 32, 0x20, 0x894000, 7), "type 19 mmio 0x894000 115200 baud", 32, 1);
	assert_int_equal(spcr.uart, SPCR_OTHER);
	assert_int_equal(spcr.type, 0x13);
	is(table_of(0, 0, 8, 1, 0, 7), "none", 8, 1);
	is(table_of(0, 0, 8, 1, 0x1000, 9), "16550 mmio 0x1000", 8, 1); /* no such rate */
	assert_int_equal(spcr.baud, 0);
}

static void later_revisions_are_longer(void **state)
{
	struct bytes table = table_of(0, 1, 8, 1, 0x3f8, 7);

	(void)state;
	bytes_add(&table, 10);
	acpi_seal(&table);
	is(table, "16550 io 0x3f8 115200 baud", 8, 1);
}

static void broken(void **state)
{
	struct bytes table = table_of(0, 1, 8, 1, 0x3f8, 7);

	(void)state;
	table.data[58] ^= 1;
	refused(table, "SPCR has a bad checksum");
	table = table_of(0, 1, 8, 1, 0x3f8, 7);
	table.size--;
	refused(table, "SPCR truncated: 79 of 80 bytes");
	table = acpi_begin("SPCR", 2);
	bytes_add(&table, 79 - 36);
	acpi_seal(&table);
	refused(table, "SPCR says it has 79 bytes, fewer than its header");
	refused(table_of(0, 2, 8, 1, 0x3f8, 7), "SPCR: address space 2 is neither memory nor I/O");
	refused(table_of(0, 1, 8, 1, 0x10000, 7), "SPCR: no I/O port 0x10000");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(graviton), cmocka_unit_test(ports),
		cmocka_unit_test(widths),   cmocka_unit_test(pl011),
		cmocka_unit_test(others),   cmocka_unit_test(later_revisions_are_longer),
		cmocka_unit_test(broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
