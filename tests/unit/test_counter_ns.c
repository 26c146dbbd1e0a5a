/* SPDX-License-Identifier: BSD-2-Clause */
/* links: bench/counter_ns.c */
#include <pagestamp/counter.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void whole_numbers(void **state)
{
	(void)state;
	assert_true(counter_ns(0, 1) == 0);
	assert_true(counter_ns(1, 1) == 1e9);
	assert_true(counter_ns(1, 1000000000) == 1);
	assert_true(counter_ns(62500000, 62500000) == 1e9);
	assert_true(counter_ns(1, 62500000) == 16);
	assert_true(counter_ns(3, 62500000) == 48);
}

static void fractions(void **state)
{
	(void)state;
	assert_true(counter_ns(1, 4000000000) == 0.25);
	assert_true(counter_ns(7, 2000000000) == 3.5);
	assert_true(counter_ns(1, 3) == 1e9 / 3);
	assert_true(counter_ns(2999999999, 3000000000) == 2999999999.0 / 3);
}

/* Where 64 bits, or a double's 53, would not do in between. */
static void no_overflow(void **state)
{
	(void)state;
	assert_true(counter_ns(UINT64_MAX, 1000000000) == 18446744073709551615.0);
	assert_true(counter_ns(UINT64_MAX, UINT64_MAX) == 1e9);
	assert_true(counter_ns(UINT64_MAX - 1, UINT64_MAX) <= 1e9);
	assert_true(counter_ns(UINT64_MAX, 1) == 18446744073709551615.0 * 1e9);
	assert_true(counter_ns(1ull << 63, 1ull << 62) == 2e9);
	/* 4 million seconds at 2.1 GHz and one tick more: the tick is not lost. */
	assert_true(counter_ns(2100000000ull * 4000000 + 2100000000, 2100000000) == 4000001e9);
	assert_true(counter_ns(4000000ull * 1000000000 + 1, 1000000000) == 4000000000000001.0);
}

static void grows_with_ticks(void **state)
{
	double last = -1;

	(void)state;
	for (uint64_t ticks = 2399999990; ticks < 2400000010; ticks++) {
		double ns = counter_ns(ticks, 2400000000);

		assert_true(ns > last);
		last = ns;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers),
		cmocka_unit_test(fractions),
		cmocka_unit_test(no_overflow),
		cmocka_unit_test(grows_with_ticks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
