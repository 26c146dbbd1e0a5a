/* SPDX-License-Identifier: BSD-2-Clause */
/* The report for people. */
#include "figures.h"
#include "pte_table.h"
#include "text.h"

#include <pagestamp/report.h>

#include <math.h>
#include <string.h>

/* The unit of the times in a table: milliseconds, or where hz is unknown millions of ticks. */
static double display(const struct results *results, double ticks)
{
	return results->counter.hz ? ticks_to_ns(ticks, results->counter.hz) / 1e6 : ticks / 1e6;
}

static const char *display_unit(const struct results *results)
{
	return results->counter.hz ? "ms" : "Mtick";
}

/* Nanoseconds, or what stands for them. */
static double per_page(const struct results *results, const struct figures *f)
{
	if (machine_counts_instructions(&results->machine))
		return f->instructions_per_page;
	return results->counter.hz ? f->ns_per_page : f->ticks_per_page;
}

static const char *per_page_unit(const struct results *results)
{
	if (machine_counts_instructions(&results->machine))
		return "insn";
	return results->counter.hz ? "ns" : "ticks";
}

static void print_warning(FILE *out, const struct results *results)
{
	if (!machine_is_tcg(&results->machine))
		return;
	text_wrap(out, "", 0,
	          "NOTE: this ran under QEMU's translator (TCG). Its times say nothing about "
	          "silicon: not the nanoseconds, and not which method is faster. For those run "
	          "it on the machine itself, or `make bench`.");
	if (machine_counts_instructions(&results->machine))
		text_wrap(out, "", 0,
		          "Here time counts instructions: %u ns each. The column insn per page "
		          "is exact and the same in every run.",
		          1u << results->machine.icount_shift);
	putc('\n', out);
}

static const char *or_unknown(const char *text)
{
	return text && text[0] ? text : "unknown";
}

static void print_machine(FILE *out, const struct results *results)
{
	const struct machine *machine = &results->machine;
	const struct counter *counter = &results->counter;

	text_wrap(out, "program   ", 10, "pagestamp %s %s, %s", or_unknown(results->version),
	          or_unknown(results->arch), or_unknown(results->compiler));
	text_wrap(out, "machine   ", 10, "%s %s%s", or_unknown(machine->cpu),
	          machine->family_model_stepping, machine->midr);
	text_wrap(out, "          ", 10, "last-level cache %s, RAM %s, %u node%s%s",
	          machine->llc_bytes ? text_bytes(machine->llc_bytes).text : "unknown",
	          machine->memory_bytes ? text_bytes(machine->memory_bytes >> 20 << 20).text
	                                : "unknown",
	          machine->nodes, machine->nodes == 1 ? "" : "s",
	          machine->el == 2   ? ", EL2"
	          : machine->el == 1 ? ", EL1"
	                             : "");
	text_wrap(out, "          ", 10, "hypervisor %s, accelerator %s",
	          machine->hypervisor[0] ? machine->hypervisor : "not seen",
	          or_unknown(machine->accel));
	text_wrap(out, "firmware  ", 10, "%s", or_unknown(machine->firmware));
	text_wrap(out, "features  ", 10, "%s", or_unknown(machine->features));
	if (counter->hz)
		text_wrap(out, "counter   ", 10,
		          "%s, %s Hz from %s, second source %s, a tick is %.3g ns, overhead "
		          "%llu ticks",
		          counter->name, text_grouped(counter->hz).text,
		          or_unknown(counter->source), or_unknown(counter->cross_check),
		          counter->resolution_ns, (unsigned long long)counter->overhead_ticks);
	else
		text_wrap(out, "counter   ", 10,
		          "%s, frequency not known or not to be trusted (%s against %s): ticks "
		          "only",
		          or_unknown(counter->name), or_unknown(counter->source),
		          or_unknown(counter->cross_check));
	text_wrap(out, "options   ", 10, "%s",
	          results->options && results->options->effective[0] ? results->options->effective
	                                                             : "(defaults)");
}

static void print_ranges(FILE *out, const struct results *results)
{
	if (!results->ranges.nr)
		fputs("ranges    none\n", out);
	for (size_t i = 0; i < results->ranges.nr; i++) {
		const struct pmem_range *range = &results->ranges.item[i];

		text_wrap(out, i ? "          " : "ranges    ", 12,
		          "%s at 0x%llx, %s, node %u (%s)%s: %s", range->id,
		          (unsigned long long)range->base, text_bytes(range->size).text,
		          (unsigned)range->node, or_unknown(range->source),
		          range->read_only ? ", read-only" : "", or_unknown(range->holds));
	}
}

