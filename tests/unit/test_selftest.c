/* SPDX-License-Identifier: BSD-2-Clause */
/* links: bench/selftest.c bench/oracle.c mm/memmap.c mm/pageblock.c mm/stamp.c mm/template.c */
/* links: bench/kind.c bench/linux_words.c mm/hugetlb_boot.c mm/memmap_range.c */
/* links: mm/copy.c host/window.c arch-copies */
#include <pagestamp/selftest.h>

/* clang-format off: cmocka wants these first, in this order */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

static void assert_ok(bool ok, const char *name)
{
	if (!ok)
		fail_msg("%s", name);
}

static void selftest(void **state)
{
	(void)state;
	selftest_mm(assert_ok);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(selftest)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
