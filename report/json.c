/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * results.json, schema "pagestamp/1" (docs/results.md). Every key of the schema is
 * always there; what this build does not vary has its one value.
 */
#include "figures.h"
#include "json_text.h"

#include <pagestamp/report.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_words(struct json *json, const char *key, const char *words)
{
	char word[64];

	json_open(json, key, '[');
	while (*words) {
		size_t length = strcspn(words, " ");

		if (length) {
			snprintf(word, sizeof(word), "%.*s", (int)length, words);
			json_string(json, NULL, word);
		}
		words += length;
		words += strspn(words, " ");
	}
	json_close(json, ']');
}

static void write_machine(struct json *json, const struct results *results)
{
	const struct machine *machine = &results->machine;

	json_open(json, "machine", '{');
	json_string_or_null(json, "cpu", machine->cpu);
	json_string_or_null(json, "family_model_stepping", machine->family_model_stepping);
	json_string_or_null(json, "microcode", machine->microcode);
	json_string_or_null(json, "midr", machine->midr);
	json_unsigned_or_null(json, "llc_bytes", machine->llc_bytes);
	json_string_or_null(json, "window_page", results->window_page);
	write_words(json, "features", machine->features);
	json_string_or_null(json, "firmware", machine->firmware);
	if (machine->secure_boot >= 0)
		json_bool(json, "secure_boot", machine->secure_boot);
	else
		json_null(json, "secure_boot");
	json_unsigned_or_null(json, "el", machine->el > 0 ? (uint64_t)machine->el : 0);
	json_string_or_null(json, "hypervisor", machine->hypervisor);
	json_unsigned_or_null(json, "memory_bytes", machine->memory_bytes);
	json_unsigned_or_null(json, "nodes", machine->nodes);
	if (machine_counts_instructions(machine))
		json_unsigned(json, "icount_shift", machine->icount_shift);
	else
		json_null(json, "icount_shift");
	json_close(json, '}');
}

static void write_counter(struct json *json, const struct counter *counter)
{
	bool checked = counter->cross_check[0] && strcmp(counter->cross_check, "none") != 0;

	json_open(json, "counter", '{');
	json_string_or_null(json, "name", counter->name);
	json_unsigned_or_null(json, "hz", counter->hz);
	json_string_or_null(json, "source", counter->source);
	json_string_or_null(json, "cross_check", counter->cross_check);
	if (checked)
		json_unsigned(json, "disagreement_ppm", counter->disagreement_ppm);
	else
		json_null(json, "disagreement_ppm");
	json_number(json, "resolution_ns", counter->hz ? counter->resolution_ns : NAN);
	json_unsigned(json, "overhead_ticks", counter->overhead_ticks);
	json_close(json, '}');
}

static void write_range(struct json *json, const struct pmem_range *range)
{
	static const char *const kinds[] = {[RANGE_PERSISTENT] = "persistent",
	                                    [RANGE_VIRTUAL] = "virtual",
	                                    [RANGE_SPECIAL] = "special",
	                                    [RANGE_MEMMAP] = "memmap"};
	const struct pmem_namespace *ns = range->content == CONTENT_NAMESPACE ? &range->ns : NULL;
	struct compounds use_2m = compounds_of(range, 2ull << 20);
	struct compounds use_1g = compounds_of(range, 1ull << 30);

	json_open(json, NULL, '{');
	json_string(json, "id", range->id);
	json_string(json, "kind", kinds[range->kind]);
	json_string_or_null(json, "source", range->source);
	json_hex(json, "base", range->base);
	json_unsigned(json, "size", range->size);
	json_unsigned(json, "node", range->node);
	json_string_or_null(json, "node_by", range->nodes);
	json_string_or_null(json, "about", range->about);
	json_hex(json, "attributes", range->attributes);
	json_bool(json, "read_only", range->read_only);
	json_string_or_null(json, "holds", range->holds);
	json_string_or_null(json, "namespace", ns ? range->holds : NULL);
	json_unsigned_or_null(json, "namespace_size", ns ? ns->size : 0);
	json_unsigned_or_null(json, "dataoff", ns ? ns->dataoff : 0);
	json_unsigned_or_null(json, "npfns", ns ? ns->npfns : 0);
	json_unsigned(json, "usable_2m", use_2m.usable);
	json_unsigned(json, "usable_1g", use_1g.usable);
	json_unsigned(json, "lost_head", use_2m.lost_head);
	json_unsigned(json, "lost_tail", use_2m.lost_tail);
	json_close(json, '}');
}

static void write_backend(struct json *json, const struct copy_backend *backend)
{
	const char *missing = backend->missing ? backend->missing() : NULL;

	json_open(json, NULL, '{');
	json_string(json, "name", backend->name);
	json_bool(json, "streaming", backend->streaming);
	json_unsigned(json, "block_bytes", backend->block_bytes);
	json_string(json, "instruction", backend->instruction);
	json_bool(json, "available", !missing);
	json_bool(json, "never_run", backend->never_run);
	json_string(json, "why", missing);
	json_close(json, '}');
}

