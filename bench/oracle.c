/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/oracle.h"
#include "mm/memmap_walk.h"

static const uint64_t poison = 0x5a5a5a5a5a5a5a5aull;

static uint64_t linux_flags(const struct memmap_job *job, uint64_t pfn)
{
	const struct memmap_variant *v = job->variant;

	if (v->sparse)
		return (pfn >> pfn_section_shift(v->page_shift)) << 45 | (uint64_t)job->nid << 35 |
		       (uint64_t)job->zone << 32;
	return (uint64_t)job->nid << NODES_PGSHIFT | (uint64_t)job->zone << ZONES_PGSHIFT |
	       ((1ull << LAST_CPUPID_WIDTH) - 1) << LAST_CPUPID_PGSHIFT;
}

void linux_words(const struct memmap_job *job, const void *head, uint64_t pfn, uint64_t index,
                 uint64_t word[MAX_DESCRIPTOR_WORDS])
{
	const struct memmap_variant *v = job->variant;
	const struct dev_pagemap *pgmap = job->pgmap;
	const unsigned order = pgmap->vmemmap_shift;
	const bool counted = pgmap->type == MEMORY_DEVICE_GENERIC;

	for (unsigned w = 0; w < MAX_DESCRIPTOR_WORDS; w++)
		word[w] = 0;
	word[0] = linux_flags(job, pfn) | 1ull << 13;
	word[6] = 0x00000000ffffffffull;
	if (v->size >= 72)
		word[8] = 0xffff888000000000ull + (pfn << v->page_shift);
	if (!index) {
		word[0] |= order ? 1ull << 6 : 0;
		word[1] = (uint64_t)(uintptr_t)pgmap;
		word[6] |= counted ? 1ull << 32 : 0;
		return;
	}
	word[1] = v->mask ? (~((64ull << order) - 1) | 1) : ((uint64_t)(uintptr_t)head | 1);
	if (index == 1) {
		word[0] |= order;
		word[2] = ~0ull;
		word[4] = 1ull << order;
	} else {
		word[3] = 0xdead000000000400ull;
	}
}

static bool same(struct oracle *oracle, uint64_t pfn, unsigned words, const uint64_t *found,
                 const uint64_t *expected, const char *against)
{
	for (unsigned w = 0; w < words; w++) {
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

static uint64_t *words_of(const struct memmap_job *chunk, unsigned words)
{
	return (uint64_t *)chunk->memmap + words * (chunk->start_pfn - chunk->first_pfn);
}

/* Unrolled, because an emulator pays for every instruction of the proof. */
static void fill(uint64_t *word, uint64_t words)
{
#pragma GCC unroll 8
	for (uint64_t w = 0; w < words; w++)
		word[w] = poison;
}

/* The index of the first word that differs; `words` when none does. */
static uint64_t first_difference(const uint64_t *a, const uint64_t *b, uint64_t words)
{
	uint64_t w = 0;

	for (; w + 8 <= words; w += 8) {
		uint64_t differs = 0;

#pragma GCC unroll 8
		for (unsigned k = 0; k < 8; k++)
			differs |= a[w + k] ^ b[w + k];
		if (differs)
			break;
	}
	while (w < words && a[w] == b[w])
		w++;
	return w;
}

void oracle_poison(const struct memmap_job *chunk)
{
	const unsigned words = chunk->variant->size / 8;
	const uint64_t step = (uint64_t)words << chunk->pgmap->vmemmap_shift;
	const uint64_t stored = words * compound_nr_pages(chunk);
	uint64_t *word = words_of(chunk, words);

	for (uint64_t *end = word + words * chunk->nr_pages; word < end; word += step)
		fill(word, stored);
}

static void set_aside(uint64_t *to, const uint64_t *from, uint64_t words)
{
	for (uint64_t w = 0; w < words; w++)
		to[w] = from[w];
}

bool oracle_set_reference(struct oracle *oracle, const struct memmap_job *chunk)
{
	const unsigned words = chunk->variant->size / 8;
	const uint64_t in_compound = (1ull << chunk->pgmap->vmemmap_shift) - 1;
	const uint64_t stored = compound_nr_pages(chunk);
	const uint64_t *page = words_of(chunk, words);
	uint64_t word[MAX_DESCRIPTOR_WORDS];

	set_aside(oracle->scratch, page, words * chunk->nr_pages);
	for (uint64_t i = 0; i < chunk->nr_pages; i++) {
		const uint64_t index = i & in_compound;
		/* An aliased page shows the second stored one, which holds tails alone. */
		const uint64_t shown = index < stored ? index : stored - 1;

		linux_words(chunk, page + words * (i - index), chunk->start_pfn + i - index + shown,
		            shown, word);
		if (!same(oracle, chunk->start_pfn + i, words, oracle->scratch + words * i, word,
		          "Linux's"))
			return false;
	}
	return true;
}

bool oracle_compare(struct oracle *oracle, const struct memmap_job *chunk)
{
	const unsigned words = chunk->variant->size / 8;
	const uint64_t *page = words_of(chunk, words);
	const uint64_t w = first_difference(page, oracle->scratch, words * chunk->nr_pages);
	const uint64_t at = w - w % words;

	return w == words * chunk->nr_pages || same(oracle, chunk->start_pfn + w / words, words,
	                                            page + at, oracle->scratch + at, "the base's");
}
