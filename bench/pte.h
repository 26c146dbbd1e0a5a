/* SPDX-License-Identifier: BSD-2-Clause */
/* experiment=pte: mapping what was initialised, page by page and in batches. */
#ifndef BENCH_PTE_H
#define BENCH_PTE_H

#include "bench/group.h"

/*
 * Measures, verifies and adds every row; what cannot be done is skipped with its reason, and
 * fails where experiment=pte asked for it by name. `seconds` is its share of the budget.
 */
void pte_measure(struct lab *lab, double seconds);

/* Would pte_measure() measure anything? Then its share of the budget is to be kept. */
bool pte_wanted(const struct results *results);

/* One line of a dry run. */
void pte_describe(const struct results *results, char *out, size_t size);

/* What batching saves and where it loses, from the rows. */
void pte_answer(struct results *results);

/*
 * A folio mapped by run into a real page table, installed in the window, and read through.
 * Fails the results where memory, entries or faults are not what they must be.
 */
void pte_read_through(struct lab *lab);

#endif
