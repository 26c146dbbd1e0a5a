/* SPDX-License-Identifier: BSD-2-Clause */
/* links: bench/statistics.c */
#include <pagestamp/statistics.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void none(void **state)
{
	struct statistics s = statistics_of(NULL, 0);

	(void)state;
	assert_int_equal(s.n, 0);
	assert_true(isnan(s.min) && isnan(s.median) && isnan(s.mean) && isnan(s.max) &&
	            isnan(s.mad));
	assert_true(isnan(median_of(NULL, 0)));
}

static void one(void **state)
{
	const double sample[] = {7};
	struct statistics s = statistics_of(sample, 1);

	(void)state;
	assert_int_equal(s.n, 1);
	assert_true(s.min == 7 && s.median == 7 && s.mean == 7 && s.max == 7 && s.mad == 0);
	assert_true(median_of(sample, 1) == 7);
}

/* One outlier moves the mean and the maximum and nothing else; the input stays as it is. */
static void odd(void **state)
{
	const double sample[] = {3, 1, 1000, 2, 4};
	struct statistics s = statistics_of(sample, 5);

	(void)state;
	assert_int_equal(s.n, 5);
	assert_true(s.min == 1 && s.median == 3 && s.mean == 202 && s.max == 1000);
	assert_true(s.mad == 1); /* of 0 1 1 2 997 */
	assert_true(sample[0] == 3 && sample[4] == 4);
}

static void even(void **state)
{
	const double sample[] = {10, 2, 4, 8};
	struct statistics s = statistics_of(sample, 4);

	(void)state;
	assert_true(s.median == 6 && s.mean == 6);
	assert_true(s.mad == 3); /* of 2 2 4 4 */
	assert_true(median_of(sample, 2) == 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none),
		cmocka_unit_test(one),
		cmocka_unit_test(odd),
		cmocka_unit_test(even),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
