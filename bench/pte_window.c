/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries that mapping by run stored, used by the CPU: real table, real memory, real loads. */
#include "bench/pte.h"
#include "mm/memmap.h"
#include <arch/pte.h>
#include <arch/pte_hardware.h>
#include <pagestamp/pte_range.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define NR_PAGES PTRS_PER_PTE
/* Two holes: the fault lies in the run between them. */
#define HOLE_1 100u
#define HOLE_2 300u
#define FAULT  200u

/* Window addresses: what is mapped, the same memory to fill it by, and its table. */
struct visit {
	uintptr_t at;
	uint64_t *memory, *table;
	pte_walk walk;
	struct folio folio;
	struct node node;
	struct mm mm;
	struct file file;
	struct vm_area vma;
	struct vm_fault vmf;
	unsigned returned;
	unsigned mapped, young_before, young_after, right; /* pages */
	unsigned poke;                                     /* page that is accessed alone */
	struct window_fault fault;
};

/* ---- in the window --------------------------------------------------------------- */

static uint64_t word_of(uint64_t page)
{
	return (page + 1) * 0x9e3779b97f4a7c15ull;
}

static unsigned young_entries(const struct visit *visit)
{
	unsigned nr = 0;

	for (unsigned i = 0; i < NR_PAGES; i++)
		nr += !pte_none(visit->table[i]) &&
		      pte_young(*(const volatile uint64_t *)&visit->table[i]);
	return nr;
}

static void fill_and_map(void *arg)
{
	struct visit *visit = arg;
	const unsigned words = WINDOW_PAGE / 8;

	for (unsigned i = 0; i < NR_PAGES; i++) {
		visit->memory[i * words] = word_of(i);
		visit->memory[i * words + words - 1] = ~word_of(i);
		visit->table[i] = 0;
	}
	visit->returned = visit->walk(&visit->vmf, &visit->folio, 0, NR_PAGES - 1);
	for (unsigned i = 0; i < NR_PAGES; i++)
		visit->mapped += !pte_none(visit->table[i]);
	visit->young_before = young_entries(visit);
}

static void read_all(void *arg)
{
	struct visit *visit = arg;
	const unsigned words = WINDOW_PAGE / 8;

	for (unsigned i = 0; i < NR_PAGES; i++) {
		const volatile uint64_t *page =
			(const volatile uint64_t *)(visit->at + i * WINDOW_PAGE);

		if (!pte_none(visit->table[i]))
			visit->right += page[0] == word_of(i) && page[words - 1] == ~word_of(i);
	}
	visit->young_after = young_entries(visit);
}

static void load(void *arg)
{
	const struct visit *visit = arg;

	(void)*(const volatile uint64_t *)(visit->at + visit->poke * WINDOW_PAGE);
}

static void store(void *arg)
{
	const struct visit *visit = arg;

	*(volatile uint64_t *)(visit->at + visit->poke * WINDOW_PAGE) = 0;
}

static void make_old(void *arg)
{
	const struct visit *visit = arg;

	visit->table[visit->poke] = pte_mkold(visit->table[visit->poke]);
}

/* ---- around it --------------------------------------------------------------------- */

static bool faults(struct visit *visit, void (*access)(void *), unsigned page)
{
	visit->poke = page;
	return !window_run(access, visit, &visit->fault) &&
	       visit->fault.address == visit->at + page * WINDOW_PAGE;
}

static bool make_folio(struct visit *visit, uint64_t pfn)
{
	static const struct memmap_variant variant = {.size = 64, .page_shift = 12};
	const struct dev_pagemap pgmap = {.type = MEMORY_DEVICE_GENERIC, .vmemmap_shift = 9};
	struct memmap_job job = {
		.variant = &variant,
		.memmap = calloc(NR_PAGES, sizeof(struct page)),
		.first_pfn = pfn,
		.start_pfn = pfn,
		.nr_pages = NR_PAGES,
		.zone = ZONE_DEVICE,
		.pgmap = &pgmap,
	};

	if (!job.memmap)
		return false;
	memmap_base (&variant)(&job, NULL);
	visit->folio = (struct folio){.page = job.memmap, .pfn = pfn};
	visit->folio.page[HOLE_1].flags |= 1ull << PG_hwpoison;
	visit->folio.page[HOLE_2].flags |= 1ull << PG_hwpoison;
	return true;
}

