/* SPDX-License-Identifier: BSD-2-Clause */
/* links: report/ktap.c */
#include <pagestamp/ktap.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

static void a_list(void **state)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	ktap_begin(out);
	ktap_result(true, "copy %s", "movnti");
	ktap_note("expected %d\ngot %d\n", 1, 2);
	ktap_result(false, "a # b\nc");
	ktap_skip("no SVE", "copy %s", "sve");
	assert_int_equal(ktap_end(), 1);
	fclose(out);
	assert_string_equal(text, "KTAP version 1\n"
	                          "ok 1 copy movnti\n"
	                          "# expected 1\n"
	                          "# got 2\n"
	                          "not ok 2 a _ b_c\n"
	                          "ok 3 copy sve # SKIP no SVE\n"
	                          "1..3\n"
	                          "# Totals: pass:1 fail:1 xfail:0 xpass:0 skip:1 error:0\n");
	free(text);
}

static void an_empty_list(void **state)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	ktap_begin(out);
	assert_int_equal(ktap_end(), 0);
	fclose(out);
	assert_string_equal(text, "KTAP version 1\n1..0\n"
	                          "# Totals: pass:0 fail:0 xfail:0 xpass:0 skip:0 error:0\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list),
		cmocka_unit_test(an_empty_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
