/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a group: which methods, by which copies, and why others not. */
#include "bench/kind.h"
#include "bench/plan_parts.h"
#include "mm/template.h"
#include <stdlib.h>
#include <string.h>

static bool wants_copy_named(const struct options *options, const char *name)
{
	for (size_t i = 0; i < options->nr_copies; i++)
		if (!strcmp(options->copies[i], name))
			return true;
	return !options->nr_copies;
}

static bool wants_copy(const struct options *options, const struct copy_backend *backend)
{
	return wants_copy_named(options, backend->name);
}

static bool add_cell(const struct plan *plan, const struct options *options, struct group *group,
                     enum method_id method, const struct copy_backend *backend)
{
	struct cell *grown = realloc(group->cell, (group->nr_cells + 1) * sizeof(*grown));

	if (!grown)
		return false;
	group->cell = grown;
	grown[group->nr_cells++] = (struct cell){
		.experiment = group->experiment,
		.range = group->range,
		.map_dev = group->map_dev,
		.method = method,
		.backend = backend,
		.variant = &plan->variant,
		.geometry = group->geometry,
		.optimised = group->optimised,
		.cold = options->cold,
		.touch = options->touch,
		.touch_bytes = options->touch_bytes,
		.descending = options->descending,
		.dest_offset = options->dest_offset,
	};
	return true;
}

/* A backend that this CPU lacks is said once, not once a group. */
static void skip_missing_backends(struct results *results)
{
	const struct options *options = results->options;

	for (size_t i = 0; i < nr_copy_backends; i++) {
		const struct copy_backend *backend = copy_backends[i];

		if (backend->missing && backend->missing() && wants_copy(options, backend))
			results_skip(results, NULL, backend->missing(), "copy=%s", backend->name);
	}
}

static const char *method_gate(const struct options *options, enum method_id method)
{
	const struct template_gates gates = {.trace_page_ref_set = options->variant.trace_page_ref};

	if (options->descending && method != METHOD_STAMP)
		return "the ordinary path and the template of the series only ascend";
	return method == METHOD_BASE ? NULL : template_refused(&gates);
}

/* NULL, or why this copy has nothing for the method and the descriptors asked for. */
static const char *no_instance(const struct plan *plan, const struct options *options,
                               enum method_id method, const struct copy_backend *backend)
{
	if (options->descending && method == METHOD_STAMP &&
	    (!backend->stamp_down || plan->variant.size != 64 || plan->variant.sparse))
		return "descending stamps are compiled of copies from registers alone, for "
		       "64-byte descriptors of the vmemmap model";
	if (kind_builder(memmap_kind_of(EXP_FSDAX), method, backend, &plan->variant))
		return NULL;
	return method == METHOD_TEMPLATE
	               ? "no template loop is compiled of this copy for these descriptors"
	               : "this copy stamps 64-byte descriptors only";
}

/* A copy that takes hundreds of ns a descriptor is shown, not waited for. */
#define SLOW_DESCRIPTORS (1ull << 16)

/* NULL, or why this copy cannot be measured on this memmap. */
static const char *unfit(const struct group *group, const struct copy_backend *backend)
{
	const struct geometry *g = &group->geometry;

	if (backend->slow && (g->nr_pages >> g->order) * group->stored > SLOW_DESCRIPTORS)
		return "hundreds of ns a descriptor: only up to 65,536 of them";
	if (backend->align && (g->store_begin + group->dest_offset) % backend->align)
		return "its stores want more alignment than these descriptors have";
	return NULL;
}

bool plan_add_cells(const struct plan *plan, struct group *group, struct results *results)
{
	const struct options *options = results->options;

	if (options->methods & 1u << METHOD_BASE && !method_gate(options, METHOD_BASE) &&
	    !add_cell(plan, options, group, METHOD_BASE, NULL))
		return false;
	for (enum method_id method = METHOD_TEMPLATE; method < METHOD_NR; method++) {
		if (!(options->methods & 1u << method) || method_gate(options, method))
			continue;
		for (size_t i = 0; i < nr_copy_backends; i++) {
			const struct copy_backend *backend = copy_backends[i];

			if (!wants_copy(options, backend) ||
			    no_instance(plan, options, method, backend) ||
			    (backend->missing && backend->missing()))
				continue;
			if (unfit(group, backend)) {
				results_skip(results, NULL, unfit(group, backend),
				             "%s %s %s copy=%s", experiment_name(group->experiment),
				             group->range->id, method_name(method), backend->name);
				continue;
			}
			if (!add_cell(plan, options, group, method, backend))
				return false;
		}
		if (wants_copy_named(options, "auto") && !options->descending) {
			if (!add_cell(plan, options, group, method, NULL))
				return false;
			group->cell[group->nr_cells - 1].automatic = true;
		}
	}
	return true;
}

static void skip_without_instance(const struct plan *plan, struct results *results)
{
	for (enum method_id method = METHOD_TEMPLATE; method < METHOD_NR; method++) {
		for (size_t i = 0; i < nr_copy_backends; i++) {
			const char *why =
				no_instance(plan, results->options, method, copy_backends[i]);

			if (why && results->options->methods & 1u << method &&
			    wants_copy(results->options, copy_backends[i]))
				results_skip(results, NULL, why, "method=%s copy=%s",
				             method_name(method), copy_backends[i]->name);
		}
	}
}

static void skip_gated_methods(struct results *results)
{
	for (enum method_id method = METHOD_BASE; method < METHOD_NR; method++) {
		const char *why = method_gate(results->options, method);

		if (why && results->options->methods & 1u << method)
			results_skip(results, NULL, why, "method=%s", method_name(method));
	}
}

struct group *plan_new_group(struct plan *plan)
{
	struct group *grown = realloc(plan->group, (plan->nr_groups + 1) * sizeof(*grown));

	if (!grown)
		return NULL;
	plan->group = grown;
	grown[plan->nr_groups] = (struct group){0};
	return &grown[plan->nr_groups];
}

void plan_skip_copies(const struct plan *plan, struct results *results)
{
	skip_missing_backends(results);
	skip_without_instance(plan, results);
	skip_gated_methods(results);
}
