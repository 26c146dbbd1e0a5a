/* SPDX-License-Identifier: BSD-2-Clause */
/* The reviewers' questions that only the matrix of make bench can answer. */
#include "bench/answers.h"
#include "bench/rows.h"
#include <math.h>
#include <stdio.h>

static bool is_usual_variant(const struct cell *cell)
{
	return cell->variant->size == 64 && !cell->variant->sparse && !cell->variant->mask &&
	       cell->variant->page_shift == 12 && !cell->cold && !cell->dest_offset &&
	       !cell->descending;
}

static const char *touch_words(const struct cell *cell, char *out, size_t size)
{
	static const char *const words[] = {"nobody", "a reader of all heads afterwards", "",
	                                    "a writer of all heads afterwards"};

	if (cell->touch == TOUCH_BATCH)
		snprintf(out, size, "a writer of the heads after every %llu KiB",
		         (unsigned long long)cell->touch_bytes >> 10);
	else
		snprintf(out, size, "%s", words[cell->touch]);
	return out;
}

static void cite(struct results *results, struct answer *answer, const struct run *base,
                 const struct run *ordinary, const struct run *streaming)
{
	answer_cite(results, answer, base);
	answer_cite(results, answer, ordinary);
	answer_cite(results, answer, streaming);
}

static void answer_touch(struct results *results)
{
	const struct run *base;
	size_t from = 0;
	struct answer *answer;
	char next[64];

	while ((base = next_base(results, &from))) {
		const struct cell *cell = &base->cell;
		const struct run *ordinary = best_beside(results, cell, METHOD_STAMP, false);
		const struct run *streaming = best_beside(results, cell, METHOD_STAMP, true);

		if (cell->touch == TOUCH_NONE || !ordinary || !streaming)
			continue;
		answer = results_answer(
			results, "What does a streaming copy cost the next toucher?",
			"%s, %llu KiB of descriptors, then %s: %.2f ns a page in all with "
			"streaming stores (%s), %.2f with ordinary ones (%s), %.2f by the "
			"ordinary path",
			experiment_name(cell->experiment),
			(unsigned long long)(base->written * cell->variant->size >> 10),
			touch_words(cell, next, sizeof(next)),
			ns_per_page(results, streaming, true), streaming->cell.backend->name,
			ns_per_page(results, ordinary, true), ordinary->cell.backend->name,
			ns_per_page(results, base, true));
		cite(results, answer, base, ordinary, streaming);
	}
}

static void answer_break_even(struct results *results)
{
	const struct run *base;
	size_t from = 0;
	struct answer *answer;

	while ((base = next_base(results, &from))) {
		const struct cell *cell = &base->cell;
		const struct run *ordinary = best_beside(results, cell, METHOD_STAMP, false);
		const struct run *streaming = best_beside(results, cell, METHOD_STAMP, true);

		if (cell->touch != TOUCH_NONE || cell->experiment != EXP_FSDAX ||
		    !is_usual_variant(cell) || !ordinary || !streaming)
			continue;
		answer = results_answer(
			results, "At which size does streaming break even?",
			"%llu KiB of descriptors: streaming stamp %.2f ns a page, ordinary "
			"stamp %.2f: %s wins",
			(unsigned long long)(base->written * 64 >> 10),
			ns_per_page(results, streaming, false),
			ns_per_page(results, ordinary, false),
			ns_per_page(results, streaming, false) <
					ns_per_page(results, ordinary, false)
				? "streaming"
				: "ordinary");
		cite(results, answer, base, ordinary, streaming);
	}
}

static void answer_first_bind(struct results *results)
{
	const struct run *base;
	size_t from = 0;
	struct answer *answer;

	while ((base = next_base(results, &from)) && results->counter.hz) {
		if (!base->first_known || base->cell.touch != TOUCH_NONE ||
		    !is_usual_variant(&base->cell) || base->cell.experiment != EXP_FSDAX)
			continue;
		answer = results_answer(
			results, "Why is the first bind dearer than a rebind?",
			"%llu KiB of descriptors by the ordinary path: %.2f ns a page on "
			"memory nobody had touched, %.2f on a rebind; the difference is "
			"the memory's, not the method's",
			(unsigned long long)(base->written * 64 >> 10),
			(double)base->first_ticks / (double)base->first_written * 1e9 /
				(double)results->counter.hz,
			ns_per_page(results, base, false));
		cite(results, answer, base, NULL, NULL);
		return;
	}
}

