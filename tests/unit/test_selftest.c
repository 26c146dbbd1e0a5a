/* SPDX-License-Identifier: BSD-2-Clause */
/* links: bench/selftest.c bench/oracle.c mm/memmap.c mm/pageblock.c mm/template.c */
/* links: mm/stamp.c mm/stamp_pattern.c */
/* links: bench/kind.c bench/linux_words.c mm/hugetlb_boot.c mm/memmap_range.c */
/* links: mm/copy.c host/window.c arch-copies */
/* links: bench/selftest_pte.c bench/pte_arena.c bench/pte_proof.c mm/pte_range.c */
/* links: discover/option_values.c discover/console.c discover/options.c discover/number.c */
#include <pagestamp/counter.h>
#include <pagestamp/selftest.h>

/* clang-format off: cmocka wants these first, in this order */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

/* Nothing is timed here, but passes read the clock. */
uint64_t counter_begin(void)
{
	return 0;
}

uint64_t counter_end(void)
{
	return 0;
}

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

static void mapping(void **state)
{
	(void)state;
	selftest_pte(assert_ok);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(selftest), cmocka_unit_test(mapping)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
