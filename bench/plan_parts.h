/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files that make a plan share. All: false or NULL = out of memory. */
#ifndef BENCH_PLAN_PARTS_H
#define BENCH_PLAN_PARTS_H

#include "bench/plan.h"

/* Room for one more group behind the plan's; plan->nr_groups grows when it is complete. */
struct group *plan_new_group(struct plan *plan);
/* The rows of a group whose geometry stands. */
bool plan_add_cells(const struct plan *plan, struct group *group, struct results *results);
/* Copies and methods that no group can have: skipped, once and not once a group. */
void plan_skip_copies(const struct plan *plan, struct results *results);
/* The groups of EXP_HUGETLB or EXP_MEMMAP. */
bool plan_add_memory(struct plan *plan, struct results *results, enum experiment_id experiment);

#endif
