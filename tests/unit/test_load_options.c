/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/load_options.c */
/* The nine shapes of tests/data/samples/32-loadoptions-cases.txt, by their letter, and more. */
#include <pagestamp/load_options.h>

#include "tests/unit/samples.h"

static char why[160];

/* `units` UTF-16 units of `ascii`, exactly as long as said: a reader past the end is caught. */
static uint8_t *widen(const char *ascii, size_t units, size_t *size)
{
	uint8_t *bytes = malloc(2 * units);

	assert_non_null(bytes);
	for (size_t i = 0; i < units; i++) {
		bytes[2 * i] = (uint8_t)ascii[i];
		bytes[2 * i + 1] = 0;
	}
	*size = 2 * units;
	return bytes;
}

static void gives(const char *ascii, size_t units, const char *expected)
{
	size_t size;
	uint8_t *bytes = widen(ascii, units, &size);
	char *text;
	enum options_text got = load_options_text(bytes, size, &text, why, sizeof(why));

	if (expected) {
		assert_int_equal(got, OPTIONS_TEXT_GIVEN);
		assert_string_equal(text, expected);
	} else {
		assert_int_equal(got, OPTIONS_TEXT_NONE);
		assert_null(text);
	}
	free(text);
	free(bytes);
}

static void gives_string(const char *ascii, const char *expected)
{
	gives(ascii, strlen(ascii), expected);
}

static void raw_is(enum options_text expected, const void *data, size_t size)
{
	char *text = "unset";

	why[0] = '\0';
	assert_int_equal(load_options_text(data, size, &text, why, sizeof(why)), expected);
	assert_null(text);
}

static void shape_line(void *arg, char *text)
{
	if (strncmp(text + 1, " | ", 3) == 0)
		strncat(arg, text, 1);
}

/* A shape that the sample gains is one that has no test yet. */
static void every_shape_has_its_test(void **state)
{
	char shapes[32] = "";

	(void)state;
	each_line("samples/32-loadoptions-cases.txt", NULL, NULL, shape_line, shapes);
	assert_string_equal(shapes, "abcdefghi");
}

static void a_shell_puts_the_program_first(void **state)
{
	(void)state;
	gives("app.efi arg1 arg2", 18, "arg1 arg2");
	gives_string("FS0:\\EFI\\BOOT\\BOOTX64.EFI map=dev", "map=dev");
	gives_string("\\pagestamp\\ps map=dev", "map=dev");
	gives_string("/boot/ps map=dev", "map=dev");
	gives_string("fs0:ps map=dev", "map=dev");
	gives_string("pagestamp map=dev", "map=dev");
	gives_string("PageStamp list", "list");
	gives_string("\"fs0:\\my tools\\pagestamp.efi\" map=dev", "map=dev");
	gives_string("app.efi other.efi", "other.efi"); /* only the first word */
}

static void b_no_program(void **state)
{
	(void)state;
	gives("arg1 arg2", 10, "arg1 arg2");
	gives_string("touch=batch:2M list", "touch=batch:2M list");
	gives_string("pagestamps", "pagestamps");
	gives_string("efi", "efi");
	gives_string("appxefi list", "appxefi list");
	gives_string(".efi list", "list");
	gives_string("ZA.EFI list", "list");
	gives_string("\"list\"quick", "listquick");
	gives_string("\"a.efi\"list", "list");
}

static void c_no_terminator(void **state)
{
	(void)state;
	gives_string("EFI\\Linux\\vmlinuz.efi map=dev", "map=dev");
	gives("EFI\\Linux\\vmlinuz.efi map=dev write=pmem0!", 29, "map=dev");
}

static void d_byte_order_mark(void **state)
{
	size_t size;
	uint8_t *bytes = widen("?arg1", 5, &size);
	char *text;

	(void)state;
	bytes[0] = 0xff;
	bytes[1] = 0xfe;
	assert_int_equal(load_options_text(bytes, size, &text, why, sizeof(why)),
	                 OPTIONS_TEXT_GIVEN);
	assert_string_equal(text, "arg1");
	free(text);
	free(bytes);
}

static void e_not_text(void **state)
{
	static const uint8_t blob[] = {0x01, 0x00, 0x1a, 0xe0, 0x00, 0xd8, 0x55, 0xaa};
	static const uint8_t odd[] = {'l', 0, 'i', 0, 's', 0, 't'};
	static const uint8_t upper_half[] = {'l', 0, 0x80, 0};

	(void)state;
	raw_is(OPTIONS_TEXT_NOT_TEXT, blob, sizeof(blob));
	assert_non_null(strstr(why, "8 bytes that are not ASCII text: ignored"));
	raw_is(OPTIONS_TEXT_NOT_TEXT, odd, sizeof(odd));
	raw_is(OPTIONS_TEXT_NOT_TEXT, upper_half, sizeof(upper_half));
	/* units that no path has, in a path */
	for (const unsigned *unit =
	             (const unsigned[]){0x7f, 0x80, 0x9f, 0xd800, 0xdfff, 0xfff0, 0xffff, 1, 0};
	     *unit; unit++) {
		uint8_t path[] = {'/', 0, (uint8_t)*unit, (uint8_t)(*unit >> 8)};

		raw_is(OPTIONS_TEXT_NOT_TEXT, path, sizeof(path));
	}
	for (const unsigned *unit = (const unsigned[]){0xa0, 0xd7ff, 0xe000, 0xffef, 0}; *unit;
	     unit++) {
		uint8_t path[] = {'/', 0, (uint8_t)*unit, (uint8_t)(*unit >> 8)};

		raw_is(OPTIONS_TEXT_NONE, path, sizeof(path));
	}
	raw_is(OPTIONS_TEXT_NOT_TEXT, "\x01map=de", 8);
	assert_null(strstr(why, "8-bit text"));
	raw_is(OPTIONS_TEXT_NOT_TEXT, "map=dev", 8);
	assert_non_null(strstr(why, "8-bit text"));
	raw_is(OPTIONS_TEXT_NOT_TEXT, "map=dev", 7);
	assert_non_null(strstr(why, "8-bit text"));
}

