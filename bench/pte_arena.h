/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What experiment=pte maps: 2 MiB folios whose descriptors the ordinary path initialised,
 * one page table for each, one process that has touched none of it. Everything here enters
 * the window by itself; false = a fault in it, described in arena->fault.
 */
#ifndef BENCH_PTE_ARENA_H
#define BENCH_PTE_ARENA_H

#include <pagestamp/pte_range.h>
#include <pagestamp/result.h>
#include <pagestamp/window.h>

#define PTE_FOLIOS_MAX   32
#define PTE_FOLIO_ORDER  9
#define PTE_FOLIO_PAGES  (1u << PTE_FOLIO_ORDER)
#define PTE_PAGES_MAX    (PTE_FOLIOS_MAX * PTE_FOLIO_PAGES)
#define PTE_TABLES_BYTES (PTE_FOLIOS_MAX * WINDOW_PAGE)
/* Descriptors, tables, and a copy of both for the proof. */
#define PTE_DESCRIPTORS_BYTES (PTE_PAGES_MAX * sizeof(struct page))
#define PTE_ARENA_BYTES       (2 * (PTE_DESCRIPTORS_BYTES + PTE_TABLES_BYTES))

/* What one pass over all windows left besides entries and descriptors. */
struct pte_totals {
	int64_t rss, anon, file_mapped;
	uint64_t mmap_miss;
	uint64_t nopage; /* windows whose walk said so */
};

struct pte_arena {
	struct page *page;
	uint64_t *table;
	struct page *saved_page; /* of the pass by page */
	uint64_t *saved_table;
	struct pte_totals saved_totals;
	unsigned nr_folios;
	uint64_t first_pfn;
	unsigned nid;
	uint64_t overhead_ticks;
	unsigned window_pages;
	enum pte_holes holes;
	struct folio folio[PTE_FOLIOS_MAX];
	struct node node;
	struct mm mm;
	struct file file;
	struct vm_area vma;
	struct pte_totals totals;
	struct window_fault fault;
};

/* Lays everything out in PTE_ARENA_BYTES at `at` in the window, and builds the descriptors. */
bool pte_arena_make(struct pte_arena *arena, void *at, unsigned nr_folios, uint64_t first_pfn,
                    unsigned nid);

/* Poisons pages, and the window's size for the passes to come. */
bool pte_arena_choose(struct pte_arena *arena, unsigned window_pages, enum pte_holes holes);

/* Nothing is mapped, then every window is, once: `ticks` of the latter. */
bool pte_arena_pass(struct pte_arena *arena, pte_walk walk, uint64_t *ticks);

/* Pages that are not poisoned. */
uint64_t pte_arena_mappable(const struct pte_arena *arena);
bool pte_is_poisoned(enum pte_holes holes, uint64_t page);

/* The fault of a window: a page that is no hole, where every second one is. */
uint64_t pte_faulting_page(uint64_t window, unsigned window_pages);

/*
 * After a pass by page: is everything as the rules say, page for page? It is kept for
 * pte_arena_compare(). False = no, `why` says where; or a fault (arena->fault.what is set).
 */
bool pte_arena_prove_page(struct pte_arena *arena, char *why, size_t size);
/* After a pass of another way: is it the same, but for young and contiguous bits? */
bool pte_arena_compare(struct pte_arena *arena, bool contiguous, char *why, size_t size);

#endif
