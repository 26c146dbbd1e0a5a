/* SPDX-License-Identifier: BSD-2-Clause */
/* Order statistics of samples. They allocate: not for use inside the quiet window. */
#ifndef PAGESTAMP_STATISTICS_H
#define PAGESTAMP_STATISTICS_H

#include <pagestamp/result.h>
#include <stdbool.h>
#include <stddef.h>

/* n = 0, or no memory to sort in: n 0 and every figure NaN. */
struct statistics statistics_of(const double *sample, size_t n);

/* The mean of the two middle ones when n is even; NaN when n is 0. */
double median_of(const double *sample, size_t n);
/* Whether one of these ever was NAN for want of memory. */
bool statistics_starved(void);

#endif