/* The same members in a run and in a skipped cell. */
static void write_cell(struct json *json, const struct cell *cell)
{
	const struct memmap_variant *variant = cell_variant(cell);
	char id[192];

	cell_id(cell, id, sizeof(id));
	json_string(json, "cell", id);
	json_string(json, "experiment", experiment_name(cell->experiment));
	json_string(json, "range", cell->range ? cell->range->id : NULL);
	json_string(json, "map", cell->map_dev ? "dev" : "mem");
	json_unsigned(json, "align", cell->geometry.align);
	json_unsigned(json, "order", cell->geometry.order);
	json_string(json, "method", method_name(cell->method));
	json_string(json, "copy", cell->automatic || cell->backend ? cell_copy(cell) : NULL);
	json_string(json, "model", variant->sparse ? "sparse" : "vmemmap");
	json_string(json, "tail", variant->mask ? "mask" : "pointer");
	json_string(json, "state", cell->cold ? "cold" : "warm");
	json_string(json, "touch", cell_touch(cell).text);
	json_string(json, "order_of_stores", cell->descending ? "descending" : "ascending");
	json_unsigned(json, "dest_offset", cell->dest_offset);
	json_string(json, "dax_vmemmap", cell->optimised ? "optimised" : "full");
	json_unsigned(json, "cpus", 1);
	json_unsigned(json, "page_size", 1ull << variant->page_shift);
	json_unsigned(json, "descriptor_bytes", variant->size);
	json_unsigned(json, "pages", cell->geometry.nr_pages);
	json_unsigned_or_null(json, "window_pages", cell->window_pages);
	if (cell->window_pages) {
		json_string(json, "holes", holes_name(cell->holes));
		json_bool(json, "contiguous", cell->contiguous);
	} else {
		json_null(json, "holes");
		json_null(json, "contiguous");
	}
}

static void write_first(struct json *json, const struct run *run, double first_ns)
{
	if (run->first_known) {
		json_unsigned(json, "first_ticks", run->first_ticks);
		json_number(json, "first_ns", first_ns);
		json_unsigned(json, "first_pages", run->first_pages);
		json_unsigned(json, "first_written", run->first_written);
	} else {
		json_null(json, "first_ticks");
		json_null(json, "first_ns");
		json_null(json, "first_pages");
		json_null(json, "first_written");
	}
}

