/* SPDX-License-Identifier: BSD-2-Clause */
/* The proof of a group's rows: bench/proof.c, and what is said of it. */
#include "bench/proof.h"
#include "bench/work.h"
#include <stdio.h>
#include <stdlib.h>

static void report_refused(struct work *work, const struct run *run)
{
	char label[48];

	cell_label(&run->cell, label, sizeof(label));
	results_fail(work->lab->results, "%s, %s: %s", work->name, label, run->why_not);
}

static struct proof_row proof_row_of(struct work *work, size_t i,
                                     const struct copy_backend *backend)
{
	struct run *run = run_of(work, i);
	struct cell cell = run->cell;

	cell.backend = backend;
	return (struct proof_row){.build = builder_of(work, &cell), .backend = backend, .run = run};
}

/* Whatever built: copy=auto may have picked several. Returns how many. */
static size_t list_proofs(struct work *work, struct proof_row *row)
{
	const struct copy_backend *picked;
	size_t nr = 0;

	for (size_t i = 0; i < work->group->nr_cells; i++) {
		const struct cell *cell = &run_of(work, i)->cell;

		if (!cell->automatic)
			row[nr++] = proof_row_of(work, i, cell->backend);
		for (size_t k = 0; (picked = auto_taken(&work->picker[i], k)); k++)
			row[nr++] = proof_row_of(work, i, picked);
	}
	return nr;
}

void prove_all(struct work *work)
{
	struct results *results = work->lab->results;
	const size_t nr = work->group->nr_cells;
	struct proof proof = {
		.arena = &work->memmap.arena,
		.kind = memmap_kind_of(work->group->experiment),
		.scratch = work->lab->scratch_va,
		.traced = results->options->variant.trace_page_ref,
		.dump = results->options->dump,
	};
	char label[48] = "the reference";
	size_t during;
	bool ok;

	if (!results->options->verify && !results->options->dump)
		return;
	proof.row = calloc(nr * AUTO_FINALISTS, sizeof(*proof.row));
	if (!proof.row) {
		results_fail(results, "no memory for the proof of %s", work->name);
		return;
	}
	proof.nr_rows = list_proofs(work, proof.row);
	progress_begin(&work->progress, &results->counter, 0, "%s: proof", work->name);
	ok = prove(&proof, &during);
	if (!ok) {
		if (during < proof.nr_rows)
			snprintf(label, sizeof(label), "%s %s",
			         method_name(proof.row[during].run->cell.method),
			         proof.row[during].backend ? proof.row[during].backend->name : "");
		report_fault(work, label);
	}
	for (size_t i = 0; ok && i < nr; i++) {
		if (!results->options->verify)
			run_of(work, i)->verified = -1; /* built for its dump only */
		else if (!run_of(work, i)->verified)
			report_refused(work, run_of(work, i));
	}
	free(proof.row);
}
