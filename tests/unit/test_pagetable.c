/* SPDX-License-Identifier: BSD-2-Clause */
/* links: boot/pagetable.c */
#include "boot/pagetable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define BLOCK (2ull << 20)
#define PAGE  4096ull
#define GIB   (1ull << 30)

/* ---- an architecture, memory and a firmware to test with ------------------- */

#define NX         (1ull << 63)
#define PRESENT    1ull
#define WRITABLE   2ull
#define TABLE      0x23ull
#define BLOCK_BIT  0x80ull
#define ENCRYPTION (1ull << 51)

static unsigned slot_shift;

uintptr_t arch_slot_address(const struct arch_paging *paging, unsigned slot)
{
	uint64_t va = (uint64_t)slot << slot_shift;
	unsigned top = slot_shift + 8; /* sign bit, as on x86-64 */

	(void)paging;
	return va >> top & 1 ? va | ~0ull << top : va;
}

static unsigned live, budget;

static uint64_t page_alloc(void *context)
{
	void *page;

	assert_ptr_equal(context, &live);
	if (!budget)
		return 0;
	budget--;
	page = aligned_alloc(PAGE, PAGE);
	assert_non_null(page);
	memset(page, 0, PAGE);
	live++;
	return (uintptr_t)page;
}

static void page_free(void *context, uint64_t page)
{
	assert_ptr_equal(context, &live);
	assert_true(live > 0);
	live--;
	free((void *)(uintptr_t)page);
}

static const struct pagetable_memory memory = {page_alloc, page_free, &live};
static uint64_t *firmware;
static struct arch_paging paging;
static struct pagetable pt;
static char why[160];

static void set_up(unsigned levels, uint64_t encryption)
{
	slot_shift = 12 + 9 * (levels - 1);
	budget = 1u << 20;
	memset(firmware, 0, PAGE);
	firmware[0] = 0x1000 | TABLE;
	firmware[300] = 0x2000 | TABLE;
	paging = (struct arch_paging){
		.root = (uintptr_t)firmware,
		.levels = levels,
		.top_entries = 512,
		.hole_first = 256,
		.hole_last = 511,
		.pa_bits = 46,
		.table_bits = TABLE | encryption,
		.address_mask = 0x000ffffffffff000 & ~encryption,
		.encryption = encryption,
	};
	for (unsigned level = 0; level < 2; level++)
		for (unsigned writable = 0; writable < 2; writable++)
			paging.leaf_bits[level][writable] = PRESENT | 0x20 | NX | encryption |
			                                    (level ? BLOCK_BIT : 0) |
			                                    (writable ? WRITABLE | 0x40 : 0);
	assert_true(pagetable_init(&pt, &paging, &memory, why, sizeof(why)));
}

static void tear_down(void)
{
	pagetable_fini(&pt);
	assert_int_equal(live, 0);
	assert_int_equal(pt.root, 0);
}

/* What hardware would find, walked without the code under test. 0 = fault. */
static uint64_t look(uintptr_t va, uint64_t *phys)
{
	uint64_t table = pt.root;

	for (int level = (int)paging.levels - 1;; level--) {
		unsigned shift = 12 + 9 * (unsigned)level;
		uint64_t entry = ((uint64_t *)(uintptr_t)table)[va >> shift & 511];
		uint64_t address = entry & paging.address_mask;

		if (!(entry & PRESENT))
			return 0;
		if (level == 0 || entry & BLOCK_BIT) {
			assert_int_equal(address & ((1ull << shift) - 1), 0);
			*phys = address | (va & ((1ull << shift) - 1));
			return entry;
		}
		assert_true((entry & ~paging.address_mask) == paging.table_bits);
		table = address;
	}
}

static void assert_page(uintptr_t va, uint64_t want, bool writable, bool block)
{
	uint64_t phys = 0, entry = look(va, &phys);

	assert_true(entry & PRESENT);
	assert_true(entry & NX);
	assert_true(phys == want);
	assert_int_equal(!!(entry & WRITABLE), writable);
	assert_int_equal(!!(entry & BLOCK_BIT), block);
}

static void assert_nothing(uintptr_t va)
{
	uint64_t phys;

	assert_true(look(va, &phys) == 0);
}

static int make_firmware(void **state)
{
	(void)state;
	firmware = aligned_alloc(PAGE, PAGE);
	return !firmware;
}

