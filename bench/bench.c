/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/bench.h"
#include "bench/answers.h"
#include "bench/group.h"
#include "bench/progress.h"
#include "bench/pte.h"
#include "mm/vmemmap.h"
#include <pagestamp/bench.h>
#include <pagestamp/statistics.h>
#include <stdio.h>
#include <stdlib.h>

/* Seconds for the whole matrix when neither budget= nor a list says otherwise. */
#define DEFAULT_BUDGET 60
#define QUICK_BUDGET   20

/* The rows point at the plans' cells until bench_free(). */
static struct plan **plans;
static size_t nr_plans;

static double budget_of(const struct options *options)
{
	if (options->budget)
		return options->budget;
	return options->quick ? QUICK_BUDGET : DEFAULT_BUDGET;
}

/*
 * A table's first rebind and its proof take what they take: on a slow machine the budget is
 * overdrawn, once. What would begin later than that is dropped under `all`, and listed.
 */
static bool drop_for_budget(struct results *results, const struct group *group, double left)
{
	if (left > -budget_of(results->options) || results->options->experiments_explicit ||
	    results->options->rebinds)
		return false;
	for (size_t i = 0; i < group->nr_cells; i++)
		results_skip(results, &group->cell[i], "the budget was used up", "%s %s map=%s",
		             experiment_name(group->experiment), group->range->id,
		             group->map_dev ? "dev" : "mem");
	return true;
}

/* What a group's rows store: the measure of its time. */
static double weight(const struct plan *plan, const struct group *group)
{
	const struct geometry *g = &group->geometry;

	return (double)(g->nr_pages >> g->order) * (double)group->nr_cells *
	       (double)(group->stored * plan->variant.size);
}

/* Each group gets its share of what is left, by what it stores of what is still to come. */
static void measure(struct lab *lab, const struct plan *plan)
{
	struct results *results = lab->results;
	const double budget = budget_of(results->options);
	/* The mapping of what was initialised comes last: memory is to be fresh for the rest. */
	const double for_pte = !pte_wanted(results) ? 0 : plan->nr_groups ? budget / 8 : budget;
	const double end = progress_seconds(&results->counter) + budget - for_pte;
	double to_come = 0;

	for (size_t i = 0; i < plan->nr_groups; i++)
		to_come += weight(plan, &plan->group[i]);
	for (size_t i = 0; i < plan->nr_groups; i++) {
		const struct group *group = &plan->group[i];
		const double left = end - progress_seconds(&results->counter);
		const double share = left * weight(plan, group) / to_come;

		to_come -= weight(plan, group);
		if (group->nr_cells && !drop_for_budget(results, group, left))
			group_measure(lab, group, share);
	}
	pte_measure(lab, for_pte);
}

static void say_what_would_be_written(const struct results *results, const struct plan *plan)
{
	char line[160];

	for (size_t i = 0; i < plan->nr_groups; i++) {
		group_describe(&plan->group[i], line, sizeof(line));
		printf("  %s\n", line);
	}
	if (pte_wanted(results)) {
		pte_describe(results, line, sizeof(line));
		printf("  %s\n", line);
	}
}

static struct plan *new_plan(struct results *results)
{
	struct plan **grown = realloc(plans, (nr_plans + 1) * sizeof(*plans));
	struct plan *plan = grown ? calloc(1, sizeof(*plan)) : NULL;

	if (grown)
		plans = grown;
	if (!plan) {
		results_fail(results, "no memory for the plan");
		return NULL;
	}
	plans[nr_plans++] = plan;
	if (!plan_make(results, plan)) {
		results_fail(results, "no memory for the plan");
		return NULL;
	}
	return plan;
}

void bench_step(struct results *results)
{
	const bool passed_so_far = results->pass;
	struct plan *plan;
	struct lab lab;
	bool possible;

	results->pass = true;
	plan = new_plan(results);
	possible = results->pass;
	results->pass = passed_so_far && possible;
	if (!plan)
		return;
	if (results->options->list) {
		say_what_would_be_written(results, plan);
		return;
	}
	/* A demand that cannot be met is refused before anything is measured. */
	if (!possible || !lab_open(&lab, results, plan))
		return;
	measure(&lab, plan);
	if (statistics_starved())
		results_fail(results, "no memory for the statistics");
	lab_close(&lab);
}

void bench_run(struct results *results)
{
	plan_skip_unwanted_ranges(results);
	bench_step(results);
	if (results->options->list)
		return;
	if (!results->nr_runs)
		results_fail(results, "nothing ran");
	answer_questions(results);
}

void bench_free(void)
{
	for (size_t i = 0; i < nr_plans; i++) {
		plan_free(plans[i]);
		free(plans[i]);
	}
	free(plans);
	plans = NULL;
	nr_plans = 0;
}
