/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/pte_arena.h"
#include "mm/memmap.h"
#include <arch/pte.h>
#include <arch/pte_hardware.h>
#include <pagestamp/counter.h>
#include <string.h>

/* Where a process's file mapping could begin: at a page table's begin. */
#define VMA_START 0x7f0000000000ull

/* More than windows fall, so that the counter never stops at 0. */
#define MMAP_MISS (1u << 20)

/* ---- in the window ---------------------------------------------------------------- */

static void build_descriptors(void *arg)
{
	static const struct memmap_variant variant = {.size = 64, .page_shift = 12};
	const struct pte_arena *arena = arg;
	/* Not optimised: each page counts its own mappings. */
	const struct dev_pagemap pgmap = {
		.type = MEMORY_DEVICE_GENERIC,
		.vmemmap_shift = PTE_FOLIO_ORDER,
	};
	const struct memmap_job job = {
		.variant = &variant,
		.memmap = arena->page,
		.first_pfn = arena->first_pfn,
		.start_pfn = arena->first_pfn,
		.nr_pages = (uint64_t)arena->nr_folios * PTE_FOLIO_PAGES,
		.zone = ZONE_DEVICE,
		.nid = arena->nid,
		.pgmap = &pgmap,
	};

	memmap_base (&variant)(&job, NULL);
}

static void set_poison(void *arg)
{
	struct pte_arena *arena = arg;
	const uint64_t nr = (uint64_t)arena->nr_folios * PTE_FOLIO_PAGES;

	for (uint64_t i = 0; i < nr; i++) {
		arena->page[i].flags &= ~(1ull << PG_hwpoison);
		if (pte_is_poisoned(arena->holes, i))
			arena->page[i].flags |= 1ull << PG_hwpoison;
	}
}

static void unmap_everything(struct pte_arena *arena)
{
	for (unsigned f = 0; f < arena->nr_folios; f++)
		folio_forget_mappings(&arena->folio[f], 0, PTE_FOLIO_PAGES);
	memset(arena->table, 0, arena->nr_folios * WINDOW_PAGE);
	memset(&arena->node, 0, sizeof(arena->node));
	memset(arena->mm.rss_stat, 0, sizeof(arena->mm.rss_stat));
	arena->file.mmap_miss = MMAP_MISS;
}

struct pass {
	struct pte_arena *arena;
	pte_walk walk;
	uint64_t ticks, nopage;
};

static void run_pass(void *arg)
{
	struct pass *pass = arg;
	struct pte_arena *arena = pass->arena;
	const unsigned pages = arena->window_pages;
	const uint64_t nr = (uint64_t)arena->nr_folios * PTE_FOLIO_PAGES / pages;
	struct vm_fault vmf = {.vma = &arena->vma};
	uint64_t nopage = 0, begin;

	unmap_everything(arena);
	begin = counter_begin();
	for (uint64_t window = 0; window < nr; window++) {
		const uint64_t first = window * pages;

		vmf.address = VMA_START + pte_faulting_page(window, pages) * PTE_PAGE;
		vmf.pte = arena->table + first;
		nopage += pass->walk(&vmf, &arena->folio[first / PTE_FOLIO_PAGES], first,
		                     first + pages - 1) == VM_FAULT_NOPAGE;
	}
	pass->ticks = counter_end() - begin;
	pass->nopage = nopage;
}

/* ---- what the header says ----------------------------------------------------------- */

/* Without a table of its own: one page in four, the same ones in every run. */
static bool is_random_hole(uint64_t page)
{
	uint64_t mixed = (page + 1) * 0x9e3779b97f4a7c15ull;

	return (mixed ^ mixed >> 29) >> 40 & 1 && mixed >> 50 & 1;
}

bool pte_is_poisoned(enum pte_holes holes, uint64_t page)
{
	switch (holes) {
	case HOLES_EVERY_2ND:
		return page % 2;
	case HOLES_RANDOM:
		return is_random_hole(page);
	default:
		return false;
	}
}

uint64_t pte_faulting_page(uint64_t window, unsigned window_pages)
{
	return window * window_pages + window * 6 % window_pages;
}

uint64_t pte_arena_mappable(const struct pte_arena *arena)
{
	const uint64_t nr = (uint64_t)arena->nr_folios * PTE_FOLIO_PAGES;
	uint64_t mappable = 0;

	for (uint64_t i = 0; i < nr; i++)
		mappable += !pte_is_poisoned(arena->holes, i);
	return mappable;
}

bool pte_arena_make(struct pte_arena *arena, void *at, unsigned nr_folios, uint64_t first_pfn,
                    unsigned nid)
{
	char *to = at;

	*arena = (struct pte_arena){
		.page = at,
		.table = (uint64_t *)(to + PTE_DESCRIPTORS_BYTES),
		.saved_page = (struct page *)(to + PTE_ARENA_BYTES / 2),
		.saved_table = (uint64_t *)(to + PTE_ARENA_BYTES / 2 + PTE_DESCRIPTORS_BYTES),
		.nr_folios = nr_folios,
		.first_pfn = first_pfn,
		.nid = nid,
	};
	for (unsigned f = 0; f < nr_folios; f++)
		arena->folio[f] = (struct folio){
			.page = arena->page + f * PTE_FOLIO_PAGES,
			.pfn = first_pfn + f * PTE_FOLIO_PAGES,
			.index = f * PTE_FOLIO_PAGES,
		};
	arena->mm.node = &arena->node;
	arena->file.size = (uint64_t)nr_folios * PTE_FOLIO_PAGES * PTE_PAGE;
	arena->vma = (struct vm_area){
		.start = VMA_START,
		.end = VMA_START + arena->file.size,
		.page_prot = PAGE_READONLY,
		.old_prefaulted = arch_wants_old_prefaulted_pte(),
		.mm = &arena->mm,
		.file = &arena->file,
	};
	return window_run(build_descriptors, arena, &arena->fault);
}

bool pte_arena_choose(struct pte_arena *arena, unsigned window_pages, enum pte_holes holes)
{
	arena->window_pages = window_pages;
	arena->holes = holes;
	return window_run(set_poison, arena, &arena->fault);
}

bool pte_arena_pass(struct pte_arena *arena, pte_walk walk, uint64_t *ticks)
{
	struct pass pass = {.arena = arena, .walk = walk};

	if (!window_run(run_pass, &pass, &arena->fault))
		return false;
	*ticks = pass.ticks > arena->overhead_ticks ? pass.ticks - arena->overhead_ticks : 0;
	arena->totals = (struct pte_totals){
		.rss = mm_counter_sum(&arena->mm, MM_FILEPAGES),
		.anon = mm_counter_sum(&arena->mm, MM_ANONPAGES),
		.file_mapped = node_stat_sum(&arena->node, NR_FILE_MAPPED),
		.mmap_miss = MMAP_MISS - arena->file.mmap_miss,
		.nopage = pass.nopage,
	};
	return true;
}
