/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The proof. A finished memmap is compared, chunk by chunk and byte by byte, with
 * what the ordinary path makes of the same range: the chunk is set aside, poisoned,
 * rebuilt by the base in place and compared. Every descriptor of the base itself, and
 * the telling ones of the others, are also held against the words of real Linux.
 */
#ifndef BENCH_ORACLE_H
#define BENCH_ORACLE_H

#include <pagestamp/memmap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oracle {
	bool check_every;  /* hold every descriptor against Linux's words, not only the telling ones
	                    */
	uint64_t *scratch; /* as large as the largest chunk's view */
	/* The first difference, filled by oracle_check_chunk(). */
	bool differs;
	uint64_t pfn;
	unsigned word;
	uint64_t found, expected;
	const char *against; /* "the base's" or "Linux's" */
};

/*
 * Runs in the quiet window: `chunk` is a whole number of compounds whose view, a
 * descriptor a page, fits the scratch. Leaves the base's memmap there. False when a word
 * differs.
 */
bool oracle_check_chunk(struct oracle *oracle, const struct memmap_job *chunk);

/* The words of real Linux for page `pfn`, the index-th of the compound whose head is `head`. */
void linux_words(const struct memmap_job *job, const void *head, uint64_t pfn, uint64_t index,
                 uint64_t word[MAX_DESCRIPTOR_WORDS]);

#endif
