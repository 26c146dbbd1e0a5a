/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/oracle.h"
#include "mm/memmap_walk.h"

static const uint64_t poison = 0x5a5a5a5a5a5a5a5aull;

void linux_words(const struct memmap_job *job, const void *head, uint64_t index, uint64_t word[8])
{
	const struct dev_pagemap *pgmap = job->pgmap;
	const uint64_t flags =
		(uint64_t)job->nid << NODES_PGSHIFT | (uint64_t)job->zone << ZONES_PGSHIFT |
		((1ull << LAST_CPUPID_WIDTH) - 1) << LAST_CPUPID_PGSHIFT | 1ull << PG_reserved;
	const unsigned order = pgmap->vmemmap_shift;
	const bool counted = pgmap->type == MEMORY_DEVICE_GENERIC;

	for (unsigned w = 0; w < 8; w++)
		word[w] = 0;
	word[0] = flags;
	word[6] = 0x00000000ffffffffull;
	if (!index) {
		word[0] |= order ? 1ull << PG_head : 0;
		word[1] = (uint64_t)(uintptr_t)pgmap;
		word[6] |= counted ? 1ull << 32 : 0;
		return;
	}
	word[1] = (uint64_t)(uintptr_t)head | 1;
	if (index == 1) {
		word[0] |= order;
		word[2] = ~0ull;
		word[4] = 1ull << order;
	} else {
		word[3] = 0xdead000000000400ull;
	}
}

static bool same(struct oracle *oracle, uint64_t pfn, const uint64_t *found,
                 const uint64_t *expected, const char *against)
{
	for (unsigned w = 0; w < 8; w++) {
		if (found[w] == expected[w])
			continue;
		oracle->differs = true;
		oracle->pfn = pfn;
		oracle->word = w;
		oracle->found = found[w];
		oracle->expected = expected[w];
		oracle->against = against;
		return false;
	}
	return true;
}

static bool telling(const struct memmap_job *chunk, uint64_t index)
{
	return index < 4 || index == (1ull << chunk->pgmap->vmemmap_shift) - 1;
}

/* The set-aside copy against the words of real Linux. */
static bool check_words(struct oracle *oracle, const struct memmap_job *chunk)
{
	const uint64_t in_compound = (1ull << chunk->pgmap->vmemmap_shift) - 1;
	const uint64_t stored = compound_nr_pages(chunk->pgmap, sizeof(struct page));
	const struct page *page =
		(const struct page *)chunk->memmap + (chunk->start_pfn - chunk->first_pfn);
	uint64_t word[8];

	for (uint64_t i = 0; i < chunk->nr_pages; i++) {
		uint64_t index = i & in_compound;

		if (!oracle->check_every && !telling(chunk, index))
			continue;
		/* An aliased page shows the second stored one, which holds tails alone. */
		linux_words(chunk, page + (i - index), index < stored ? index : stored - 1, word);
		if (!same(oracle, chunk->start_pfn + i, oracle->scratch + 8 * i, word, "Linux's"))
			return false;
	}
	return true;
}

static void poison_stored(const struct memmap_job *chunk, uint64_t *word)
{
	const uint64_t step = 8ull << chunk->pgmap->vmemmap_shift;
	const uint64_t stored = 8 * compound_nr_pages(chunk->pgmap, sizeof(struct page));

	for (uint64_t *end = word + 8 * chunk->nr_pages; word < end; word += step)
		for (uint64_t w = 0; w < stored; w++)
			word[w] = poison;
}

bool oracle_check_chunk(struct oracle *oracle, const struct memmap_job *chunk)
{
	uint64_t *word = (uint64_t *)chunk->memmap + 8 * (chunk->start_pfn - chunk->first_pfn);

	for (uint64_t w = 0; w < 8 * chunk->nr_pages; w++)
		oracle->scratch[w] = word[w];
	if (!check_words(oracle, chunk))
		return false;
	poison_stored(chunk, word);
	oracle->base(chunk, NULL);
	for (uint64_t i = 0; i < chunk->nr_pages; i++)
		if (!same(oracle, chunk->start_pfn + i, oracle->scratch + 8 * i, word + 8 * i,
		          "the base's"))
			return false;
	return true;
}