static void f_blanks(void **state)
{
	(void)state;
	gives(" ", 1, NULL);
	gives(" \t ", 4, NULL);
	gives("", 1, NULL);
	gives("\0\0\0\0", 4, NULL);
	gives_string("app.efi", NULL);
	gives_string("app.efi ", NULL);
	gives_string("\"\"", NULL);
}

static void g_nothing(void **state)
{
	(void)state;
	raw_is(OPTIONS_TEXT_NONE, NULL, 0);
	raw_is(OPTIONS_TEXT_NONE, NULL, 16);
	raw_is(OPTIONS_TEXT_NONE, "", 0);
}

static void h_nul_inside(void **state)
{
	(void)state;
	gives("app.efi\0arg\0", 12, "arg");
	gives("app.efi\0map=dev\0list\0\0", 22, "map=dev list");
}

static void i_image_name_added(void **state)
{
	(void)state;
	gives_string("pagestamp.efi map=dev quick", "map=dev quick");
}

static void quotes(void **state)
{
	(void)state;
	gives_string("app.efi \"map=dev list\"", "map=dev list");
	gives_string("app.efi map=\"dev\"", "map=dev");
	gives_string("\"map=dev\" list", "map=dev list");
	gives_string("\"list", "list");
}

static void a_path_in_any_script(void **state)
{
	size_t size;
	uint8_t *bytes = widen("\\?\\a.efi list", 13, &size);
	char *text;

	(void)state;
	bytes[2] = 0x2f; /* U+6f2f */
	bytes[3] = 0x6f;
	assert_int_equal(load_options_text(bytes, size, &text, why, sizeof(why)),
	                 OPTIONS_TEXT_GIVEN);
	assert_string_equal(text, "list");
	free(text);
	bytes[18] = 0xe4; /* "list" becomes "l..." with U+00e4 in an option */
	assert_int_equal(load_options_text(bytes, size, &text, why, sizeof(why)),
	                 OPTIONS_TEXT_NOT_TEXT);
	free(bytes);
}

static void config(const char *file, size_t size, const char *expected)
{
	char *copy = malloc(size), *text;

	assert_non_null(copy);
	memcpy(copy, file, size);
	why[0] = '\0';
	switch (config_file_options(copy, size, &text, why, sizeof(why))) {
	case OPTIONS_TEXT_GIVEN:
		assert_non_null(expected);
		assert_string_equal(text, expected);
		break;
	case OPTIONS_TEXT_NONE:
		assert_null(expected);
		break;
	default:
		fail_msg("%s", why);
	}
	free(text);
	free(copy);
}

static void config_files(void **state)
{
	static const char bad[] = "map=dev\n# \xfc\nlist \xfc\n";
	char *text;

	(void)state;
	config("map=dev list\nquick\n", 19, "map=dev list\nquick");
	config("# all\r\nmap=dev # here\r\nlist", 27, "map=dev \nlist");
	config("\xef\xbb\xbfmap=dev", 10, "map=dev");
	config("# f\xc3\xbcr\n\n  \n", 11, NULL);
	config("#", 1, NULL);
	config("\xef\xbb\xbf", 3, NULL);
	assert_int_equal(config_file_options(NULL, 0, &text, why, sizeof(why)), OPTIONS_TEXT_NONE);
	assert_int_equal(config_file_options(bad, sizeof(bad) - 1, &text, why, sizeof(why)),
	                 OPTIONS_TEXT_NOT_TEXT);
	assert_non_null(strstr(why, "line 3 has byte 0xfc"));
	assert_int_equal(config_file_options("l\0i", 3, &text, why, sizeof(why)),
	                 OPTIONS_TEXT_NOT_TEXT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_shape_has_its_test),
		cmocka_unit_test(a_shell_puts_the_program_first),
		cmocka_unit_test(b_no_program),
		cmocka_unit_test(c_no_terminator),
		cmocka_unit_test(d_byte_order_mark),
		cmocka_unit_test(e_not_text),
		cmocka_unit_test(f_blanks),
		cmocka_unit_test(g_nothing),
		cmocka_unit_test(h_nul_inside),
		cmocka_unit_test(i_image_name_added),
		cmocka_unit_test(quotes),
		cmocka_unit_test(a_path_in_any_script),
		cmocka_unit_test(config_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
