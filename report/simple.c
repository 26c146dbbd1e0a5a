/* SPDX-License-Identifier: BSD-2-Clause */
/* format=simple: one line a cell, columns in a fixed order, for grep and awk. */
#include "figures.h"
#include "text.h"

#include <pagestamp/report.h>

static void print_run(FILE *out, const struct results *results, const struct run *run)
{
	static const char *const verified[] = {"-", "NO", "ok"};
	const struct cell *cell = &run->cell;
	struct figures f = figures_of(results, run);
	bool insn = machine_counts_instructions(&results->machine);
	char mapping[40];

	snprintf(mapping, sizeof(mapping), "%u/%s%s", cell->window_pages, holes_name(cell->holes),
	         cell->contiguous ? "/contiguous" : "");

	text_wrap(out, "", 2, "%s %s %s %s %s %s %s %s %s %s %s", experiment_name(cell->experiment),
	          cell->range ? cell->range->id : "-", cell->map_dev ? "dev" : "mem",
	          cell->optimised ? "opt" : "full", method_name(cell->method),
	          cell->window_pages ? mapping : cell_copy(cell),
	          text_fixed(f.ns.median / 1e6, 8).text,
	          text_fixed(insn ? f.instructions_per_page : f.ns_per_page, 7).text,
	          text_fixed(run->vs_base_pct, 6).text, text_fixed(run->vs_fill, 5).text,
	          verified[run->verified + 1]);
}

void report_simple(FILE *out, const struct results *results)
{
	if (machine_is_tcg(&results->machine))
		fputs("# QEMU TCG: times say nothing about silicon\n", out);
	fprintf(out, "# experiment range map vmemmap method copy ms %s/page base%% fill verified\n",
	        machine_counts_instructions(&results->machine) ? "insn" : "ns");
	for (size_t i = 0; i < results->nr_runs; i++)
		print_run(out, results, &results->run[i]);
	for (size_t i = 0; i < results->nr_skipped; i++)
		text_wrap(out, "# skipped ", 2, "%s: %s", results->skipped[i].what,
		          results->skipped[i].why);
}
