/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/statistics.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool starved;

bool statistics_starved(void)
{
	return starved;
}

static double *sorted(const double *sample, size_t n)
{
	double *copy = malloc(n * sizeof(*copy));

	if (!copy)
		starved = true;
	if (copy) {
		memcpy(copy, sample, n * sizeof(*copy));
		qsort(copy, n, sizeof(*copy), ascending);
	}
	return copy;
}

static double middle(const double *sorted_sample, size_t n)
{
	return (sorted_sample[(n - 1) / 2] + sorted_sample[n / 2]) / 2;
}

double median_of(const double *sample, size_t n)
{
	double *copy = n ? sorted(sample, n) : NULL;
	double median = copy ? middle(copy, n) : NAN;

	free(copy);
	return median;
}

struct statistics statistics_of(const double *sample, size_t n)
{
	struct statistics s = {0, NAN, NAN, NAN, NAN, NAN};
	double *copy = n ? sorted(sample, n) : NULL;
	double sum = 0;

	if (!copy)
		return s;
	for (size_t i = 0; i < n; i++)
		sum += copy[i];
	s.n = (unsigned)n;
	s.min = copy[0];
	s.median = middle(copy, n);
	s.mean = sum / (double)n;
	s.max = copy[n - 1];
	/* The median absolute deviation: one interrupted sample does not move it. */
	for (size_t i = 0; i < n; i++)
		copy[i] = fabs(copy[i] - s.median);
	qsort(copy, n, sizeof(*copy), ascending);
	s.mad = middle(copy, n);
	free(copy);
	return s;
}
