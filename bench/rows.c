/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/rows.h"
#include <math.h>

double ticks_per_page(const struct run *run, bool with_touch)
{
	double ticks = run->ticks.median;

	if (with_touch && run->cell.touch != TOUCH_NONE)
		ticks += run->touch_ticks;
	return ticks / (double)run->written;
}

double ns_per_page(const struct results *results, const struct run *run, bool with_touch)
{
	return results->counter.hz
	               ? ticks_per_page(run, with_touch) * 1e9 / (double)results->counter.hz
	               : NAN;
}

const struct run *best_beside(const struct results *results, const struct cell *cell,
                              enum method_id method, bool streaming)
{
	const struct run *best = NULL;

	for (size_t i = 0; i < results->nr_runs; i++) {
		const struct run *run = &results->run[i];

		if (!run->ticks.n || run->cell.automatic || run->cell.method != method ||
		    !cells_side_by_side(&run->cell, cell) ||
		    (run->cell.backend && run->cell.backend->streaming != streaming))
			continue;
		if (!best || ticks_per_page(run, true) < ticks_per_page(best, true))
			best = run;
	}
	return best;
}

const struct run *best_of_both(const struct results *results, const struct cell *cell,
                               enum method_id method)
{
	const struct run *ordinary = best_beside(results, cell, method, false);
	const struct run *streaming = best_beside(results, cell, method, true);

	if (!ordinary || !streaming)
		return ordinary ? ordinary : streaming;
	return ticks_per_page(streaming, true) < ticks_per_page(ordinary, true) ? streaming
	                                                                        : ordinary;
}

const struct run *next_base(const struct results *results, size_t *from)
{
	while (*from < results->nr_runs) {
		const struct run *run = &results->run[(*from)++];

		if (run->cell.method == METHOD_BASE && run->ticks.n)
			return run;
	}
	return NULL;
}