static int free_firmware(void **state)
{
	(void)state;
	free(firmware);
	return 0;
}

/* ---- tests ----------------------------------------------------------------- */

static void finds_the_hole(void **state)
{
	(void)state;
	set_up(4, 0);
	/* 16 TiB are 32 slots: they fit before the firmware's slot 300. */
	assert_int_equal(pt.first_slot, 256);
	assert_int_equal(pt.nr_slots, 32);
	assert_true(pt.base == 0xffff800000000000);
	assert_true(pt.size == 16ull << 40);
	tear_down();
}

static void hole_steps_over_used_slots(void **state)
{
	(void)state;
	set_up(4, 0);
	tear_down();
	firmware[260] = 0x3000 | TABLE;
	assert_true(pagetable_init(&pt, &paging, &memory, why, sizeof(why)));
	assert_int_equal(pt.first_slot, 261);
	tear_down();
}

static void hole_takes_what_exists(void **state)
{
	(void)state;
	set_up(4, 0);
	tear_down();
	for (unsigned slot = 256; slot < 512; slot += 4)
		firmware[slot] = 0x3000 | TABLE;
	assert_true(pagetable_init(&pt, &paging, &memory, why, sizeof(why)));
	/* Three in a row are free; a power of two is taken. */
	assert_int_equal(pt.first_slot, 257);
	assert_true(pt.size == 1ull << 40);
	tear_down();
}

static void hole_not_found(void **state)
{
	(void)state;
	set_up(4, 0);
	tear_down();
	for (unsigned slot = 256; slot < 512; slot++)
		firmware[slot] = 0x3000 | TABLE;
	assert_false(pagetable_init(&pt, &paging, &memory, why, sizeof(why)));
	assert_non_null(strstr(why, "64 GiB"));
	assert_int_equal(live, 0);
	pagetable_fini(&pt);
}

static void hole_of_three_levels(void **state)
{
	(void)state;
	set_up(3, 0);
	tear_down();
	/* 1 GiB a slot: 64 free ones are just enough, 63 are not. */
	memset(firmware, 0xff, PAGE);
	memset(&firmware[400], 0, 64 * 8);
	assert_true(pagetable_init(&pt, &paging, &memory, why, sizeof(why)));
	assert_int_equal(pt.first_slot, 400);
	assert_int_equal(pt.nr_slots, 64);
	assert_true(pt.size == 64 * GIB);
	tear_down();
	firmware[463] = PRESENT;
	assert_false(pagetable_init(&pt, &paging, &memory, why, sizeof(why)));
}

static void hole_behind_a_short_table(void **state)
{
	uint64_t *root;

	(void)state;
	set_up(4, 0);
	tear_down();
	paging.top_entries = paging.hole_first = 2;
	memset(firmware, 0xff, PAGE); /* what follows it is not a table */
	assert_true(pagetable_init(&pt, &paging, &memory, why, sizeof(why)));
	assert_int_equal(pt.first_slot, 2);
	assert_int_equal(pt.nr_slots, 32);
	root = (uint64_t *)(uintptr_t)pt.root;
	assert_true(root[1] == ~0ull && root[2] == 0 && root[511] == 0);
	tear_down();
}

static void copies_the_firmware_and_follows_it(void **state)
{
	uint64_t *root;

	(void)state;
	set_up(4, 0);
	root = (uint64_t *)(uintptr_t)pt.root;
	assert_true(root[0] == (0x1000 | TABLE) && root[300] == (0x2000 | TABLE));
	assert_true(pagetable_map(&pt, pt.base, 0, BLOCK, PAGETABLE_MEMORY));
	firmware[7] = 0x5000 | TABLE;
	firmware[256] = 0x6000 | TABLE;
	pagetable_refresh(&pt);
	assert_true(root[7] == (0x5000 | TABLE));
	assert_page(pt.base, 0, true, true);
	firmware[256] = 0;
	tear_down();
	/* The firmware's own table is only ever read. */
	assert_true(firmware[256] == 0 && firmware[0] == (0x1000 | TABLE));
}