static void answer_sizes(struct results *results)
{
	const struct run *base;
	size_t from = 0;
	struct answer *answer;

	while ((base = next_base(results, &from))) {
		const struct cell *cell = &base->cell;
		const struct run *stamp = best_beside(results, cell, METHOD_STAMP, true);

		if (!stamp || (cell->variant->size == 64 && !cell->variant->sparse))
			continue;
		answer = results_answer(
			results, "What do other descriptors cost?",
			"%u bytes%s: ordinary path %.2f ns a page, best streaming stamp %.2f "
			"(%s), %.2f of the streaming fill",
			cell->variant->size, cell->variant->sparse ? ", section in flags" : "",
			ns_per_page(results, base, false), ns_per_page(results, stamp, false),
			stamp->cell.backend->name, stamp->vs_fill);
		cite(results, answer, base, NULL, stamp);
	}
}

/* The same cell in the vmemmap model. */
static const struct run *without_section(const struct results *results, const struct run *sparse)
{
	struct memmap_variant variant = *sparse->cell.variant;
	struct cell wanted = sparse->cell;

	variant.sparse = false;
	wanted.variant = &variant;
	for (size_t i = 0; i < results->nr_runs; i++)
		if (results->run[i].ticks.n && results->run[i].written == sparse->written &&
		    cells_side_by_side(&results->run[i].cell, &wanted))
			return &results->run[i];
	return NULL;
}

/*
 * Two tables, minutes apart: each against the fill of its own repetitions, so that what else
 * the machine did meanwhile is in neither.
 */
static void answer_section(struct results *results)
{
	const struct run *base, *other, *sparse, *vmemmap;
	size_t from = 0;

	while ((base = next_base(results, &from))) {
		if (!base->cell.variant->sparse || !(other = without_section(results, base)))
			continue;
		sparse = best_of_both(results, &base->cell, METHOD_STAMP);
		vmemmap = best_of_both(results, &other->cell, METHOD_STAMP);
		if (!sparse || !vmemmap)
			continue;
		cite(results,
		     results_answer(
			     results, "What does the section in flags cost?",
			     "%s, %llu KiB of descriptors, against the streaming fill of the "
			     "same repetitions: best stamp %.3f with the section (%s), %.3f "
			     "without (%s), %+.1f %%",
			     experiment_name(base->cell.experiment),
			     (unsigned long long)(base->written * base->cell.variant->size >> 10),
			     sparse->vs_fill, sparse->cell.backend->name, vmemmap->vs_fill,
			     vmemmap->cell.backend->name,
			     (sparse->vs_fill / vmemmap->vs_fill - 1) * 100),
		     sparse, vmemmap, NULL);
	}
}

static void answer_order(struct results *results)
{
	for (size_t i = 0; i < results->nr_runs; i++) {
		const struct run *run = &results->run[i], *ordinary, *streaming;
		const struct cell *cell = &run->cell;

		if ((!cell->descending && !cell->dest_offset) || cell->method != METHOD_STAMP ||
		    (i && cells_side_by_side(&run[-1].cell, cell) &&
		     run[-1].cell.method == METHOD_STAMP))
			continue;
		ordinary = best_beside(results, cell, METHOD_STAMP, false);
		streaming = best_beside(results, cell, METHOD_STAMP, true);
		if (!ordinary || !streaming)
			continue;
		cite(results,
		     results_answer(results, "What do store order and alignment cost?",
		                    "%llu KiB of descriptors, %s, %u bytes off line: best "
		                    "ordinary stamp %.2f ns a page (%s), best streaming %.2f "
		                    "(%s, %.2f of the streaming fill)",
		                    (unsigned long long)(run->written * cell->variant->size >> 10),
		                    cell->descending ? "descending" : "ascending",
		                    cell->dest_offset, ns_per_page(results, ordinary, false),
		                    ordinary->cell.backend->name,
		                    ns_per_page(results, streaming, false),
		                    streaming->cell.backend->name, streaming->vs_fill),
		     ordinary, streaming, NULL);
	}
}

void answer_matrix_questions(struct results *results)
{
	answer_break_even(results);
	answer_touch(results);
	answer_first_bind(results);
	answer_sizes(results);
	answer_section(results);
	answer_order(results);
	answer_auto(results);
}
