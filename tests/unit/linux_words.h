/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The including test has chosen a flags layout. Builds small zone-device memmaps by
 * the ordinary path and holds them against words dumped from Linux 6.12
 * (tests/data/linux-struct-page/README.md): DEVICE_FLAGS is the first of them.
 */
#include "mm/memmap.c"
#include "mm/pageblock.c"

/* clang-format off: cmocka wants these first, in this order */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */
#include <stdlib.h>

static struct dev_pagemap pgmap;

static void build(struct page *memmap, enum memory_type type, unsigned order, uint64_t nr)
{
	static const struct memmap_variant variant = {.size = 64, .page_shift = 12};
	struct memmap_job job = {.variant = &variant,
	                         .memmap = memmap,
	                         .first_pfn = 0x180000,
	                         .start_pfn = 0x180000,
	                         .nr_pages = nr,
	                         .zone = ZONE_DEVICE,
	                         .pgmap = &pgmap};

	pgmap = (struct dev_pagemap){.type = type, .vmemmap_shift = order};
	assert_int_equal(memmap_base(&variant)(&job, NULL), nr);
}

static void assert_words(const struct page *page, const uint64_t expected[8])
{
	assert_memory_equal(page, expected, 64);
}

static void fsdax_words(void **state)
{
	(void)state;
	struct page *memmap = aligned_alloc(64, 16 * 64);

	build(memmap, MEMORY_DEVICE_FS_DAX, 0, 16);
	for (int i = 0; i < 16; i++)
		/* 7.x starts FS_DAX at 0 where the dump has 1: the one intended difference. */
		assert_words(memmap + i, (uint64_t[]){DEVICE_FLAGS, (uintptr_t)&pgmap, 0, 0, 0, 0,
		                                      0x00000000ffffffff, 0});
	free(memmap);
}

static void devdax_words(unsigned order)
{
	const uint64_t nr = 1ull << order;
	struct page *memmap = aligned_alloc(64, 2 * nr * 64);

	build(memmap, MEMORY_DEVICE_GENERIC, order, 2 * nr);
	for (struct page *head = memmap; head < memmap + 2 * nr; head += nr) {
		const uint64_t link = (uintptr_t)head | 1;

		assert_words(head, (uint64_t[]){DEVICE_FLAGS | 0x40, (uintptr_t)&pgmap, 0, 0, 0, 0,
		                                0x00000001ffffffff, 0});
		assert_words(head + 1, (uint64_t[]){DEVICE_FLAGS | order, link, ~0ull, 0, nr, 0,
		                                    0x00000000ffffffff, 0});
		for (uint64_t i = 2; i < nr; i++)
			assert_words(head + i,
			             (uint64_t[]){DEVICE_FLAGS, link, 0, 0xdead000000000400, 0, 0,
			                          0x00000000ffffffff, 0});
	}
	free(memmap);
}

static void devdax_2m_words(void **state)
{
	(void)state;
	devdax_words(9);
}

static void devdax_1g_words(void **state)
{
	(void)state;
	devdax_words(18);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fsdax_words),
		cmocka_unit_test(devdax_2m_words),
		cmocka_unit_test(devdax_1g_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
