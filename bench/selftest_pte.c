/* SPDX-License-Identifier: BSD-2-Clause */
/* Every way of mapping, of every kind of atomics that this CPU has: the same, and as it must be. */
#include "bench/pte_arena.h"
#include <pagestamp/selftest.h>
#include <stdio.h>
#include <stdlib.h>

#define NR_FOLIOS 2
#define FIRST_PFN 0x187e00ull

static bool passes(struct pte_arena *arena, pte_walk walk, enum pte_way way, bool contiguous)
{
	uint64_t ticks;
	char why[160];

	if (!pte_arena_pass(arena, walk, &ticks))
		return false;
	return way == PTE_BY_PAGE ? pte_arena_prove_page(arena, why, sizeof(why))
	                          : pte_arena_compare(arena, contiguous, why, sizeof(why));
}

/* An arena that one entry, one reference or one mapcount was changed of is not taken. */
static bool finds_changes(struct pte_arena *arena, const struct pte_walks *walks)
{
	char why[160];
	bool found;

	if (!passes(arena, walks->walk[PTE_BY_PAGE][PTE_WHOLE], PTE_BY_PAGE, false) ||
	    !passes(arena, walks->walk[PTE_BY_RUN][PTE_WHOLE], PTE_BY_RUN, false))
		return false;
	arena->table[2] ^= 1ull << 12;
	found = !pte_arena_compare(arena, false, why, sizeof(why));
	arena->table[2] ^= 1ull << 12;
	arena->page->refcount++;
	found &= !pte_arena_compare(arena, false, why, sizeof(why));
	arena->page->refcount--;
	arena->page[3].mapcount--;
	found &= !pte_arena_compare(arena, false, why, sizeof(why));
	arena->page[3].mapcount++;
	arena->totals.rss--;
	found &= !pte_arena_compare(arena, false, why, sizeof(why));
	arena->totals.rss++;
	return found && pte_arena_compare(arena, false, why, sizeof(why));
}

static void test_walks(struct pte_arena *arena, const struct pte_walks *walks,
                       selftest_report report)
{
	static const unsigned windows[] = {1, 4, 16, 512};
	bool ok[PTE_WAY_NR] = {true, true, true}, contiguous = true;
	char name[64];

	for (size_t w = 0; w < sizeof(windows) / sizeof(windows[0]); w++) {
		for (enum pte_holes holes = 0; holes < HOLES_NR; holes++) {
			ok[PTE_BY_PAGE] &= pte_arena_choose(arena, windows[w], holes);
			for (enum pte_way way = 0; way < PTE_WAY_NR; way++)
				ok[way] &= passes(arena, walks->walk[way][PTE_WHOLE], way, false);
			if (walks->contiguous)
				contiguous &= passes(arena, walks->contiguous, PTE_BY_RUN, true);
		}
	}
	for (enum pte_way way = 0; way < PTE_WAY_NR; way++) {
		snprintf(name, sizeof(name), "mapping, %s atomics: by %s", walks->atomics,
		         method_name(METHOD_PAGE + way));
		report(ok[way], name);
	}
	if (walks->contiguous) {
		snprintf(name, sizeof(name), "mapping, %s atomics: contiguous", walks->atomics);
		report(contiguous, name);
	}
}

void selftest_pte(selftest_report report)
{
	struct pte_arena *arena = malloc(sizeof(*arena));
	void *memory = calloc(1, PTE_ARENA_BYTES);

	if (!arena || !memory || !pte_arena_make(arena, memory, NR_FOLIOS, FIRST_PFN, 0)) {
		report(false, "mapping: an arena");
	} else {
		for (unsigned k = 0; k < nr_pte_walks; k++)
			if (pte_walks[k].usable())
				test_walks(arena, &pte_walks[k], report);
		report(pte_arena_choose(arena, 16, HOLES_NONE) &&
		               finds_changes(arena, pte_walks_here()),
		       "mapping: the proof names what was changed");
	}
	free(memory);
	free(arena);
}
