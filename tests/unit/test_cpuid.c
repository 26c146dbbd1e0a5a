/* SPDX-License-Identifier: BSD-2-Clause */
/* Leaves beyond the maximum of their group, on whatever CPU this is; cases_tables.py has one
 * that ends early. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#ifdef __x86_64__
#include "arch/x86_64/cpuid.h"

static const struct cpuid nothing;

static void beyond_the_maximum(void **state)
{
	static const uint32_t groups[] = {0, 0x40000000, 0x80000000};

	(void)state;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		const bool there = groups[i] != 0x40000000 || cpuid_hypervisor();
		const uint32_t max = cpuid_raw(groups[i], 0).eax;

		if (!there) {
			assert_false(cpuid_has(groups[i]));
			continue;
		}
		for (uint32_t leaf = groups[i]; leaf <= max && leaf - groups[i] < 64; leaf++)
			assert_true(cpuid_has(leaf));
		for (uint32_t more = 1; more < 64; more++) {
			struct cpuid r = cpuid(max + more, 0);

			assert_false(cpuid_has(max + more));
			assert_memory_equal(&r, &nothing, sizeof(r));
		}
		assert_false(cpuid_has(groups[i] | 0x0fffffff));
	}
}

/* No CPU has them, and what it answers for their first leaf is no maximum. */
static void groups_that_are_none(void **state)
{
	(void)state;
	assert_false(cpuid_has(0x90000000));
	assert_false(cpuid_has(0xf0000001));
}
#else
static void beyond_the_maximum(void **state)
{
	(void)state;
	skip();
}

static void groups_that_are_none(void **state)
{
	(void)state;
	skip();
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(beyond_the_maximum),
		cmocka_unit_test(groups_that_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
