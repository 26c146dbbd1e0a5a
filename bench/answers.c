/* SPDX-License-Identifier: BSD-2-Clause */
/* One answer for each table, and what is answered while a table is measured. */
#include "bench/answers.h"
#include "bench/pte.h"
#include "bench/rows.h"
#include <math.h>
#include <stdio.h>

static void question_of(const struct cell *cell, char *out, size_t size)
{
	if (cell->experiment == EXP_HUGETLB && !cell->optimised)
		snprintf(out, size,
		         "HugeTLB tails without HVO: template or base, plain or streaming?");
	else if (cell->experiment == EXP_MEMMAP)
		snprintf(out, size, "Does it help ordinary memmap initialisation?");
	else
		snprintf(out, size, "What does each idea save on %s?",
		         experiment_name(cell->experiment));
}

/* ", template with ordinary stores (movq) -31.2 %", or "" when there is no such row. */
static const struct run *against_base(const struct results *results, const struct run *base,
                                      enum method_id method, bool streaming, char *out, size_t size)
{
	const struct run *run = best_beside(results, &base->cell, method, streaming);

	out[0] = '\0';
	if (run)
		snprintf(out, size, ", %s with %s stores (%s) %+.1f %%", method_name(method),
		         streaming ? "streaming" : "ordinary", run->cell.backend->name,
		         (ticks_per_page(run, true) / ticks_per_page(base, true) - 1) * 100);
	return run;
}

static void answer_table(struct results *results, const struct run *base)
{
	static const struct {
		enum method_id method;
		bool streaming;
	} idea[] = {{METHOD_TEMPLATE, false},
	            {METHOD_TEMPLATE, true},
	            {METHOD_STAMP, false},
	            {METHOD_STAMP, true}};
	const struct cell *cell = &base->cell;
	const bool known = results->counter.hz;
	const struct run *row[4];
	char text[4][80], question[128];
	struct answer *answer;
	bool any = false;

	for (unsigned i = 0; i < 4; i++) {
		row[i] = against_base(results, base, idea[i].method, idea[i].streaming, text[i],
		                      sizeof(text[i]));
		any |= row[i] != NULL;
	}
	if (!any)
		return;
	question_of(cell, question, sizeof(question));
	answer = results_answer(
		results, question, "%s %s map=%s%s: the ordinary path %.2f %s a page%s%s%s%s",
		experiment_name(cell->experiment), cell->range->id, cell->map_dev ? "dev" : "mem",
		cell->touch == TOUCH_NONE ? "" : ", the next toucher with it",
		known ? ns_per_page(results, base, true) : ticks_per_page(base, true),
		known ? "ns" : "ticks", text[0], text[1], text[2], text[3]);
	answer_cite(results, answer, base);
	for (unsigned i = 0; i < 4; i++)
		answer_cite(results, answer, row[i]);
}

void answer_drain(struct results *results, const struct run *base, const struct statistics *ticks,
                  double fill)
{
	const struct cell *cell = &base->cell;
	const double drains = (double)(cell->geometry.nr_pages >> cell->geometry.order);
	const double each = ticks->median / drains, page = ticks->median / (double)base->written;
	const double ns = results->counter.hz ? 1e9 / (double)results->counter.hz : 1;
	const char *unit = results->counter.hz ? "ns" : "ticks";
	struct answer *answer;

	answer = results_answer(
		results, "What does a drain per compound cost?",
		"%s %s map=%s, %llu KiB streamed before each: %+.1f %s a drain (mad %.1f), %+.3f "
		"%s "
		"a page written, %+.1f %% of the streaming fill%s",
		experiment_name(cell->experiment), cell->range->id, cell->map_dev ? "dev" : "mem",
		(unsigned long long)(base->written / (uint64_t)drains * cell->variant->size >> 10),
		each * ns, unit, ticks->mad / drains * ns, page * ns, unit,
		ticks->median / fill * 100,
		fabs(ticks->median) <= ticks->mad ? ": within its spread" : "");
	answer_cite(results, answer, base);
}

void answer_questions(struct results *results)
{
	const struct run *base;
	size_t from = 0;

	while ((base = next_base(results, &from)))
		answer_table(results, base);
	pte_answer(results);
}
