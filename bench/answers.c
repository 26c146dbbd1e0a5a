/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/answers.h"
#include "bench/pte.h"
#include <stdio.h>

/* The fastest row of a method with the copies that `streaming` names, among rows [from, to). */
static const struct run *best(const struct results *results, size_t from, size_t to,
                              enum method_id method, bool streaming)
{
	const struct run *found = NULL;

	for (size_t i = from; i < to; i++) {
		const struct run *run = &results->run[i];

		if (!run->ticks.n || run->cell.method != method || run->cell.automatic)
			continue;
		if (run->cell.backend && run->cell.backend->streaming != streaming)
			continue;
		if (!found || run->ticks.median < found->ticks.median)
			found = run;
	}
	return found;
}

static int against_base(char *out, size_t size, const char *what, const struct run *run)
{
	if (!run)
		return 0;
	return snprintf(out, size, "%s (%s) %+.1f %%, ", what, run->cell.backend->name,
	                run->vs_base_pct);
}

static void answer_group(struct results *results, size_t from, size_t to)
{
	const struct run *base = best(results, from, to, METHOD_BASE, false);
	const struct cell *cell = &results->run[from].cell;
	char question[128], text[400];
	struct answer *answer;
	int n = 0;

	if (!base)
		return;
	static const struct {
		const char *what;
		enum method_id method;
		bool streaming;
	} idea[] = {
		{"template with ordinary stores", METHOD_TEMPLATE, false},
		{"template with streaming stores", METHOD_TEMPLATE, true},
		{"stamp with ordinary stores", METHOD_STAMP, false},
		{"stamp with streaming stores", METHOD_STAMP, true},
	};
	const struct run *row[sizeof(idea) / sizeof(idea[0])];

	for (size_t i = 0; i < sizeof(idea) / sizeof(idea[0]); i++) {
		row[i] = best(results, from, to, idea[i].method, idea[i].streaming);
		n += against_base(text + n, sizeof(text) - (size_t)n, idea[i].what, row[i]);
	}
	if (n < 2)
		return;
	text[n - 2] = '\0';
	snprintf(question, sizeof(question), "What does each idea save on %s %s map=%s?",
	         experiment_name(cell->experiment), cell->range->id, cell->map_dev ? "dev" : "mem");
	answer = results_answer(results, question,
	                        "against the ordinary path, median of rebinds: %s", text);
	answer_cite(results, answer, base);
	for (size_t i = 0; i < sizeof(idea) / sizeof(idea[0]); i++)
		answer_cite(results, answer, row[i]);
}

void answer_drain(struct results *results, const struct run *base, double ticks, double fill)
{
	const struct cell *cell = &base->cell;
	const double drains = (double)(cell->geometry.nr_pages >> cell->geometry.order);
	const double each = ticks / drains, page = ticks / (double)base->written;
	const double ns = results->counter.hz ? 1e9 / (double)results->counter.hz : 1;
	const char *unit = results->counter.hz ? "ns" : "ticks";
	struct answer *answer;

	answer = results_answer(
		results, "What does a drain per compound cost?",
		"%s %s map=%s, %llu KiB streamed before each: %+.1f %s a drain, %+.3f %s a page "
		"written, %+.1f %% of the streaming fill",
		experiment_name(cell->experiment), cell->range->id, cell->map_dev ? "dev" : "mem",
		(unsigned long long)(base->written / (uint64_t)drains * cell->variant->size >> 10),
		each * ns, unit, page * ns, unit, ticks / fill * 100);
	answer_cite(results, answer, base);
}

void answer_questions(struct results *results)
{
	for (size_t from = 0, to; from < results->nr_runs; from = to) {
		for (to = from + 1; to < results->nr_runs; to++)
			if (!cells_side_by_side(&results->run[from].cell, &results->run[to].cell))
				break;
		answer_group(results, from, to);
	}
	pte_answer(results);
}
