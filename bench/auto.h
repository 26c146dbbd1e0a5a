/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_AUTO_H
#define BENCH_AUTO_H

#include "bench/kind.h"
#include "bench/timed.h"

struct auto_trial {
	struct arena *arena;
	const struct memmap_kind *kind;
	enum method_id method;
};

/*
 * copy=auto: picks the copy for a memmap by a short calibration on the memmap itself.
 * First each candidate builds (and, where there is a next toucher, touches) small pieces;
 * then the best two of ordinary and of streaming stores meet on pieces longer than the
 * caches of a core, or on all of a small memmap. Returns the fastest, with the reason in
 * `why`; NULL after a fault in the window or when there is no candidate.
 */
const struct copy_backend *auto_choose(const struct auto_trial *trial, char *why, size_t why_size);

#endif
