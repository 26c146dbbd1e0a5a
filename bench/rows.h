/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding rows, and comparing them: what the answers are made of. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include <pagestamp/result.h>

/* A row's time a page written, the next toucher's with it where there is one. */
double ticks_per_page(const struct run *run, bool with_touch);
/* The same in ns; NaN when the clock's frequency is unknown. */
double ns_per_page(const struct results *results, const struct run *run, bool with_touch);

/* The fastest row beside `cell` of a method, streaming or not; NULL when there is none. */
const struct run *best_beside(const struct results *results, const struct cell *cell,
                              enum method_id method, bool streaming);

/* The same, whether streaming or not. */
const struct run *best_of_both(const struct results *results, const struct cell *cell,
                               enum method_id method);

/* The base row of each table, one after the other: `from` is the index to go on at. */
const struct run *next_base(const struct results *results, size_t *from);

#endif