static void write_dump(struct json *json, const struct run *run)
{
	json_open(json, "dump", '[');
	for (size_t i = 0; i < run->nr_dump; i++) {
		const struct dump_words *dump = &run->dump[i];

		json_open(json, NULL, '{');
		json_unsigned(json, "compound", dump->compound);
		json_string(json, "which", dump->which);
		json_open(json, "words", '[');
		for (unsigned w = 0; w < cell_variant(&run->cell)->size / 8; w++)
			json_hex(json, NULL, dump->word[w]);
		json_close(json, ']');
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void write_phases(struct json *json, const struct results *results, const struct run *run)
{
	json_open(json, "phases", '[');
	for (size_t i = 0; i < run->nr_phases; i++) {
		json_open(json, NULL, '{');
		json_string(json, "name", run->phase[i].name);
		json_number(json, "ticks", run->phase[i].ticks);
		json_number(json, "ns", ticks_to_ns(run->phase[i].ticks, results->counter.hz));
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void write_run(struct json *json, const struct results *results, const struct run *run)
{
	struct figures f = figures_of(results, run);

	json_open(json, NULL, '{');
	write_cell(json, &run->cell);
	json_string(json, "chosen",
	            run->cell.automatic && run->cell.backend ? run->cell.backend->name : NULL);
	json_string_or_null(json, "why", run->auto_why);
	json_unsigned(json, "written", run->written);
	write_first(json, run, f.first_ns);
	json_open(json, "rebind_ns", '{');
	json_unsigned(json, "n", f.ns.n);
	json_number(json, "min", f.ns.min);
	json_number(json, "median", f.ns.median);
	json_number(json, "mean", f.ns.mean);
	json_number(json, "max", f.ns.max);
	json_number(json, "mad", f.ns.mad);
	json_close(json, '}');
	json_open(json, "samples_ticks", '[');
	for (unsigned i = 0; i < run->nr_samples; i++)
		json_unsigned(json, NULL, run->samples[i]);
	json_close(json, ']');
	json_number(json, "ns_per_page", f.ns_per_page);
	json_number(json, "instructions_per_page", f.instructions_per_page);
	json_number(json, "gb_per_s", f.gb_per_s);
	json_number(json, "vs_base_pct", run->vs_base_pct);
	json_number(json, "vs_fill", run->vs_fill);
	json_number(json, "vs_ordinary_fill", run->vs_ordinary_fill);
	json_number(json, "vs_best", run->vs_best.median);
	if (run->cell.touch == TOUCH_BATCH)
		json_unsigned(json, "touch_bytes", run->cell.touch_bytes);
	else
		json_null(json, "touch_bytes");
	json_number(json, "touch_ns", ticks_to_ns(run->touch_ticks, results->counter.hz));
	write_phases(json, results, run);
	json_unsigned(json, "saved_bytes", f.saved_bytes);
	json_open(json, "counters", '{');
	json_close(json, '}');
	write_dump(json, run);
	if (run->verified >= 0)
		json_bool(json, "verified", run->verified);
	else
		json_null(json, "verified");
	json_string_or_null(json, "why_not", run->verified == 0 ? run->why_not : NULL);
	json_close(json, '}');
}

static void write_limit(struct json *json, const struct limit *limit, uint64_t hz)
{
	double ns = ticks_to_ns(limit->ticks, hz);

	json_open(json, NULL, '{');
	json_string(json, "name", limit->name);
	json_unsigned(json, "bytes", limit->bytes);
	json_unsigned(json, "cpus", 1);
	json_number(json, "gb_per_s", ns > 0 ? (double)limit->bytes / ns : NAN);
	json_number(json, "ticks", limit->ticks);
	json_number(json, "ns", ns);
	json_close(json, '}');
}

static void write_skipped(struct json *json, const struct skipped *skipped)
{
	json_open(json, NULL, '{');
	json_string(json, "what", skipped->what);
	json_string(json, "why", skipped->why);
	if (skipped->cell)
		write_cell(json, skipped->cell);
	else
		json_null(json, "cell");
	json_close(json, '}');
}

static void write_pool(struct json *json, const struct hugepage_share *share)
{
	json_open(json, NULL, '{');
	json_unsigned(json, "page", share->page_bytes);
	json_unsigned(json, "node", share->node);
	json_unsigned(json, "asked", share->asked);
	json_unsigned(json, "got", share->got);
	json_unsigned(json, "optimised", share->optimised);
	json_unsigned(json, "fell_back", share->fell_back);
	json_open(json, "extents", '[');
	for (size_t i = 0; i < share->nr_extents; i++) {
		json_open(json, NULL, '{');
		json_hex(json, "base", share->extent[i].base);
		json_unsigned(json, "pages", share->extent[i].pages);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void write_lists(struct json *json, const struct results *results)
{
	char id[192];

	json_open(json, "ranges", '[');
	for (size_t i = 0; i < results->ranges.nr; i++)
		write_range(json, &results->ranges.item[i]);
	json_close(json, ']');

	json_open(json, "backends", '[');
	for (size_t i = 0; i < nr_copy_backends; i++)
		write_backend(json, copy_backends[i]);
	json_close(json, ']');

	json_open(json, "runs", '[');
	for (size_t i = 0; i < results->nr_runs; i++)
		write_run(json, results, &results->run[i]);
	json_close(json, ']');

	json_open(json, "pools", '[');
	for (size_t i = 0; i < results->pools.nr; i++)
		write_pool(json, &results->pools.share[i]);
	json_close(json, ']');

	json_open(json, "limits", '[');
	for (size_t i = 0; i < results->nr_limits; i++)
		write_limit(json, &results->limit[i], results->counter.hz);
	json_close(json, ']');

	json_open(json, "answers", '[');
	for (size_t i = 0; i < results->nr_answers; i++) {
		json_open(json, NULL, '{');
		json_string(json, "question", results->answer[i].question);
		json_string(json, "answer", results->answer[i].answer);
		json_open(json, "runs", '[');
		for (size_t k = 0; k < results->answer[i].nr_runs; k++) {
			cell_id(&results->run[results->answer[i].run[k]].cell, id, sizeof(id));
			json_string(json, NULL, id);
		}
		json_close(json, ']');
		json_close(json, '}');
	}
	json_close(json, ']');

	json_open(json, "skipped", '[');
	for (size_t i = 0; i < results->nr_skipped; i++)
		write_skipped(json, &results->skipped[i]);
	json_close(json, ']');
}

bool report_json(const struct results *results, char **text, size_t *len)
{
	struct json writer = {.empty = true}, *json = &writer;

	json_open(json, NULL, '{');
	json_string(json, "schema", "pagestamp/1");
	json_string_or_null(json, "version", results->version);
	json_string_or_null(json, "compiler", results->compiler);
	json_string_or_null(json, "arch", results->arch);
	json_string_or_null(json, "accel", results->machine.accel);
	json_string(json, "options", results->options ? results->options->effective : NULL);
	json_string_or_null(json, "build_flags", results->build_flags);
	json_string(json, "result", results->pass ? "pass" : "fail");
	json_string_or_null(json, "fail_why", results->pass ? NULL : results->fail_why);
	write_machine(json, results);
	write_counter(json, &results->counter);
	write_lists(json, results);
	json_close(json, '}');
	return json_finish(json, text, len);
}
