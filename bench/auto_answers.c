/* SPDX-License-Identifier: BSD-2-Clause */
/* How good copy=auto is, and what such a comparison can tell on this machine at all. */
#include "bench/answers.h"
#include "bench/rows.h"
#include <pagestamp/statistics.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All auto rows of more than one rebind. */
struct tally {
	unsigned nr, near;
	const struct run *worst; /* of those that are not near */
	double *apart;           /* auto rows over their twins, the larger over the smaller */
	size_t nr_apart;
};

static bool is_near(const struct run *run)
{
	return run->vs_best.median <= 1.05 || run->vs_best.median <= 1 + run->vs_best.mad;
}

static bool took_one_copy(const struct run *run)
{
	return !strstr(run->auto_why, "; taken for ");
}

/* The row beside it of the very copy that it took. */
static const struct run *twin_of(const struct results *results, const struct run *run)
{
	for (size_t i = 0; took_one_copy(run) && i < results->nr_runs; i++) {
		const struct run *other = &results->run[i];

		if (!other->cell.automatic && other->cell.backend == run->cell.backend &&
		    other->cell.method == run->cell.method && other->ticks.n &&
		    cells_side_by_side(&other->cell, &run->cell))
			return other;
	}
	return NULL;
}

static void count(const struct results *results, const struct run *run, struct tally *tally)
{
	const struct run *twin = twin_of(results, run);

	tally->nr++;
	if (is_near(run))
		tally->near++;
	else if (!tally->worst || run->vs_best.median > tally->worst->vs_best.median)
		tally->worst = run;
	if (twin)
		tally->apart[tally->nr_apart++] =
			exp(fabs(log(ticks_per_page(run, true) / ticks_per_page(twin, true))));
}

static void say_all_near(struct results *results, const struct tally *tally, const char *spread)
{
	results_answer(results, "How good is copy=auto?",
	               "all %u auto rows within 5 %% of the fastest row beside them, or within the "
	               "spread of that ratio%s",
	               tally->nr, spread);
}

static void say_worst(struct results *results, const struct tally *tally, const char *spread)
{
	const struct run *worst = tally->worst;
	const struct run *best = best_of_both(results, &worst->cell, worst->cell.method);
	struct answer *answer = results_answer(
		results, "How good is copy=auto?",
		"%u of %u auto rows within 5 %% of the fastest row beside them, or within the "
		"spread of that ratio; the farthest off: %s %s %s, %s took %.2f times %s's time%s",
		tally->near, tally->nr, experiment_name(worst->cell.experiment),
		worst->cell.range->id, method_name(worst->cell.method), worst->cell.backend->name,
		worst->vs_best.median, best->cell.backend->name, spread);

	answer_cite(results, answer, worst);
	answer_cite(results, answer, best);
}

void answer_auto(struct results *results)
{
	struct tally tally = {.apart = calloc(results->nr_runs, sizeof(double))};
	char spread[128] = "";

	if (!tally.apart) {
		results_fail(results, "no memory for the answer on copy=auto");
		return;
	}
	for (size_t i = 0; i < results->nr_runs; i++)
		if (results->run[i].vs_best.n > 1)
			count(results, &results->run[i], &tally);
	if (tally.nr_apart)
		snprintf(spread, sizeof(spread),
		         ". One copy measured twice in a table: %.0f %% apart (median of %zu), "
		         "%.0f %% at worst",
		         (median_of(tally.apart, tally.nr_apart) - 1) * 100, tally.nr_apart,
		         (statistics_of(tally.apart, tally.nr_apart).max - 1) * 100);
	if (tally.worst)
		say_worst(results, &tally, spread);
	else if (tally.nr)
		say_all_near(results, &tally, spread);
	free(tally.apart);
}