/* Only when asked what there is: a run lists what it lacked under "skipped". */
static void print_backends(FILE *out, const struct results *results)
{
	if (!results->options || !results->options->list)
		return;
	for (size_t i = 0; i < nr_copy_backends; i++) {
		const struct copy_backend *backend = copy_backends[i];
		const char *missing = backend->missing ? backend->missing() : NULL;

		text_wrap(out, i ? "          " : "copies    ", 12, "%s: %s, %u bytes%s%s%s%s",
		          backend->name, backend->instruction, backend->block_bytes,
		          backend->streaming ? ", streaming" : "",
		          backend->never_run ? ", never run by a test" : "",
		          missing ? "; not here: " : "", missing ? missing : "");
	}
}

/*
 * The runs of one table: those from `first` on that go with it. They need not be
 * neighbours in the array.
 */
static const struct run *next_of(const struct results *results, const struct run *first,
                                 const struct run *after)
{
	const struct run *end = results->run + results->nr_runs;

	for (const struct run *run = after ? after + 1 : first; run < end; run++)
		if (cells_side_by_side(&run->cell, &first->cell))
			return run;
	return NULL;
}

#define FOR_TABLE(run, results, first)                                                             \
	for (const struct run *run = next_of(results, first, NULL); run;                           \
	     run = next_of(results, first, run))

/* The windows of experiment=pte share one table. */
static bool one_table(const struct cell *a, const struct cell *b)
{
	if (a->window_pages && b->window_pages)
		return a->range == b->range;
	return cells_side_by_side(a, b);
}

static bool opens_table(const struct results *results, const struct run *run)
{
	for (const struct run *earlier = results->run; earlier < run; earlier++)
		if (one_table(&earlier->cell, &run->cell))
			return false;
	return true;
}

/* A first bind of less than the whole range compares only per page. */
static bool first_is_whole(const struct results *results, const struct run *first)
{
	FOR_TABLE(run, results, first)
	if (run->first_known && run->first_pages != run->cell.geometry.nr_pages)
		return false;
	return true;
}

static double first_bind(const struct results *results, const struct run *run,
                         const struct figures *f, bool whole)
{
	if (!run->first_known)
		return NAN;
	if (whole)
		return display(results, (double)run->first_ticks);
	if (machine_counts_instructions(&results->machine))
		return f->first_instructions_per_page;
	if (results->counter.hz)
		return f->first_ns_per_page;
	return run->first_written ? (double)run->first_ticks / (double)run->first_written : NAN;
}

static void print_row(FILE *out, const struct results *results, const struct run *run, bool whole)
{
	static const char *const verified[] = {"-", "NO", "ok"};
	struct figures f = figures_of(results, run);
	char change[24] = "-";
	double mean = NAN, median = NAN, mad = NAN;

	if (run->ticks.n) {
		mean = display(results, run->ticks.mean);
		median = display(results, run->ticks.median);
		if (run->ticks.n > 1) /* of one sample the spread is unknown, not 0 */
			mad = display(results, run->ticks.mad);
	}
	if (isfinite(run->vs_base_pct) && run->cell.method != METHOD_BASE)
		snprintf(change, sizeof(change), "%+.1f", run->vs_base_pct);
	fprintf(out, "%-8.8s %-14.14s %7.7s %7.7s %7.7s %6.6s %7.7s %7.7s %5.5s %2s\n",
	        method_name(run->cell.method),
	        run->cell.method == METHOD_BASE ? "-" : cell_copy(&run->cell),
	        text_fixed(first_bind(results, run, &f, whole), 7).text, text_fixed(mean, 7).text,
	        text_fixed(median, 7).text, text_fixed(mad, 6).text,
	        text_fixed(per_page(results, &f), 7).text, change, text_fixed(run->vs_fill, 5).text,
	        verified[run->verified + 1]);
}

static void print_bar(FILE *out, const struct results *results, const struct run *run,
                      double slowest)
{
	enum { WIDTH = 40 };
	char bar[WIDTH + 1], label[32];
	int filled = (int)(run->ticks.median / slowest * WIDTH + 0.5);

	memset(bar, '#', sizeof(bar));
	bar[filled < 1 ? 1 : filled > WIDTH ? WIDTH : filled] = '\0';
	snprintf(label, sizeof(label), "%s %s", method_name(run->cell.method),
	         run->cell.backend ? run->cell.backend->name : "");
	fprintf(out, "%-23.23s |%-*s %7.7s %s\n", label, WIDTH, bar,
	        text_fixed(display(results, run->ticks.median), 7).text, display_unit(results));
}

