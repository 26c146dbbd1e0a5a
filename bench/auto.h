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

#define AUTO_FINALISTS 4 /* at most */

struct auto_picker {
	struct auto_trial trial;
	struct candidate *candidate; /* the finalists */
	size_t nr;
	uint64_t pages;  /* of a final's piece */
	unsigned rounds; /* the last so many count */
	unsigned done;
	unsigned picks;
};

/*
 * copy=auto: picks the copy for a memmap by a short calibration on the memmap itself.
 * First each candidate builds (and, where there is a next toucher, touches) small pieces;
 * then the best two of ordinary and of streaming stores meet on pieces longer than the
 * caches of a core, or on all of a small memmap. False after a fault in the window, without
 * memory, or when there is no candidate. auto_close() it in any case.
 */
bool auto_open(struct auto_picker *picker, const struct auto_trial *trial);

/*
 * The copy for the next rebind. Which is fastest changes with what else the machine does:
 * before each but the first, the finalists meet again for about as long as a rebind takes.
 * NULL after a fault in the window.
 */
const struct copy_backend *auto_pick(struct auto_picker *picker);

/* The index-th copy that was picked at least once; NULL behind the last one. */
const struct copy_backend *auto_taken(const struct auto_picker *picker, size_t index);

/* The copy picked most often, with the reason and how often in `why`. */
const struct copy_backend *auto_settle(struct auto_picker *picker, char *why, size_t why_size);

void auto_close(struct auto_picker *picker);

#endif
