/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/number.c */
#include "discover/number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static struct span text(const char *t)
{
	return (struct span){t, strlen(t)};
}

static void size_is(const char *t, uint64_t expected)
{
	uint64_t got = 1;

	if (!size_parse(text(t), &got))
		fail_msg("\"%s\" refused", t);
	assert_int_equal(got, expected);
}

static void sizes(void **state)
{
	(void)state;
	size_is("0", 0);
	size_is("9", 9);
	size_is("10", 10);
	size_is("4096", 4096);
	size_is("1k", 1024);
	size_is("3K", 3072);
	size_is("2m", 2 << 20);
	size_is("2M", 2 << 20);
	size_is("1g", 1 << 30);
	size_is("16G", 16ull << 30);
	size_is("1t", 1ull << 40);
	size_is("1T", 1ull << 40);
	size_is("0x0", 0);
	size_is("0xf", 15);
	size_is("0XaBcDeF", 0xabcdef);
	size_is("0x10K", 0x4000);
	size_is("0x180000000", 0x180000000);
	size_is("18446744073709551615", UINT64_MAX);
	size_is("0xffffffffffffffff", UINT64_MAX);
	size_is("16777215T", 16777215ull << 40);
	size_is("0xffffffT", 0xffffffull << 40);
}

static void no_sizes(void **state)
{
	static const char *const bad[] = {
		"",
		"K",
		"x",
		"0x",
		"0xK",
		"0xg",
		"0x1g0",
		"1a",
		"a",
		"-1",
		"+1",
		" 1",
		"1 ",
		"1.5",
		"1KK",
		"01",
		"007",
		"1P",
		"0x1x",
		"1:",
		"1/",
		"1@",
		"1`",
		"0x@",
		"0x`",
		"18446744073709551616",
		"0x10000000000000000",
		"16777216T",
		"17592186044416M",
		"18014398509481984K",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		uint64_t got;

		if (size_parse(text(bad[i]), &got))
			fail_msg("\"%s\" accepted", bad[i]);
	}
}

static void linux_sizes(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} cases[] = {
		{"", 0},
		{"0", 0},
		{"K", 0},
		{"9", 9},
		{"010", 8},
		{"08", 0},
		{"010M", 8 << 20},
		{"0x10", 16},
		{"0Xf", 15},
		{"0x", 0},
		{"0xg", 0},
		{"0xE", 14},
		{"0x1e", 30},
		{"2k", 2048},
		{"2M", 2 << 20},
		{"1GB", 1 << 30},
		{"1gK", 1 << 30},
		{"16T", 16ull << 40},
		{"3p", 3ull << 50},
		{"15E", 15ull << 60},
		{"16E", 0},
		{"1 M", 1},
		{"1,2", 1},
		{"-1", 0},
		{"+1", 0},
		{"18446744073709551615", UINT64_MAX},
		{"18446744073709551616", 0},
		{"17592186044416M", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (memparse(cases[i].text) != cases[i].bytes)
			fail_msg("\"%s\" gave 0x%llx", cases[i].text,
			         (unsigned long long)memparse(cases[i].text));
}

static void a_span_ends_where_it_says(void **state)
{
	uint64_t got;

	(void)state;
	assert_true(size_parse((struct span){"123456", 2}, &got));
	assert_int_equal(got, 12);
	assert_true(size_parse((struct span){"0x12M", 4}, &got));
	assert_int_equal(got, 0x12);
}

static void numbers(void **state)
{
	uint64_t got;

	(void)state;
	assert_true(number_parse(text("0"), 0, &got));
	assert_int_equal(got, 0);
	assert_true(number_parse(text("10000"), 10000, &got));
	assert_int_equal(got, 10000);
	assert_false(number_parse(text("10001"), 10000, &got));
	assert_false(number_parse(text("0x10"), 10000, &got));
	assert_false(number_parse(text("1K"), 10000, &got));
	assert_false(number_parse(text("00"), 10000, &got));
	assert_false(number_parse(text(""), 10000, &got));
}

static void texts(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} cases[] = {
		{0, "0"},
		{1, "1"},
		{1023, "1023"},
		{1024, "1K"},
		{4096, "4K"},
		{1536, "1536"},
		{130 << 20, "130M"},
		{1 << 30, "1G"},
		{(1 << 30) + 1024, "1048577K"},
		{1ull << 40, "1T"},
		{1ull << 52, "4096T"},
		{UINT64_MAX, "18446744073709551615"},
	};
	char got[24];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_text(cases[i].bytes, got, sizeof(got));
		assert_string_equal(got, cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),       cmocka_unit_test(no_sizes),
		cmocka_unit_test(linux_sizes), cmocka_unit_test(a_span_ends_where_it_says),
		cmocka_unit_test(numbers),     cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