/* One bar a method, of its fastest copy. */
static void print_bars(FILE *out, const struct results *results, const struct run *first)
{
	const struct run *best[METHOD_NR] = {NULL};
	double slowest = 0;

	FOR_TABLE(run, results, first)
	{
		const struct run **of = &best[run->cell.method];

		if (run->ticks.n && (!*of || run->ticks.median < (*of)->ticks.median))
			*of = run;
	}
	for (unsigned m = 0; m < METHOD_NR; m++)
		if (best[m] && best[m]->ticks.median > slowest)
			slowest = best[m]->ticks.median;
	if (!(slowest > 0))
		return;
	putc('\n', out);
	for (unsigned m = 0; m < METHOD_NR; m++)
		if (best[m])
			print_bar(out, results, best[m], slowest);
}

static void print_mismatches(FILE *out, const struct results *results, const struct run *first)
{
	FOR_TABLE(run, results, first)
	if (run->verified == 0)
		text_wrap(out, "WRONG: ", 7, "%s %s: %s", method_name(run->cell.method),
		          cell_copy(&run->cell), or_unknown(run->why_not));
}

/* What it costs whoever touches the descriptors next, and what both cost together. */
static void print_touch(FILE *out, const struct results *results, const struct run *first)
{
	if (first->cell.touch == TOUCH_NONE)
		return;
	fprintf(out, "\nnext toucher, touch=%s\n", cell_touch(&first->cell).text);
	fprintf(out, "%-8s %-14s %10s %22s\n", "method", "copy", "its time",
	        "both, a page written");
	FOR_TABLE(run, results, first)
	{
		const double both = (run->touch_ticks + run->ticks.median) / (double)run->written;

		fprintf(out, "%-8s %-14.14s %7s %s %19s %s\n", method_name(run->cell.method),
		        run->cell.method == METHOD_BASE ? "-" : cell_copy(&run->cell),
		        text_fixed(display(results, run->touch_ticks), 7).text,
		        display_unit(results),
		        text_fixed(results->counter.hz ? ticks_to_ns(both, results->counter.hz)
		                                       : both,
		                   7)
		                .text,
		        results->counter.hz ? "ns" : "ticks");
	}
}

static void print_table(FILE *out, const struct results *results, const struct run *first)
{
	const struct cell *cell = &first->cell;
	const struct memmap_variant *variant;
	char offset[32] = "";
	bool whole;
	const char *unit = display_unit(results), *page_unit = per_page_unit(results);

	if (cell->window_pages) {
		pte_table_print(out, results, first);
		return;
	}
	variant = cell_variant(cell);
	whole = first_is_whole(results, first);
	putc('\n', out);
	if (cell->dest_offset)
		snprintf(offset, sizeof(offset), ", %u bytes off line", cell->dest_offset);
	text_wrap(out, "", 0, "%s %s map=%s align=%s page_size=%s%s%s%s%s%s%s",
	          experiment_name(cell->experiment), cell->range ? cell->range->id : "",
	          cell->map_dev ? "dev" : "mem", text_bytes(cell->geometry.align).text,
	          text_bytes(1ull << variant->page_shift).text,
	          cell->optimised ? ", optimised vmemmap" : "", variant->sparse ? ", sparse" : "",
	          variant->mask ? ", mask" : "", cell->cold ? ", cold" : "",
	          cell->descending ? ", descending" : "", offset);
	text_wrap(out, "", 0, "%s descriptors of %u bytes, %s written, %s; %u rebind%s",
	          text_grouped(cell->geometry.nr_pages).text, variant->size,
	          text_grouped(first->written).text,
	          text_bytes(first->written * variant->size).text, first->ticks.n,
	          first->ticks.n == 1 ? "" : "s");
	fprintf(out, "\n%-8s %-14s %7s %7s %7s %6s %7s %7s %5s\n", "method", "copy",
	        whole ? "first" : "first*", "mean", "median", "mad", page_unit, "vs base", "vs");
	fprintf(out, "%-8s %-14s %7s %7s %7s %6s %7s %7s %5s %2s\n", "", "",
	        whole ? unit : page_unit, unit, unit, unit, "a page", "%", "fill", "ok");
	FOR_TABLE(run, results, first)
	print_row(out, results, run, whole);
	if (!whole)
		text_wrap(out, "* ", 2,
		          "first bind: %s a page, on a fresh slice of %s descriptors for each row",
		          page_unit, text_grouped(first->first_pages).text);
	FOR_TABLE(run, results, first)
	if (run->cell.automatic && run->cell.backend)
		text_wrap(out, "", 2, "%s auto: %s; %s", method_name(run->cell.method),
		          run->cell.backend->name, run->auto_why);
	print_touch(out, results, first);
	print_mismatches(out, results, first);
	print_bars(out, results, first);
}

