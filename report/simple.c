/* SPDX-License-Identifier: BSD-2-Clause */
/* format=simple: one line a cell, key=value, for grep and awk. */
#include "figures.h"
#include "text.h"

#include <pagestamp/report.h>

#include <math.h>

void report_simple(FILE *out, const struct results *results)
{
	static const char *const verified[] = {"unasked", "NO", "yes"};

	for (size_t i = 0; i < results->nr_runs; i++) {
		const struct run *run = &results->run[i];
		const struct cell *cell = &run->cell;
		struct figures f = figures_of(results, run);
		bool insn = isfinite(f.instructions_per_page);

		fprintf(out, "%s %s %s %s %s%s ms=%s %s=%s vs_base=%s vs_fill=%s verified=%s\n",
		        experiment_name(cell->experiment), cell->range ? cell->range->id : "-",
		        cell->map_dev ? "dev" : "mem", method_name(cell->method), cell_copy(cell),
		        cell->optimised ? " optimised" : "", text_fixed(f.ns.median / 1e6, 8).text,
		        insn ? "insn" : "ns",
		        text_fixed(insn ? f.instructions_per_page : f.ns_per_page, 7).text,
		        text_fixed(run->vs_base_pct, 6).text, text_fixed(run->vs_fill, 5).text,
		        verified[run->verified + 1]);
	}
	for (size_t i = 0; i < results->nr_skipped; i++)
		text_wrap(out, "skipped ", 2, "%s: %s", results->skipped[i].what,
		          results->skipped[i].why);
}