static void maps_blocks(void **state)
{
	uintptr_t va;

	(void)state;
	set_up(4, 0);
	va = pt.base + GIB - BLOCK; /* across a table's end */
	assert_true(pagetable_map(&pt, va, 5 * BLOCK, 3 * BLOCK, PAGETABLE_MEMORY));
	assert_nothing(va - PAGE);
	assert_page(va, 5 * BLOCK, true, true);
	assert_page(va + 2 * BLOCK + 0x12345, 7 * BLOCK + 0x12345, true, true);
	assert_nothing(va + 3 * BLOCK);
	assert_int_equal(live, 1 + 1 + 2); /* root, one table of 512 GiB, two of 1 GiB */
	pagetable_unmap(&pt, va, 3 * BLOCK);
	assert_nothing(va);
	assert_int_equal(live, 1);
	tear_down();
}

static void ends_are_pages(void **state)
{
	uintptr_t va;

	(void)state;
	set_up(4, 0);
	va = pt.base + BLOCK - PAGE;
	assert_true(pagetable_map(&pt, va, BLOCK - PAGE, BLOCK + 2 * PAGE, PAGETABLE_MEMORY));
	assert_page(va, BLOCK - PAGE, true, false);
	assert_page(va + PAGE, BLOCK, true, true);
	assert_page(va + PAGE + BLOCK, 2 * BLOCK, true, false);
	assert_nothing(va + 2 * PAGE + BLOCK);
	tear_down();
}

static void misaligned_is_pages(void **state)
{
	(void)state;
	set_up(4, 0);
	assert_true(pagetable_map(&pt, pt.base, 3 * PAGE, 2 * BLOCK, PAGETABLE_MEMORY));
	for (uint64_t at = 0; at < 2 * BLOCK; at += PAGE)
		assert_page(pt.base + at, 3 * PAGE + at, true, false);
	assert_nothing(pt.base + 2 * BLOCK);
	pagetable_unmap(&pt, pt.base, 2 * BLOCK);
	assert_int_equal(live, 1);
	tear_down();
}

static void unmap_of_a_part_keeps_the_rest(void **state)
{
	(void)state;
	set_up(4, 0);
	assert_true(pagetable_map(&pt, pt.base, 0, 2 * BLOCK, PAGETABLE_DEVICE_READONLY));
	pagetable_unmap(&pt, pt.base + PAGE, PAGE);
	assert_page(pt.base, 0, false, false);
	assert_nothing(pt.base + PAGE);
	assert_page(pt.base + 2 * PAGE, 2 * PAGE, false, false);
	assert_page(pt.base + BLOCK, BLOCK, false, true);
	/* What is not mapped can be unmapped as well. */
	pagetable_unmap(&pt, pt.base, 4 * BLOCK);
	pagetable_unmap(&pt, pt.base, pt.size);
	assert_int_equal(live, 1);
	tear_down();
}

static void unmap_without_memory_for_the_rest(void **state)
{
	(void)state;
	set_up(4, 0);
	assert_true(pagetable_map(&pt, pt.base, 0, 2 * BLOCK, PAGETABLE_MEMORY));
	budget = 0;
	pagetable_unmap(&pt, pt.base + PAGE, PAGE);
	assert_nothing(pt.base + PAGE);
	assert_page(pt.base + BLOCK, BLOCK, true, true);
	tear_down();
}

static void maps_over_what_was_there(void **state)
{
	(void)state;
	set_up(4, 0);
	assert_true(pagetable_map(&pt, pt.base, 0, BLOCK, PAGETABLE_MEMORY));
	assert_true(pagetable_map(&pt, pt.base + PAGE, 9 * PAGE, PAGE, PAGETABLE_MEMORY));
	assert_page(pt.base, 0, true, false);
	assert_page(pt.base + PAGE, 9 * PAGE, true, false);
	assert_page(pt.base + 2 * PAGE, 2 * PAGE, true, false);
	assert_int_equal(live, 4);
	/* A block where a table was: the table is given back. */
	assert_true(pagetable_map(&pt, pt.base, 4 * BLOCK, BLOCK, PAGETABLE_MEMORY));
	assert_page(pt.base, 4 * BLOCK, true, true);
	assert_int_equal(live, 3);
	tear_down();
}

