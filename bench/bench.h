/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <pagestamp/bench.h>

/* Plans and measures what results->options say, and adds to the results; no answers yet. */
void bench_step(struct results *results);

#endif
