/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/lab.h"
#include "bench/proof.h"

bool lab_open(struct lab *lab, struct results *results, const struct plan *plan)
{
	uint64_t available;
	uintptr_t va = window_base() + window_size() - PROOF_SCRATCH;

	*lab = (struct lab){.results = results, .plan = plan};
	if (!backing_alloc(PROOF_SCRATCH, BACKING_WHOLE, &lab->scratch, &available)) {
		results_fail(results,
		             "too little RAM for the proof: %llu MiB are needed, %llu MiB are free",
		             PROOF_SCRATCH >> 20, (unsigned long long)available >> 20);
		return false;
	}
	if (!window_map_backing(va, &lab->scratch, 0, PROOF_SCRATCH)) {
		results_fail(results, "no memory for page tables");
		backing_free(&lab->scratch);
		return false;
	}
	lab->scratch_va = (uint64_t *)va;
	return true;
}

void lab_close(struct lab *lab)
{
	window_unmap((uintptr_t)lab->scratch_va, PROOF_SCRATCH);
	backing_free(&lab->scratch);
}
