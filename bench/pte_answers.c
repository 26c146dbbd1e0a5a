/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/pte.h"
#include <pagestamp/pte_range.h>
#include <stdio.h>

#define USUAL_WINDOW 16

static double ns(const struct results *results, double ticks, const struct run *run)
{
	return counter_ns(1000000, results->counter.hz) / 1e6 * ticks / (double)run->written;
}

static const struct run *find(const struct results *results, unsigned window_pages,
                              enum pte_holes holes, enum method_id method, bool contiguous)
{
	for (size_t i = 0; i < results->nr_runs; i++) {
		const struct run *run = &results->run[i];

		if (run->cell.window_pages == window_pages && run->cell.holes == holes &&
		    run->cell.method == method && run->cell.contiguous == contiguous &&
		    run->ticks.n)
			return run;
	}
	return NULL;
}

static void answer_saving(struct results *results)
{
	const struct run *page = find(results, USUAL_WINDOW, HOLES_NONE, METHOD_PAGE, false);
	const struct run *run = find(results, USUAL_WINDOW, HOLES_NONE, METHOD_RUN, false);
	const struct run *call = find(results, USUAL_WINDOW, HOLES_NONE, METHOD_CALL, false);
	struct answer *answer;

	if (!page || !run || !call)
		return;
	answer = results_answer(
		results, "What does mapping a folio by run save?",
		"64 KiB windows without holes, %s atomics: %.2f ns a page by page, %.2f by run "
		"(%.2f times as fast), %.2f with the mm's counter and the references once a call "
		"(%.2f times)",
		pte_walks_here()->atomics, ns(results, page->ticks.median, page),
		ns(results, run->ticks.median, run), page->ticks.median / run->ticks.median,
		ns(results, call->ticks.median, call), page->ticks.median / call->ticks.median);
	answer_cite(results, answer, page);
	answer_cite(results, answer, run);
	answer_cite(results, answer, call);
}

/* What a step of work adds, a page. */
static double step(const struct results *results, const struct run *run, enum pte_work work)
{
	double below = work ? (double)run->phase[work - 1].ticks : 0;

	return ns(results, (double)run->phase[work].ticks - below, run);
}

static void answer_where(struct results *results)
{
	const struct run *page = find(results, USUAL_WINDOW, HOLES_NONE, METHOD_PAGE, false);
	const struct run *run = find(results, USUAL_WINDOW, HOLES_NONE, METHOD_RUN, false);
	struct answer *answer;

	if (!page || !run || !page->nr_phases || !run->nr_phases)
		return;
	answer = results_answer(
		results, "Where does the time of mapping a page go?",
		"64 KiB windows without holes, ns a page by page / by run: looking %.2f / %.2f, "
		"storing entries %.2f / %.2f, mapcounts %.2f / %.2f, the mm's counter %.2f / "
		"%.2f, references %.2f / %.2f",
		step(results, page, PTE_LOOK), step(results, run, PTE_LOOK),
		step(results, page, PTE_STORE), step(results, run, PTE_STORE),
		step(results, page, PTE_RMAP), step(results, run, PTE_RMAP),
		step(results, page, PTE_COUNTERS), step(results, run, PTE_COUNTERS),
		step(results, page, PTE_WHOLE), step(results, run, PTE_WHOLE));
	answer_cite(results, answer, page);
	answer_cite(results, answer, run);
}

/* Slower than page by page by more than both scatter. */
static bool loses(const struct run *page, const struct run *run)
{
	return run->ticks.median - page->ticks.median > page->ticks.mad + run->ticks.mad;
}

static void answer_losses(struct results *results)
{
	static const char *const holes[HOLES_NR] = {"no page", "every second page",
	                                            "one page in four, at random,"};
	const struct run *cited[2 * 16];
	char text[400] = "";
	size_t n = 0, nr_cited = 0, compared = 0;
	struct answer *answer;

	for (size_t i = 0; i < results->nr_runs; i++) {
		const struct run *page = &results->run[i];
		const struct cell *cell = &page->cell;
		const struct run *run;

		if (cell->method != METHOD_PAGE || !page->ticks.n || cell->window_pages < 2)
			continue;
		run = find(results, cell->window_pages, cell->holes, METHOD_RUN, false);
		if (!run)
			continue;
		compared++;
		if (!loses(page, run) || nr_cited + 2 > sizeof(cited) / sizeof(cited[0]))
			continue;
		if (n < sizeof(text))
			n += (size_t)snprintf(text + n, sizeof(text) - n,
			                      "%s%u KiB windows with %s poisoned %+.1f %%",
			                      n ? ", " : "", cell->window_pages * 4,
			                      holes[cell->holes], run->vs_base_pct);
		cited[nr_cited++] = page;
		cited[nr_cited++] = run;
	}
	if (!compared)
		return;
	answer = results_answer(results, "Where does mapping by run lose against page by page?",
	                        "%s",
	                        nr_cited ? text : "nowhere in these rows, beyond their spread");
	for (size_t i = 0; i < nr_cited; i++)
		answer_cite(results, answer, cited[i]);
}

void pte_answer(struct results *results)
{
	if (!results->counter.hz)
		return;
	answer_saving(results);
	answer_where(results);
	answer_losses(results);
}
