/* SPDX-License-Identifier: BSD-2-Clause */
/* links: boot/backing.c */
#include "boot/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MIB 0x100000ull
#define GIB 0x40000000ull

/* ---- a firmware: what it has free, by MiB and by what is left of it ----------- */

static struct backing_extent free_list[32];
static size_t nr_free;
static uint64_t locked; /* an address that the map says is free, and that is not to be had */
static int reserves, releases;

bool memory_free_list(struct memory_free *out)
{
	out->item = malloc(sizeof(free_list));
	assert_non_null(out->item);
	memcpy(out->item, free_list, sizeof(free_list));
	out->nr = nr_free;
	return true;
}

bool memory_reserve(uint64_t base, uint64_t size)
{
	assert_int_equal(base % WINDOW_BLOCK, 0);
	assert_int_equal(size % WINDOW_BLOCK, 0);
	if (locked && locked >= base && locked < base + size)
		return false;
	for (size_t i = 0; i < nr_free; i++) {
		struct backing_extent *e = &free_list[i];
		uint64_t end = e->phys + e->size;

		if (base < e->phys || base + size > end)
			continue;
		e->size = base - e->phys;
		assert_true(nr_free < 32);
		free_list[nr_free++] = (struct backing_extent){base + size, end - base - size};
		reserves++;
		return true;
	}
	fail_msg("what was reserved is not free");
	return false;
}

void memory_release(uint64_t base, uint64_t size)
{
	releases++;
	assert_true(nr_free < 32);
	free_list[nr_free++] = (struct backing_extent){base, size};
}

static uint64_t firmware_has(void)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < nr_free; i++)
		sum += free_list[i].size;
	return sum;
}

static int set_up(void **state)
{
	(void)state;
	nr_free = 0;
	locked = 0;
	reserves = releases = 0;
	free_list[nr_free++] = (struct backing_extent){0, 640 << 10};
	free_list[nr_free++] = (struct backing_extent){MIB + 4096, 100 * MIB};
	free_list[nr_free++] = (struct backing_extent){1024 * MIB, 500 * MIB};
	free_list[nr_free++] = (struct backing_extent){4 * GIB, 200 * MIB};
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	backing_give_back();
	return 0;
}

static uint64_t all_there_is(void)
{
	struct backing none;
	uint64_t available;

	assert_false(backing_alloc(UINT64_MAX, BACKING_WHOLE, &none, &available));
	assert_true(none.nr == 0 && none.size == 0 && !none.extent);
	return available;
}

static struct backing take(uint64_t bytes)
{
	struct backing backing;
	uint64_t available, sum = 0;

	assert_true(backing_alloc(bytes, BACKING_WHOLE, &backing, &available));
	for (size_t i = 0; i < backing.nr; i++) {
		assert_int_equal(backing.extent[i].phys % WINDOW_BLOCK, 0);
		assert_true(backing.extent[i].size % WINDOW_BLOCK == 0 && backing.extent[i].size);
		assert_true(backing.extent[i].phys >= MIB);
		sum += backing.extent[i].size;
	}
	assert_true(sum == backing.size);
	assert_true(backing.size == (bytes + WINDOW_BLOCK - 1) / WINDOW_BLOCK * WINDOW_BLOCK);
	return backing;
}

/* ---- tests ------------------------------------------------------------------- */

static void rounds_up_and_goes_high(void **state)
{
	struct backing a = take(3 * MIB);

	(void)state;
	assert_int_equal(a.nr, 1);
	assert_true(a.extent[0].phys == 4 * GIB && a.fresh);
	backing_free(&a);
	assert_true(a.nr == 0 && a.size == 0 && !a.extent);
}

static void goes_on_with_the_largest(void **state)
{
	struct backing a = take(300 * MIB);

	(void)state;
	assert_int_equal(a.nr, 2);
	assert_true(a.extent[0].phys == 4 * GIB && a.extent[0].size == 200 * MIB);
	assert_true(a.extent[1].phys == GIB && a.extent[1].size == 100 * MIB);
	backing_free(&a);
}

static void the_firmware_keeps_its_share(void **state)
{
	uint64_t available = all_there_is();
	struct backing a = take(available);

	(void)state;
	assert_true(firmware_has() >= 32 * MIB && firmware_has() < 34 * MIB);
	assert_true(all_there_is() == 0);
	backing_free(&a);
	/* Kept, not given to the firmware: it would overwrite it. */
	assert_int_equal(releases, 0);
	assert_true(all_there_is() == available);
}

