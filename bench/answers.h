/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_ANSWERS_H
#define BENCH_ANSWERS_H

#include <pagestamp/result.h>

/* The rows in plain words, one answer for each memmap that was measured. */
void answer_questions(struct results *results);

/*
 * What a drain after every compound of `base`'s memmap cost: `ticks` more than the `fill`
 * that drains once.
 */
void answer_drain(struct results *results, const struct run *base, const struct statistics *ticks,
                  double fill);

/* Next toucher, break-even size, first bind, other descriptors: from the rows that vary them. */
void answer_matrix_questions(struct results *results);

/* How near copy=auto came to the fastest row of its table and method, over all tables. */
void answer_auto(struct results *results);

#endif
