/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/pagetable.h"

#include <stdio.h>
#include <string.h>

#define PAGE     4096ull
#define ENTRIES  512u
#define MAX_SIZE (16ull << 40)
#define MIN_SIZE (64ull << 30)

/* What a stretch of addresses is to become. */
struct leaf {
	uint64_t phys;
	uint64_t bits[2]; /* by level */
	bool same;        /* every page is the one at phys */
};

static unsigned shift_of(unsigned level)
{
	return 12 + 9 * level;
}

static uint64_t span_of(unsigned level)
{
	return 1ull << shift_of(level);
}

static uint64_t *table_at(uint64_t phys)
{
	return (uint64_t *)(uintptr_t)phys;
}

static uint64_t address_of(const struct pagetable *pt, uint64_t entry)
{
	return entry & pt->paging.address_mask;
}

static uint64_t *entry_of(uint64_t *table, unsigned level, uintptr_t va)
{
	return &table[(va >> shift_of(level)) % ENTRIES];
}

/* Only an entry of ours can be asked: the firmware's may have other bits. */
static bool is_table(const struct pagetable *pt, uint64_t entry, unsigned level)
{
	return arch_pte_present(entry) && level > 0 &&
	       (entry & ~pt->paging.address_mask) == pt->paging.table_bits;
}

/* How much of [va, va + size) lies under the entry that holds va. */
static uint64_t part_of(unsigned level, uintptr_t va, uint64_t size)
{
	uint64_t left = span_of(level) - va % span_of(level);

	return size < left ? size : left;
}

/* ---- tables -------------------------------------------------------------- */

static void free_tables(struct pagetable *pt, uint64_t *entry, unsigned level)
{
	if (is_table(pt, *entry, level)) {
		uint64_t page = address_of(pt, *entry);

		for (unsigned i = 0; i < ENTRIES; i++)
			free_tables(pt, &table_at(page)[i], level - 1);
		pt->memory.free(pt->memory.context, page);
	}
	*entry = 0;
}

static void free_if_empty(struct pagetable *pt, uint64_t *entry, unsigned level)
{
	for (unsigned i = 0; i < ENTRIES; i++)
		if (table_at(address_of(pt, *entry))[i])
			return;
	free_tables(pt, entry, level);
}

/* The 4 KiB attributes that say the same as those of a 2 MiB entry of ours. */
static uint64_t page_bits(const struct pagetable *pt, uint64_t block)
{
	const struct arch_paging *paging = &pt->paging;
	uint64_t ignored = paging->address_mask | paging->encryption;
	bool writable = ((block ^ paging->leaf_bits[1][1]) & ~ignored) == 0;

	return (paging->leaf_bits[0][writable] & ~paging->encryption) |
	       (block & paging->encryption);
}

/* The table below an entry, made if there is none; a block is cut into pages. */
static uint64_t *open_table(struct pagetable *pt, uint64_t *entry, unsigned level)
{
	uint64_t page;

	if (is_table(pt, *entry, level))
		return table_at(address_of(pt, *entry));
	page = pt->memory.alloc(pt->memory.context);
	if (!page)
		return NULL;
	if (arch_pte_present(*entry)) {
		uint64_t bits = page_bits(pt, *entry);

		for (unsigned i = 0; i < ENTRIES; i++)
			table_at(page)[i] = (address_of(pt, *entry) + i * PAGE) | bits;
	}
	*entry = page | pt->paging.table_bits;
	return table_at(page);
}

/* ---- walks --------------------------------------------------------------- */

static bool set_range(struct pagetable *pt, uint64_t *table, unsigned level, uintptr_t va,
                      uint64_t size, struct leaf *leaf)
{
	while (size) {
		uint64_t *entry = entry_of(table, level, va);
		uint64_t part = part_of(level, va, size);
		bool block = level == 1 && part == span_of(1) && !leaf->same &&
		             leaf->phys % span_of(1) == 0;

		if (level == 0 || block) {
			free_tables(pt, entry, level);
			*entry = leaf->phys | leaf->bits[level];
			if (!leaf->same)
				leaf->phys += part;
		} else {
			uint64_t *below = open_table(pt, entry, level);

			if (!below || !set_range(pt, below, level - 1, va, part, leaf))
				return false;
		}
		va += part;
		size -= part;
	}
	return true;
}

static void clear_range(struct pagetable *pt, uint64_t *table, unsigned level, uintptr_t va,
                        uint64_t size)
{
	while (size) {
		uint64_t *entry = entry_of(table, level, va);
		uint64_t part = part_of(level, va, size);
		uint64_t *below = NULL;

		if (arch_pte_present(*entry) && part < span_of(level))
			below = open_table(pt, entry, level);
		if (below) {
			clear_range(pt, below, level - 1, va, part);
			free_if_empty(pt, entry, level);
		} else {
			free_tables(pt, entry, level);
		}
		va += part;
		size -= part;
	}
}

/* The 4 KiB page at va as address and encryption bit, or 0. */
static uint64_t page_at(const struct pagetable *pt, uintptr_t va)
{
	uint64_t entry = pt->root | pt->paging.table_bits;
	unsigned level = pt->paging.levels;

	while (is_table(pt, entry, level)) {
		level--;
		entry = *entry_of(table_at(address_of(pt, entry)), level, va);
	}
	if (!arch_pte_present(entry))
		return 0;
	return (address_of(pt, entry) + va % span_of(level) / PAGE * PAGE) |
	       (entry & pt->paging.encryption);
}