static void fresh_until_there_is_no_more(void **state)
{
	struct backing a = take(400 * MIB), b, c;

	(void)state;
	assert_true(a.fresh);
	backing_free(&a);
	b = take(360 * MIB);
	assert_true(b.fresh);
	backing_free(&b);
	/* Only 6 MiB are fresh: kept memory serves, and they stay. */
	c = take(500 * MIB);
	assert_false(c.fresh);
	backing_free(&c);
	a = take(4 * MIB);
	assert_true(a.fresh);
	backing_free(&a);
}

static void kept_and_fresh_together(void **state)
{
	struct backing a = take(400 * MIB), b;

	(void)state;
	backing_free(&a);
	b = take(700 * MIB);
	assert_false(b.fresh);
	backing_free(&b);
}

static void nothing_is_given_out_twice(void **state)
{
	struct backing held[8];

	(void)state;
	for (int round = 0; round < 50; round++) {
		for (unsigned i = 0; i < 8; i++)
			held[i] = take((i + 1) * 18 * MIB);
		for (unsigned i = 0; i < 8; i++)
			for (size_t x = 0; x < held[i].nr; x++)
				for (unsigned j = 0; j < i; j++)
					for (size_t y = 0; y < held[j].nr; y++) {
						struct backing_extent *p = &held[i].extent[x];
						struct backing_extent *q = &held[j].extent[y];

						assert_true(p->phys + p->size <= q->phys ||
						            q->phys + q->size <= p->phys);
					}
		for (unsigned i = 0; i < 8; i++)
			backing_free(&held[(i * 3) % 8]);
	}
	assert_true(reserves < 16);
}

static void passes_over_what_is_taken(void **state)
{
	struct backing a;
	uint64_t available;

	(void)state;
	locked = 4 * GIB + 50 * MIB;
	a = take(100 * MIB);
	assert_true(a.extent[0].phys == GIB);
	backing_free(&a);
	/* More than is left without it: nothing is had, the most is said. */
	assert_false(backing_alloc(650 * MIB, BACKING_WHOLE, &a, &available));
	assert_true(a.nr == 0 && available >= 500 * MIB && available <= 600 * MIB);
}

static void gives_back(void **state)
{
	uint64_t had = firmware_has();
	struct backing a = take(300 * MIB), b = take(10 * MIB);

	(void)state;
	backing_free(&a);
	backing_free(&b);
	backing_give_back();
	assert_true(firmware_has() == had);
}

/* Two pieces, one of them across the end of an extent: what is left on either side stays. */
static void keeps_off_what_is_set_aside(void **state)
{
	const uint64_t before = all_there_is();
	struct backing backing;

	(void)state;
	assert_true(backing_set_aside(4 * GIB + 64 * MIB, 64 * MIB));
	assert_true(backing_set_aside(1400 * MIB, 1024 * MIB));
	assert_int_equal(all_there_is(), before - 64 * MIB - 124 * MIB);
	backing = take(all_there_is());
	for (size_t i = 0; i < backing.nr; i++) {
		const uint64_t begin = backing.extent[i].phys, end = begin + backing.extent[i].size;

		assert_true(end <= 4 * GIB + 64 * MIB || begin >= 4 * GIB + 128 * MIB);
		assert_true(end <= 1400 * MIB || begin >= 2424 * MIB);
	}
	backing_free(&backing);
}

static void too_little_for_anybody(void **state)
{
	(void)state;
	nr_free = 1;
	assert_true(all_there_is() == 0);
	nr_free = 0;
	assert_true(all_there_is() == 0);
	free_list[nr_free++] = (struct backing_extent){16 * MIB, 20 * MIB};
	assert_true(all_there_is() == 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(rounds_up_and_goes_high),      TEST(goes_on_with_the_largest),
		TEST(the_firmware_keeps_its_share), TEST(fresh_until_there_is_no_more),
		TEST(kept_and_fresh_together),      TEST(nothing_is_given_out_twice),
		TEST(passes_over_what_is_taken),    TEST(gives_back),
		TEST(passes_over_what_is_taken),    TEST(keeps_off_what_is_set_aside),
		TEST(too_little_for_anybody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
