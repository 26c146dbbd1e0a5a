/* SPDX-License-Identifier: BSD-2-Clause */
/* The reviewers' questions about huge pages and ordinary memory. */
#include "bench/answers.h"
#include "bench/rows.h"
#include <stdio.h>

/* "template, ordinary stores (movq) -31.2 %", or "" when there is no such row. */
static const struct run *against_base(const struct results *results, const struct run *base,
                                      enum method_id method, bool streaming, char *out, size_t size)
{
	const struct run *run = best_beside(results, &base->cell, method, streaming);

	out[0] = '\0';
	if (run)
		snprintf(out, size, ", %s with %s stores (%s) %+.1f %%", method_name(method),
		         streaming ? "streaming" : "ordinary", run->cell.backend->name,
		         (ns_per_page(results, run, true) / ns_per_page(results, base, true) - 1) *
		                 100);
	return run;
}

static void answer_of(struct results *results, const struct run *base, const char *question,
                      const char *what)
{
	static const struct {
		enum method_id method;
		bool streaming;
	} idea[] = {{METHOD_TEMPLATE, false},
	            {METHOD_TEMPLATE, true},
	            {METHOD_STAMP, false},
	            {METHOD_STAMP, true}};
	const struct run *row[4];
	char text[4][80];
	struct answer *answer;

	for (unsigned i = 0; i < 4; i++)
		row[i] = against_base(results, base, idea[i].method, idea[i].streaming, text[i],
		                      sizeof(text[i]));
	answer = results_answer(results, question,
	                        "%s %s, %s: the ordinary path %.2f %s a page%s%s%s%s",
	                        experiment_name(base->cell.experiment), base->cell.range->id, what,
	                        ns_per_page(results, base, true),
	                        results->counter.hz ? "ns" : "(frequency unknown)", text[0],
	                        text[1], text[2], text[3]);
	answer_cite(results, answer, base);
	for (unsigned i = 0; i < 4; i++)
		answer_cite(results, answer, row[i]);
}

void answer_memory_questions(struct results *results)
{
	const struct run *base;
	size_t from = 0;

	while ((base = next_base(results, &from))) {
		const struct cell *cell = &base->cell;
		const bool touched = cell->touch != TOUCH_NONE;

		if (cell->experiment == EXP_HUGETLB && !cell->optimised)
			answer_of(
				results, base,
				"HugeTLB tails without HVO: template or base, plain or streaming?",
				touched ? "and the heads touched" : "tails alone");
		if (cell->experiment == EXP_MEMMAP)
			answer_of(results, base, "Does it help ordinary memmap initialisation?",
			          touched ? "and the pages handed on" : "initialised alone");
	}
}
