/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_GROUP_H
#define BENCH_GROUP_H

#include "bench/lab.h"

/*
 * Measures, verifies and dumps every cell of the group; failures and rows go into the
 * results. `seconds` is its share of the budget, for rebinds=auto.
 */
void group_measure(struct lab *lab, const struct group *group, double seconds);

#endif