static void aliases(void **state)
{
	uintptr_t va, target;

	(void)state;
	set_up(4, 0);
	va = pt.base + 64 * GIB;
	target = pt.base + 5 * PAGE;
	assert_true(pagetable_map(&pt, pt.base, 8 * BLOCK, BLOCK, PAGETABLE_MEMORY));
	assert_true(pagetable_alias(&pt, va, target, 2 * BLOCK));
	for (uint64_t at = 0; at < 2 * BLOCK; at += PAGE)
		assert_page(va + at, 8 * BLOCK + 5 * PAGE, false, false);
	assert_page(target, 8 * BLOCK + 5 * PAGE, true, true);
	/* Of a page mapped by 4 KiB, over something mapped, and of an alias. */
	assert_true(pagetable_alias(&pt, pt.base + PAGE, va + 3 * PAGE, PAGE));
	assert_page(pt.base + PAGE, 8 * BLOCK + 5 * PAGE, false, false);
	assert_page(pt.base + 2 * PAGE, 8 * BLOCK + 2 * PAGE, true, false);
	/* Of nothing. */
	assert_false(pagetable_alias(&pt, va, pt.base + GIB, PAGE));
	assert_false(pagetable_alias(&pt, va, pt.base - PAGE, PAGE));
	pagetable_unmap(&pt, va, 2 * BLOCK);
	pagetable_unmap(&pt, pt.base, BLOCK);
	assert_int_equal(live, 1);
	tear_down();
}

static void kinds(void **state)
{
	(void)state;
	set_up(4, 0);
	assert_true(pagetable_map(&pt, pt.base, 0, PAGE, PAGETABLE_MEMORY));
	assert_true(pagetable_map(&pt, pt.base + PAGE, 0, PAGE, PAGETABLE_DEVICE));
	assert_true(pagetable_map(&pt, pt.base + 2 * PAGE, 0, PAGE, PAGETABLE_DEVICE_READONLY));
	assert_page(pt.base, 0, true, false);
	assert_page(pt.base + PAGE, 0, true, false);
	assert_page(pt.base + 2 * PAGE, 0, false, false);
	tear_down();
}

static void five_levels(void **state)
{
	(void)state;
	set_up(5, 0);
	assert_true(pt.base == 0xff00000000000000);
	assert_int_equal(pt.nr_slots, 1);
	assert_true(pt.size == 16ull << 40);
	assert_true(pagetable_map(&pt, pt.base + pt.size - BLOCK, BLOCK, BLOCK, PAGETABLE_MEMORY));
	assert_page(pt.base + pt.size - 1, 2 * BLOCK - 1, true, true);
	assert_int_equal(live, 4);
	tear_down();
}

static void three_levels(void **state)
{
	(void)state;
	set_up(3, 0);
	assert_true(pagetable_map(&pt, pt.base + GIB - BLOCK, 0, 2 * BLOCK, PAGETABLE_MEMORY));
	assert_page(pt.base + GIB, BLOCK, true, true);
	assert_int_equal(live, 3);
	assert_true(pagetable_alias(&pt, pt.base, pt.base + GIB, PAGE));
	assert_page(pt.base, BLOCK, false, false);
	tear_down();
}

static void carries_the_encryption_bit(void **state)
{
	uint64_t phys;
	uintptr_t at[4];

	(void)state;
	set_up(4, ENCRYPTION);
	for (unsigned i = 0; i < 4; i++)
		at[i] = pt.base + i * BLOCK;
	assert_true(pagetable_map(&pt, at[0], 0, BLOCK, PAGETABLE_MEMORY));
	assert_true(pagetable_map(&pt, at[1], BLOCK, BLOCK, PAGETABLE_DEVICE));
	assert_true(look(at[0], &phys) & ENCRYPTION);
	assert_false(look(at[1], &phys) & ENCRYPTION);
	/* It survives cutting a block and goes with an alias. */
	assert_true(pagetable_alias(&pt, at[2], at[0] + PAGE, PAGE));
	assert_true(pagetable_alias(&pt, at[3], at[1] + PAGE, PAGE));
	assert_true(look(at[2], &phys) & ENCRYPTION && phys == PAGE);
	assert_true(!(look(at[3], &phys) & ENCRYPTION) && phys == BLOCK + PAGE);
	pagetable_unmap(&pt, at[0], PAGE);
	pagetable_unmap(&pt, at[1], PAGE);
	assert_true(look(at[0] + PAGE, &phys) & ENCRYPTION);
	assert_false(look(at[1] + PAGE, &phys) & ENCRYPTION);
	assert_page(at[1] + PAGE, BLOCK + PAGE, true, false);
	tear_down();
}