static void make_fault(struct visit *visit, uint64_t attributes)
{
	visit->mm.node = &visit->node;
	visit->file.size = NR_PAGES * PTE_PAGE;
	visit->vma = (struct vm_area){
		.start = visit->at,
		.end = visit->at + NR_PAGES * PTE_PAGE,
		.page_prot = attributes,
		.old_prefaulted = arch_hardware_sets_young(),
		.mm = &visit->mm,
		.file = &visit->file,
	};
	visit->vmf = (struct vm_fault){
		.vma = &visit->vma,
		.address = visit->at + FAULT * PTE_PAGE,
		.pte = visit->table,
	};
	visit->walk = pte_walks_here()->walk[PTE_BY_RUN][PTE_WHOLE];
}

/* NULL, or what is not as it must be. */
static const char *go_through(struct visit *visit)
{
	const bool by_hardware = arch_hardware_sets_young();
	const unsigned run = HOLE_2 - HOLE_1 - 1, mapped = NR_PAGES - 2;

	if (!window_run(fill_and_map, visit, &visit->fault))
		return "a fault while mapping";
	if (visit->returned != VM_FAULT_NOPAGE || visit->mapped != mapped)
		return "mapped other pages than it must";
	if (visit->young_before != (by_hardware ? run : mapped))
		return "other entries are young than the faulting run's";
	if (!window_run(read_all, visit, &visit->fault))
		return "a fault while reading mapped pages";
	if (visit->right != mapped)
		return "other memory is seen than was mapped";
	if (visit->young_after != mapped)
		return "entries that were read through are not young";
	if (!faults(visit, load, HOLE_1) || !faults(visit, load, HOLE_2))
		return "a poisoned page can be read";
	if (!faults(visit, store, FAULT))
		return "a read-only page can be written";
	visit->poke = FAULT;
	if (!by_hardware &&
	    (!window_run(make_old, visit, &visit->fault) || !faults(visit, load, FAULT)))
		return "a load through an old entry is no fault";
	return NULL;
}

static void tell(struct results *results, const struct visit *visit)
{
	if (arch_hardware_sets_young()) {
		results_answer(results, "Does the CPU use what was mapped?",
		               "yes: %u pages mapped by run into a real table and read through it; "
		               "%u entries were young before and %u after; two poisoned pages and "
		               "a store to a read-only one faulted",
		               visit->mapped, visit->young_before, visit->young_after);
		return;
	}
	results_answer(results, "Does the CPU use what was mapped?",
	               "yes: %u pages mapped by run into a real table and read through it; two "
	               "poisoned pages, a store to a read-only one and a load through an old "
	               "entry faulted",
	               visit->mapped);
	results_skip(results, NULL, "this CPU does not set the access flag (no FEAT_HAFDBS)",
	             "pte: old entries made young by the hardware");
}

static void visit_folio(struct results *results, const struct backing *backing)
{
	struct visit *visit = calloc(1, sizeof(*visit));
	uint64_t attributes;
	const char *why;

	if (!visit) {
		results_fail(results, "no memory for reading through what pte maps");
		return;
	}
	/* The first 2 MiB are the folio, the table stands behind them. */
	visit->at = window_base() + backing->size;
	visit->memory = (uint64_t *)window_base();
	visit->table = (uint64_t *)(window_base() + WINDOW_BLOCK);
	if (!window_map_table(visit->at, backing, WINDOW_BLOCK, &attributes)) {
		results_skip(results, NULL, window_table_refused(),
		             "pte: reading through a real table");
	} else if (!make_folio(visit, backing->extent[0].phys >> 12)) {
		results_fail(results, "no memory for reading through what pte maps");
	} else {
		make_fault(visit, attributes);
		why = go_through(visit);
		if (why)
			results_fail(results,
			             "pte, reading through a real table: %s (%u mapped, "
			             "%u young, then %u, %u right; %s at 0x%" PRIx64 ")",
			             why, visit->mapped, visit->young_before, visit->young_after,
			             visit->right, visit->fault.what, visit->fault.address);
		else
			tell(results, visit);
	}
	window_unmap_table(visit->at);
	free(visit->folio.page);
	free(visit);
}

void pte_read_through(struct lab *lab)
{
	struct results *results = lab->results;
	struct backing backing;
	uint64_t available;

	if (!backing_alloc(2 * WINDOW_BLOCK, BACKING_WHOLE, &backing, &available)) {
		results_fail(results, "too little RAM for reading through what pte maps");
		return;
	}
	if (window_map_backing(window_base(), &backing, 0, backing.size)) {
		visit_folio(results, &backing);
		window_unmap(window_base(), backing.size);
	} else {
		results_fail(results, "no memory for page tables");
	}
	backing_free(&backing);
}