/* ---- what the header says ------------------------------------------------ */

static bool inside(const struct pagetable *pt, uintptr_t va, uint64_t size)
{
	return (va | size) % PAGE == 0 && va >= pt->base && va - pt->base <= pt->size &&
	       size <= pt->size - (va - pt->base);
}

static bool set(struct pagetable *pt, uintptr_t va, uint64_t size, struct leaf *leaf)
{
	if (set_range(pt, table_at(pt->root), pt->paging.levels - 1, va, size, leaf))
		return true;
	pagetable_unmap(pt, va, size);
	return false;
}

bool pagetable_map(struct pagetable *pt, uintptr_t va, uint64_t phys, uint64_t size,
                   enum pagetable_kind kind)
{
	const struct arch_paging *paging = &pt->paging;
	uint64_t without = kind == PAGETABLE_MEMORY ? 0 : paging->encryption;
	bool writable = kind != PAGETABLE_DEVICE_READONLY;
	uint64_t limit = 1ull << paging->pa_bits;
	struct leaf leaf = {.phys = phys,
	                    .bits = {paging->leaf_bits[0][writable] & ~without,
	                             paging->leaf_bits[1][writable] & ~without}};

	if (!inside(pt, va, size) || phys % PAGE || phys > limit || size > limit - phys)
		return false;
	return set(pt, va, size, &leaf);
}

bool pagetable_alias(struct pagetable *pt, uintptr_t va, uintptr_t target, uint64_t size)
{
	uint64_t bits = pt->paging.leaf_bits[0][0] & ~pt->paging.encryption;
	struct leaf leaf = {.bits = {bits, 0}, .same = true};

	if (!inside(pt, va, size) || !inside(pt, target, PAGE))
		return false;
	leaf.phys = page_at(pt, target);
	return leaf.phys && set(pt, va, size, &leaf);
}

void pagetable_unmap(struct pagetable *pt, uintptr_t va, uint64_t size)
{
	if (inside(pt, va, size))
		clear_range(pt, table_at(pt->root), pt->paging.levels - 1, va, size);
}

/* The entry of the 2 MiB at va, the tables above it made; NULL = no memory. */
static uint64_t *block_entry(struct pagetable *pt, uintptr_t va)
{
	uint64_t *table = table_at(pt->root);

	for (unsigned level = pt->paging.levels - 1; table && level > 1; level--)
		table = open_table(pt, entry_of(table, level, va), level);
	return table ? entry_of(table, 1, va) : NULL;
}

bool pagetable_set_table(struct pagetable *pt, uintptr_t va, uint64_t table)
{
	uint64_t *entry;

	if (!inside(pt, va, span_of(1)) || va % span_of(1) || table & ~pt->paging.address_mask)
		return false;
	entry = block_entry(pt, va);
	if (entry && table) {
		free_tables(pt, entry, 1);
		*entry = table | pt->paging.table_bits;
		return true;
	}
	if (entry)
		*entry = 0; /* what is the caller's is not ours to free */
	pagetable_unmap(pt, va, span_of(1));
	return entry;
}

static bool in_hole(const struct pagetable *pt, unsigned slot)
{
	return slot >= pt->first_slot && slot < pt->first_slot + pt->nr_slots;
}

void pagetable_refresh(struct pagetable *pt)
{
	const uint64_t *firmware = table_at(pt->paging.root);

	for (unsigned slot = 0; slot < pt->paging.top_entries; slot++)
		if (!in_hole(pt, slot))
			table_at(pt->root)[slot] = firmware[slot];
}

static bool find_hole(struct pagetable *pt, unsigned nr)
{
	const uint64_t *firmware = table_at(pt->paging.root);
	unsigned run = 0;

	for (unsigned slot = pt->paging.hole_first; slot <= pt->paging.hole_last; slot++) {
		/* The firmware's table may end before ours does: there is room behind it. */
		bool used = slot < pt->paging.top_entries && arch_pte_present(firmware[slot]);

		run = used ? 0 : run + 1;
		if (run == nr) {
			pt->first_slot = slot + 1 - nr;
			pt->nr_slots = nr;
			return true;
		}
	}
	return false;
}

bool pagetable_init(struct pagetable *pt, const struct arch_paging *paging,
                    const struct pagetable_memory *memory, char *why, size_t why_size)
{
	uint64_t slot_size = span_of(paging->levels - 1);
	uint64_t size = MAX_SIZE;

	*pt = (struct pagetable){.paging = *paging, .memory = *memory};
	while (!find_hole(pt, size > slot_size ? size / slot_size : 1)) {
		size /= 2;
		if (size < MIN_SIZE) {
			snprintf(why, why_size,
			         "no 64 GiB of address space that the firmware leaves free");
			return false;
		}
	}
	pt->base = arch_slot_address(paging, pt->first_slot);
	pt->size = size > slot_size ? size : slot_size < MAX_SIZE ? slot_size : MAX_SIZE;

	pt->root = memory->alloc(memory->context);
	if (!pt->root) {
		snprintf(why, why_size, "no memory for page tables");
		return false;
	}
	pagetable_refresh(pt);
	return true;
}

void pagetable_fini(struct pagetable *pt)
{
	if (!pt->root)
		return;
	for (unsigned slot = 0; slot < pt->nr_slots; slot++)
		free_tables(pt, &table_at(pt->root)[pt->first_slot + slot], pt->paging.levels - 1);
	pt->memory.free(pt->memory.context, pt->root);
	*pt = (struct pagetable){0};
}