static void refuses_what_is_out_of_bounds(void **state)
{
	uintptr_t end;

	(void)state;
	set_up(4, 0);
	end = pt.base + pt.size;
	assert_false(pagetable_map(&pt, pt.base - PAGE, 0, 2 * PAGE, PAGETABLE_MEMORY));
	assert_false(pagetable_map(&pt, end - PAGE, 0, 2 * PAGE, PAGETABLE_MEMORY));
	assert_false(pagetable_map(&pt, pt.base, 0, ~0ull - PAGE + 1, PAGETABLE_MEMORY));
	assert_false(pagetable_map(&pt, pt.base + 1, 0, PAGE, PAGETABLE_MEMORY));
	assert_false(pagetable_map(&pt, pt.base, 1, PAGE, PAGETABLE_MEMORY));
	assert_false(pagetable_map(&pt, pt.base, 0, PAGE + 1, PAGETABLE_MEMORY));
	/* Beyond what an entry can address. */
	assert_false(pagetable_map(&pt, pt.base, 1ull << 46, PAGE, PAGETABLE_MEMORY));
	assert_false(pagetable_map(&pt, pt.base, (1ull << 46) - PAGE, 2 * PAGE, PAGETABLE_MEMORY));
	assert_false(pagetable_map(&pt, pt.base, ~0ull - PAGE + 1, PAGE, PAGETABLE_MEMORY));
	assert_false(pagetable_alias(&pt, end, pt.base, PAGE));
	assert_int_equal(live, 1);
	assert_true(pagetable_map(&pt, end - PAGE, (1ull << 46) - PAGE, PAGE, PAGETABLE_MEMORY));
	assert_true(pagetable_map(&pt, pt.base, 0, 0, PAGETABLE_MEMORY));
	tear_down();
}

/* From the smallest machine to the largest: the last page that it can have, and none beyond. */
static void every_width_of_addresses(void **state)
{
	(void)state;
	for (unsigned levels = 3; levels <= 5; levels++)
		for (unsigned width = 36; width <= 52; width++) {
			const uint64_t end = 1ull << width;

			set_up(levels, 0);
			pagetable_fini(&pt);
			paging.pa_bits = width;
			assert_true(pagetable_init(&pt, &paging, &memory, why, sizeof(why)));
			assert_false(pagetable_map(&pt, pt.base, end, PAGE, PAGETABLE_DEVICE));
			assert_false(pagetable_map(&pt, pt.base, end - BLOCK, BLOCK + PAGE,
			                           PAGETABLE_DEVICE));
			assert_nothing(pt.base);
			assert_true(
				pagetable_map(&pt, pt.base, end - BLOCK, BLOCK, PAGETABLE_MEMORY));
			assert_page(pt.base + BLOCK - PAGE, end - PAGE, true, true);
			assert_true(pagetable_map(&pt, pt.base + GIB, end - PAGE, PAGE,
			                          PAGETABLE_DEVICE_READONLY));
			assert_page(pt.base + GIB, end - PAGE, false, false);
			/* as an alias, and when its block is cut */
			assert_true(pagetable_alias(&pt, pt.base + BLOCK, pt.base + BLOCK - PAGE,
			                            PAGE));
			assert_page(pt.base + BLOCK, end - PAGE, false, false);
			pagetable_unmap(&pt, pt.base, PAGE);
			assert_page(pt.base + BLOCK - PAGE, end - PAGE, true, false);
			tear_down();
		}
}

/* However early memory ends: no half-made mapping, nothing lost. */
static void out_of_memory(void **state)
{
	unsigned enough;

	(void)state;
	for (enough = 0;; enough++) {
		bool done;

		set_up(4, 0);
		tear_down();
		budget = enough;
		if (!pagetable_init(&pt, &paging, &memory, why, sizeof(why))) {
			assert_int_equal(live, 0);
			continue;
		}
		done = pagetable_map(&pt, pt.base + GIB - PAGE, PAGE, 2 * BLOCK, PAGETABLE_MEMORY);
		if (done) {
			done = pagetable_alias(&pt, pt.base + 2 * GIB, pt.base + GIB, BLOCK);
		} else {
			assert_nothing(pt.base + GIB - PAGE);
			assert_nothing(pt.base + GIB);
			assert_int_equal(live, 1);
		}
		tear_down();
		if (done)
			break;
	}
	/* The root, one of 512 GiB, two of 1 GiB, three of 2 MiB; two for the alias. */
	assert_int_equal(enough, 1 + 1 + 2 + 3 + 2);
}

