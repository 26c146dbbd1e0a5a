/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PAGESTAMP_COUNTER_SETUP_H
#define PAGESTAMP_COUNTER_SETUP_H

#include <pagestamp/counter.h>

/*
 * Finds out the counter's frequency and how far to trust it: what the CPU declares,
 * else what a platform timer shows, each against a second source where there is one.
 * Takes about a quarter of a second. More than 1 % apart: hz is 0.
 */
void counter_setup(struct counter *out);

#endif
