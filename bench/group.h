/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_GROUP_H
#define BENCH_GROUP_H

#include "bench/plan.h"
#include <pagestamp/window.h>

/* What all groups share: the oracle's scratch, mapped for the whole of bench_run(). */
struct lab {
	struct results *results;
	const struct plan *plan;
	struct backing scratch;
	uint64_t *scratch_va;
};

bool lab_open(struct lab *lab, struct results *results, const struct plan *plan);
void lab_close(struct lab *lab);

/*
 * Measures, verifies and dumps every cell of the group; failures and rows go into the
 * results. `seconds` is its share of the budget, for rebinds=auto.
 */
void group_measure(struct lab *lab, const struct group *group, double seconds);

#endif
