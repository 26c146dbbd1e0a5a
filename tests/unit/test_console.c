/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/console.c discover/number.c */
#include <pagestamp/console.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void check(const char *value, const struct console_choice *wanted)
{
	struct console_choice got;

	if (!console_parse(value, &got))
		fail_msg("%s is refused", value);
	assert_int_equal(got.kind, wanted->kind);
	assert_int_equal(got.io, wanted->io);
	assert_int_equal(got.address, wanted->address);
	assert_int_equal(got.baud, wanted->baud);
	if (wanted->address) {
		assert_int_equal(got.access_bits, wanted->access_bits);
		assert_int_equal(got.stride, wanted->stride);
	}
}

static void what_it_means(void **state)
{
	static const struct {
		const char *value;
		struct console_choice wanted;
	} rows[] = {
		{"auto", {.kind = CONSOLE_AUTO}},
		{"efi", {.kind = CONSOLE_EFI}},
		{"ttyS0", {CONSOLE_16550, true, 0x3f8, 8, 1, 0}},
		{"ttyS0,115200", {CONSOLE_16550, true, 0x3f8, 8, 1, 115200}},
		{"ttyS0,9600", {CONSOLE_16550, true, 0x3f8, 8, 1, 9600}},
		{"ttyS0,1", {CONSOLE_16550, true, 0x3f8, 8, 1, 1}},
		{"mmio32,0x90a0000", {CONSOLE_16550, false, 0x90a0000, 32, 4, 0}},
		{"pl011,0x9000000", {CONSOLE_PL011, false, 0x9000000, 32, 4, 0}},
		{"pl011,0x100000000000", {CONSOLE_PL011, false, 1ull << 44, 32, 4, 0}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(rows[i].value, &rows[i].wanted);
}

static void what_it_is_not(void **state)
{
	static const char *const bad[] = {
		"",
		"Auto",
		"efi,115200",
		"ttyS",
		"ttyS1",
		"ttyS00",
		"ttyS0,",
		"ttyS0,0",
		"ttyS0,115201",
		"ttyS0,100000",
		"ttyS0,230400",
		"ttyS0,115200n8",
		"mmio32",
		"mmio32,",
		"mmio32,0",
		"mmio32,0x0",
		"mmio32,0x3f9",
		"mmio32,1000",
		"mmio32,0x1000000000000000c",
		"mmio,0x1000",
		"pl011,0x",
		"pl011,0x900g000",
		"pl011,0x9000000,115200",
	};
	struct console_choice choice;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (console_parse(bad[i], &choice))
			fail_msg("'%s' is taken", bad[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_means),
		cmocka_unit_test(what_it_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
