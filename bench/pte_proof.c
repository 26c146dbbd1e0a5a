/* SPDX-License-Identifier: BSD-2-Clause */
/* What a pass left, against the rules and against the pass by page. */
#include "bench/pte_arena.h"
#include <arch/pte.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct proof_of_pass {
	struct pte_arena *arena;
	bool contiguous;
	const char *what; /* differs; NULL = nothing does */
	uint64_t page;    /* there */
	uint64_t is, expected;
};

static bool wrong(struct proof_of_pass *proof, const char *what, uint64_t page, uint64_t is,
                  uint64_t expected)
{
	if (is == expected)
		return false;
	proof->what = what;
	proof->page = page;
	proof->is = is;
	proof->expected = expected;
	return true;
}

static uint64_t nr_pages(const struct pte_arena *arena)
{
	return (uint64_t)arena->nr_folios * PTE_FOLIO_PAGES;
}

/* ---- in the window ------------------------------------------------------------------ */

static uint64_t entry_by_page(const struct pte_arena *arena, uint64_t page)
{
	const uint64_t fault = pte_faulting_page(page / arena->window_pages, arena->window_pages);
	const uint64_t entry = (arena->first_pfn + page) << 12 | PAGE_READONLY;

	if (pte_is_poisoned(arena->holes, page))
		return 0;
	return arena->vma.old_prefaulted && page != fault ? pte_mkold(entry) : entry;
}

static bool folio_is_wrong(struct proof_of_pass *proof, const struct folio *folio, uint64_t page)
{
	uint64_t mapped = 0;

	for (unsigned i = 0; i < PTE_FOLIO_PAGES; i++)
		mapped += !pte_is_poisoned(proof->arena->holes, page + i);
	return wrong(proof, "references", page, (uint64_t)folio->page->refcount, 1 + mapped) ||
	       wrong(proof, "mapcount of the folio", page,
	             (uint64_t)folio_large_mapcount(folio) + 1, mapped) ||
	       wrong(proof, "mapped pages", page, (uint64_t)folio_nr_pages_mapped(folio), mapped);
}

static void prove_page(void *arg)
{
	struct proof_of_pass *proof = arg;
	struct pte_arena *arena = proof->arena;

	for (uint64_t i = 0; i < nr_pages(arena); i++)
		if (wrong(proof, "entry", i, arena->table[i], entry_by_page(arena, i)) ||
		    wrong(proof, "mapcount", i, 1 + (uint64_t)arena->page[i].mapcount,
		          !pte_is_poisoned(arena->holes, i)))
			return;
	for (unsigned f = 0; f < arena->nr_folios; f++)
		if (folio_is_wrong(proof, &arena->folio[f], (uint64_t)f * PTE_FOLIO_PAGES))
			return;
	memcpy(arena->saved_page, arena->page, nr_pages(arena) * sizeof(*arena->page));
	memcpy(arena->saved_table, arena->table, nr_pages(arena) * sizeof(*arena->table));
}

/* Of a batched way: the run that holds the fault is young, all of it. */
static bool young_by_run(const struct pte_arena *arena, uint64_t page)
{
	uint64_t fault = pte_faulting_page(page / arena->window_pages, arena->window_pages);
	uint64_t from = page < fault ? page : fault, to = page < fault ? fault : page;

	if (!arena->vma.old_prefaulted)
		return true;
	while (from <= to && !pte_is_poisoned(arena->holes, from))
		from++;
	return from > to;
}

#ifdef CONT_PTES
/* Folios are aligned in memory and in addresses: a block without a hole in one window. */
static bool in_contiguous_block(const struct proof_of_pass *proof, uint64_t page)
{
	const uint64_t block = page / CONT_PTES * CONT_PTES;

	if (!proof->contiguous || proof->arena->window_pages < CONT_PTES)
		return false;
	for (unsigned i = 0; i < CONT_PTES; i++)
		if (pte_is_poisoned(proof->arena->holes, block + i))
			return false;
	return true;
}
#endif

static uint64_t entry_by_run(const struct proof_of_pass *proof, uint64_t page)
{
	uint64_t entry = proof->arena->saved_table[page];

	if (!entry)
		return 0;
	/* PAGE_READONLY is young: back to it, then as this way has it. */
	entry |= PAGE_READONLY;
	if (!young_by_run(proof->arena, page))
		entry = pte_mkold(entry);
#ifdef CONT_PTES
	if (in_contiguous_block(proof, page))
		entry = pte_mkcont(entry);
#endif
	return entry;
}

static void compare(void *arg)
{
	struct proof_of_pass *proof = arg;
	const struct pte_arena *arena = proof->arena;

	for (uint64_t i = 0; i < nr_pages(arena); i++) {
		const uint64_t *is = (const uint64_t *)&arena->page[i];
		const uint64_t *expected = (const uint64_t *)&arena->saved_page[i];

		if (wrong(proof, "entry", i, arena->table[i], entry_by_run(proof, i)))
			return;
		for (unsigned w = 0; w < sizeof(struct page) / 8; w++)
			if (wrong(proof, "descriptor", i, is[w], expected[w]))
				return;
	}
}

/* ---- around it ------------------------------------------------------------------------ */

static bool totals_are(const struct pte_arena *arena, const struct pte_totals *expected, char *why,
                       size_t size)
{
	const struct pte_totals *is = &arena->totals;

	if (!memcmp(is, expected, sizeof(*is)))
		return true;
	snprintf(why, size,
	         "counters: rss %" PRId64 " (%" PRId64 "), anonymous %" PRId64 ", mapped %" PRId64
	         " (%" PRId64 "), mmap_miss %" PRIu64 " (%" PRIu64 "), NOPAGE %" PRIu64 " (%" PRIu64
	         ")",
	         is->rss, expected->rss, is->anon, is->file_mapped, expected->file_mapped,
	         is->mmap_miss, expected->mmap_miss, is->nopage, expected->nopage);
	return false;
}

static bool holds(struct proof_of_pass *proof, void (*fn)(void *), char *why, size_t size)
{
	if (!window_run(fn, proof, &proof->arena->fault)) {
		snprintf(why, size, "%s in the proof", proof->arena->fault.what);
		return false;
	}
	if (!proof->what)
		return true;
	snprintf(why, size, "%s of page %" PRIu64 " is 0x%" PRIx64 ", not 0x%" PRIx64, proof->what,
	         proof->page, proof->is, proof->expected);
	return false;
}

bool pte_arena_prove_page(struct pte_arena *arena, char *why, size_t size)
{
	struct proof_of_pass proof = {.arena = arena};
	const uint64_t mapped = pte_arena_mappable(arena);
	const uint64_t windows = nr_pages(arena) / arena->window_pages;
	struct pte_totals expected = {.rss = (int64_t)mapped, .file_mapped = (int64_t)mapped};

	for (uint64_t w = 0; w < windows; w++)
		expected.nopage +=
			!pte_is_poisoned(arena->holes, pte_faulting_page(w, arena->window_pages));
	expected.mmap_miss = expected.nopage;
	arena->saved_totals = arena->totals;
	return holds(&proof, prove_page, why, size) && totals_are(arena, &expected, why, size);
}

bool pte_arena_compare(struct pte_arena *arena, bool contiguous, char *why, size_t size)
{
	struct proof_of_pass proof = {.arena = arena, .contiguous = contiguous};

	return holds(&proof, compare, why, size) &&
	       totals_are(arena, &arena->saved_totals, why, size);
}
