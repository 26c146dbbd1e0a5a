/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_LAB_H
#define BENCH_LAB_H

#include "bench/plan.h"
#include <pagestamp/window.h>

/* What all groups share: the oracle's scratch, mapped for the whole of bench_run(). */
struct lab {
	struct results *results;
	const struct plan *plan;
	struct backing scratch;
	uint64_t *scratch_va;
};

/* False, with a failure in the results, without memory. */
bool lab_open(struct lab *lab, struct results *results, const struct plan *plan);
void lab_close(struct lab *lab);

#endif