/* A table of the caller's: used as it stands, and never freed or looked into by us. */
static void tables_of_the_caller(void **state)
{
	uint64_t *mine = aligned_alloc(PAGE, PAGE), phys;
	unsigned before;

	(void)state;
	set_up(4, ENCRYPTION);
	before = live;
	memset(mine, 0, PAGE);
	mine[7] = 0x12345000 | paging.leaf_bits[0][0];
	assert_true(pagetable_set_table(&pt, pt.base + 4 * BLOCK, (uintptr_t)mine));
	assert_int_equal(look(pt.base + 4 * BLOCK + 7 * PAGE, &phys), mine[7]);
	assert_int_equal(phys, 0x12345000);
	assert_int_equal(look(pt.base + 4 * BLOCK + 8 * PAGE, &phys), 0);
	mine[8] = 0x777000 | paging.leaf_bits[0][0]; /* changed while it is in place */
	assert_int_equal(look(pt.base + 4 * BLOCK + 8 * PAGE, &phys), mine[8]);
	assert_true(pagetable_set_table(&pt, pt.base + 4 * BLOCK, 0));
	assert_int_equal(look(pt.base + 4 * BLOCK + 7 * PAGE, &phys), 0);
	assert_int_equal(live, before);
	assert_int_equal(mine[7], 0x12345000 | paging.leaf_bits[0][0]);

	/* In place of a mapped block, and of a cut one, whose table is given back. */
	assert_true(pagetable_map(&pt, pt.base, 8 * BLOCK, BLOCK, PAGETABLE_MEMORY));
	assert_true(pagetable_map(&pt, pt.base + BLOCK, 9 * BLOCK, PAGE, PAGETABLE_MEMORY));
	before = live;
	assert_true(pagetable_set_table(&pt, pt.base, (uintptr_t)mine));
	assert_int_equal(look(pt.base + 7 * PAGE, &phys), mine[7]);
	assert_true(pagetable_set_table(&pt, pt.base + BLOCK, (uintptr_t)mine));
	assert_int_equal(live, before - 1);
	assert_true(pagetable_set_table(&pt, pt.base, 0));
	assert_true(pagetable_set_table(&pt, pt.base + BLOCK, 0));

	/* Out of bounds, not aligned, no memory; nothing there to take out. */
	assert_false(pagetable_set_table(&pt, pt.base - BLOCK, (uintptr_t)mine));
	assert_false(pagetable_set_table(&pt, pt.base + pt.size, (uintptr_t)mine));
	assert_false(pagetable_set_table(&pt, pt.base + PAGE, (uintptr_t)mine));
	assert_false(pagetable_set_table(&pt, pt.base, (uintptr_t)mine + 8));
	assert_false(pagetable_set_table(&pt, pt.base, 1ull << 52));
	assert_true(pagetable_set_table(&pt, pt.base + 100 * BLOCK, 0));
	budget = 1;
	assert_false(pagetable_set_table(&pt, pt.base, (uintptr_t)mine));
	assert_int_equal(look(pt.base + 7 * PAGE, &phys), 0);
	tear_down();
	free(mine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_hole),
		cmocka_unit_test(hole_steps_over_used_slots),
		cmocka_unit_test(hole_takes_what_exists),
		cmocka_unit_test(hole_not_found),
		cmocka_unit_test(hole_of_three_levels),
		cmocka_unit_test(hole_behind_a_short_table),
		cmocka_unit_test(copies_the_firmware_and_follows_it),
		cmocka_unit_test(maps_blocks),
		cmocka_unit_test(ends_are_pages),
		cmocka_unit_test(misaligned_is_pages),
		cmocka_unit_test(unmap_of_a_part_keeps_the_rest),
		cmocka_unit_test(unmap_without_memory_for_the_rest),
		cmocka_unit_test(maps_over_what_was_there),
		cmocka_unit_test(aliases),
		cmocka_unit_test(kinds),
		cmocka_unit_test(five_levels),
		cmocka_unit_test(three_levels),
		cmocka_unit_test(carries_the_encryption_bit),
		cmocka_unit_test(refuses_what_is_out_of_bounds),
		cmocka_unit_test(every_width_of_addresses),
		cmocka_unit_test(out_of_memory),
		cmocka_unit_test(tables_of_the_caller),
	};

	return cmocka_run_group_tests(tests, make_firmware, free_firmware);
}
