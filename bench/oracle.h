/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The proof. For each chunk of a memmap the ordinary path builds the reference, which is
 * set aside; every row then builds the same chunk over poison and is compared with it
 * byte by byte. The reference itself is held against the words of real Linux, every
 * descriptor of it.
 */
#ifndef BENCH_ORACLE_H
#define BENCH_ORACLE_H

#include "bench/kind.h"
#include <pagestamp/memmap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oracle {
	const struct memmap_kind *kind;
	uint64_t *scratch; /* as large as the largest chunk's view, a descriptor a page */
	/* The first difference. */
	bool differs;
	uint64_t pfn;
	unsigned word;
	uint64_t found, expected;
	const char *against; /* "the base's" or "Linux's" */
};

/*
 * All run in the quiet window; `chunk` is a whole number of compounds whose view fits the
 * scratch. Poison goes where a builder is to store, and nowhere else.
 */
void oracle_poison(const struct memmap_job *chunk);
/* Sets the chunk as it is aside as the reference. False when a word of it is not Linux's. */
bool oracle_set_reference(struct oracle *oracle, const struct memmap_job *chunk);
/* False when the chunk differs from the reference, but for a word that is dead by definition. */
bool oracle_compare(struct oracle *oracle, const struct memmap_job *chunk);

/* Lets the chunk's huge pages enter a pool; false when a head, tail or link is not Linux's. */
bool oracle_prove_pool(struct oracle *oracle, const struct memmap_job *chunk);

#endif
