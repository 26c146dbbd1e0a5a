/* SPDX-License-Identifier: BSD-2-Clause */
/* The report's part for experiment=pte: one table of all windows, and where the time goes. */
#include "pte_table.h"
#include "text.h"

#include <math.h>
#include <string.h>

/* Of a page that was mapped, in the unit of the table. */
static double a_page(const struct results *results, double ticks, const struct run *run)
{
	double each = ticks / (double)run->written;

	if (!results->counter.hz)
		return each;
	each = ticks_to_ns(each, results->counter.hz);
	return machine_counts_instructions(&results->machine)
	               ? ldexp(each, -(int)results->machine.icount_shift)
	               : each;
}

static const char *unit_of(const struct results *results)
{
	if (machine_counts_instructions(&results->machine))
		return "insn";
	return results->counter.hz ? "ns" : "ticks";
}

static bool is_pte(const struct run *run, const struct pmem_range *range)
{
	return run->cell.window_pages && run->cell.range == range && run->ticks.n;
}

static void print_row(FILE *out, const struct results *results, const struct run *run)
{
	static const char *const verified[] = {"-", "NO", "ok"};
	char change[24] = "-", way[24];

	if (run->cell.method != METHOD_PAGE)
		snprintf(change, sizeof(change), "%+.1f", run->vs_base_pct);
	snprintf(way, sizeof(way), "%s%s", method_name(run->cell.method),
	         run->cell.contiguous ? " contiguous" : "");
	fprintf(out, "%-8s %-10s %-15s %8.8s %8.8s %7.7s %8.8s %2s\n",
	        text_bytes(4096ull * run->cell.window_pages).text, holes_name(run->cell.holes), way,
	        text_fixed(a_page(results, run->ticks.mean, run), 8).text,
	        text_fixed(a_page(results, run->ticks.median, run), 8).text,
	        text_fixed(run->ticks.n > 1 ? a_page(results, run->ticks.mad, run) : NAN, 7).text,
	        change, verified[run->verified + 1]);
}

/* Each step as what it adds to the one before it. */
static void print_steps(FILE *out, const struct results *results, const struct run *run)
{
	double below = 0;

	fprintf(out, "%-8s %-10s %-5s", text_bytes(4096ull * run->cell.window_pages).text,
	        holes_name(run->cell.holes), method_name(run->cell.method));
	for (size_t i = 0; i < run->nr_phases; i++) {
		double ticks = (double)run->phase[i].ticks;

		fprintf(out, " %10s", text_fixed(a_page(results, ticks - below, run), 8).text);
		below = ticks;
	}
	putc('\n', out);
}

static void print_phases(FILE *out, const struct results *results, const struct run *first,
                         const char *unit)
{
	const struct run *end = results->run + results->nr_runs;
	bool begun = false;

	for (const struct run *run = first; run < end; run++) {
		if (!is_pte(run, first->cell.range) || !run->nr_phases)
			continue;
		if (!begun) {
			fprintf(out, "\nwhere it goes, %s a page\n%-8s %-10s %-5s", unit, "window",
			        "holes", "way");
			for (size_t i = 0; i < run->nr_phases; i++)
				fprintf(out, " %10s", run->phase[i].name);
			putc('\n', out);
			begun = true;
		}
		print_steps(out, results, run);
	}
}

void pte_table_print(FILE *out, const struct results *results, const struct run *first)
{
	const struct run *end = results->run + results->nr_runs;
	const char *unit = unit_of(results);

	putc('\n', out);
	text_wrap(out, "", 0, "pte %s: %s pages in folios of 2 MiB, mapped window by window; %u %s",
	          first->cell.range ? first->cell.range->id : "",
	          text_grouped(first->cell.geometry.nr_pages).text, first->ticks.n,
	          first->ticks.n == 1 ? "pass" : "passes");
	fprintf(out, "\n%-8s %-10s %-15s %8s %8s %7s %8s\n", "window", "holes", "way", "mean",
	        "median", "mad", "vs page");
	fprintf(out, "%-8s %-10s %-15s %8s %8s %7s %8s %2s\n", "", "", "", unit, unit, unit, "%",
	        "ok");
	for (const struct run *run = first; run < end; run++)
		if (is_pte(run, first->cell.range))
			print_row(out, results, run);
	text_wrap(out, "", 0, "%s of a page that was mapped; holes are poisoned pages", unit);
	print_phases(out, results, first, unit);
	for (const struct run *run = first; run < end; run++)
		if (is_pte(run, first->cell.range) && run->verified == 0)
			text_wrap(out, "WRONG: ", 7, "%s: %s", method_name(run->cell.method),
			          run->why_not);
}