static void print_limits(FILE *out, const struct results *results)
{
	if (results->nr_limits)
		fputs("\nLimits of this machine\n", out);
	for (size_t i = 0; i < results->nr_limits; i++) {
		const struct limit *limit = &results->limit[i];
		double ns = ticks_to_ns(limit->ticks, results->counter.hz);

		fprintf(out, "  %-24.24s %10s  %8.8s %s", limit->name,
		        text_bytes(limit->bytes).text,
		        text_fixed(display(results, limit->ticks), 8).text, display_unit(results));
		if (ns > 0)
			fprintf(out, "  %7.7s GB/s", text_fixed((double)limit->bytes / ns, 7).text);
		putc('\n', out);
	}
}

static void print_answer(FILE *out, const struct results *results, const struct answer *answer)
{
	const unsigned rebinds = answer_rebinds(results, answer);

	text_wrap(out, "- ", 2, "%s", answer->question);
	if (rebinds > 1)
		text_wrap(out, "  ", 2, "%s (%u rebinds)", answer->answer, rebinds);
	else if (rebinds)
		text_wrap(out, "  ", 2, "%s (one rebind: its spread is not known)", answer->answer);
	else
		text_wrap(out, "  ", 2, "%s", answer->answer);
}

static void print_answers(FILE *out, const struct results *results)
{
	if (results->nr_answers)
		fprintf(out, "\nAnswers%s\n",
		        machine_is_tcg(&results->machine) ? " (of an emulator: see the NOTE on top)"
		                                          : "");
	for (size_t i = 0; i < results->nr_answers; i++)
		print_answer(out, results, &results->answer[i]);
}

/* Cells that go for one reason stand next to each other: one line for all of them. */
static void print_skipped(FILE *out, const struct results *results)
{
	const struct skipped *end = results->skipped + results->nr_skipped;

	if (results->nr_skipped)
		fputs("\nSkipped\n", out);
	for (const struct skipped *s = results->skipped, *next; s < end; s = next) {
		for (next = s + 1; next < end; next++)
			if (strcmp(next->what, s->what) != 0 || strcmp(next->why, s->why) != 0)
				break;
		if (next - s > 1)
			text_wrap(out, "- ", 4, "%s (%u cells): %s", s->what, (unsigned)(next - s),
			          s->why);
		else
			text_wrap(out, "- ", 4, "%s: %s", s->what, s->why);
	}
}

static void print_verified(FILE *out, const struct results *results)
{
	size_t yes = 0, no = 0;

	for (size_t i = 0; i < results->nr_runs; i++) {
		yes += results->run[i].verified == 1;
		no += results->run[i].verified == 0;
	}
	if (results->nr_runs)
		fprintf(out,
		        "\n%zu rows: %zu verified against the slow path, %zu wrong, %zu not "
		        "asked\n",
		        results->nr_runs, yes, no, results->nr_runs - yes - no);
}

void report_table(FILE *out, const struct results *results)
{
	print_warning(out, results);
	print_machine(out, results);
	print_ranges(out, results);
	print_backends(out, results);
	for (size_t i = 0; i < results->nr_runs; i++)
		if (opens_table(results, &results->run[i]))
			print_table(out, results, &results->run[i]);
	print_limits(out, results);
	print_answers(out, results);
	print_skipped(out, results);
	print_verified(out, results);
}

void report_verdict(FILE *out, const struct results *results)
{
	static const char fail[] = "pagestamp: FAIL ";
	const char *why = results->fail_why[0] ? results->fail_why : "no reason given";
	int room = TEXT_COLUMNS - (int)(sizeof(fail) - 1);

	if (results->pass) {
		fputs("pagestamp: pass\n", out);
		return;
	}
	if ((int)strlen(why) <= room) {
		fprintf(out, "%s%s\n", fail, why);
		return;
	}
	/* The last line is one line; what it has no room for stands before it. */
	text_wrap(out, "failed because: ", 2, "%s", why);
	room -= 4;
	for (int i = room; i; i--) {
		if (why[i] == ' ') {
			room = i;
			break;
		}
	}
	fprintf(out, "%s%.*s ...\n", fail, room, why);
}
