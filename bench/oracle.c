/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/oracle.h"
#include "bench/linux_words.h"
#include "mm/hugetlb_boot.h"

static const uint64_t poison = 0x5a5a5a5a5a5a5a5aull;

/* `dead`: the word that does not count, or -1. */
static bool same(struct oracle *oracle, uint64_t pfn, unsigned words, int dead,
                 const uint64_t *found, const uint64_t *expected, const char *against)
{
	for (unsigned w = 0; w < words; w++) {
		if (found[w] == expected[w] || (int)w == dead)
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
	const uint64_t step = (uint64_t)words << chunk->order;
	const uint64_t stored = words * chunk->stored;
	uint64_t *word = words_of(chunk, words);

	for (uint64_t *end = word + words * chunk->nr_pages; word < end; word += step)
		fill(word, stored);
}

static void set_aside(uint64_t *to, const uint64_t *from, uint64_t words)
{
	for (uint64_t w = 0; w < words; w++)
		to[w] = from[w];
}

/*
 * Which descriptor of its compound the index-th one shows: those beyond `stored` are views.
 * A device's show its second page, which holds tails alone. A huge page's show the first,
 * so that one descriptor in each page reads as the head; with order masks a tail page that
 * all huge pages of a pool share, whose descriptors are in no compound's first page.
 */
static uint64_t shown(const struct oracle *oracle, const struct memmap_job *chunk, uint64_t index)
{
	if (index < chunk->stored || !chunk->stored)
		return index;
	if (!oracle->kind->views_head || chunk->variant->mask)
		return chunk->stored - 1;
	return index % chunk->stored;
}

bool oracle_set_reference(struct oracle *oracle, const struct memmap_job *chunk)
{
	const unsigned words = chunk->variant->size / 8;
	const uint64_t in_compound = (1ull << chunk->order) - 1;
	const uint64_t *page = words_of(chunk, words);
	uint64_t word[MAX_DESCRIPTOR_WORDS];

	set_aside(oracle->scratch, page, words * chunk->nr_pages);
	for (uint64_t i = 0; i < chunk->nr_pages; i++) {
		const uint64_t index = i & in_compound, as = shown(oracle, chunk, index);
		const int dead = index < chunk->stored ? -1 : oracle->kind->dead_word;

		oracle->kind->words(chunk, page + words * (i - index),
		                    chunk->start_pfn + i - index + as, as, word);
		if (!same(oracle, chunk->start_pfn + i, words, as > 1 ? dead : -1,
		          oracle->scratch + words * i, word, "Linux's"))
			return false;
	}
	return true;
}

/* As first_difference(), but for the dead word of tails; the first word of the descriptor. */
static uint64_t first_live_difference(const struct oracle *oracle, const struct memmap_job *chunk,
                                      const uint64_t *page)
{
	const unsigned words = chunk->variant->size / 8, dead = (unsigned)oracle->kind->dead_word;
	const uint64_t in_compound = (1ull << chunk->order) - 1;
	const uint64_t *reference = oracle->scratch;

	for (uint64_t i = 0; i < chunk->nr_pages; i++, page += words, reference += words) {
		uint64_t differs = (i & in_compound) > 1 ? 0 : page[dead] ^ reference[dead];

		for (unsigned w = 0; w < words; w++)
			differs |= w == dead ? 0 : page[w] ^ reference[w];
		if (differs)
			return words * i;
	}
	return words * chunk->nr_pages;
}

bool oracle_compare(struct oracle *oracle, const struct memmap_job *chunk)
{
	const unsigned words = chunk->variant->size / 8;
	const int dead = oracle->kind->dead_word;
	const uint64_t *page = words_of(chunk, words);
	const uint64_t w =
		dead < 0 ? first_difference(page, oracle->scratch, words * chunk->nr_pages)
			 : first_live_difference(oracle, chunk, page);
	const uint64_t at = w - w % words;
	const uint64_t index = w / words & ((1ull << chunk->order) - 1);

	return w == words * chunk->nr_pages ||
	       same(oracle, chunk->start_pfn + w / words, words, index > 1 ? dead : -1, page + at,
	            oracle->scratch + at, "the base's");
}

/* Every head is on the list once, links and back links agreeing: so many are. */
static uint64_t count_list(const struct hugetlb_pool *pool)
{
	const uint64_t list = (uint64_t)(uintptr_t)&pool->free;
	uint64_t nr = 0, before = list;

	for (uint64_t at = pool->free.next; at != list; nr++) {
		const struct list_head *entry = (const struct list_head *)(uintptr_t)at;

		if (entry->prev != before || nr > pool->nr_free)
			return UINT64_MAX;
		before = at;
		at = entry->next;
	}
	return pool->free.prev == before ? nr : UINT64_MAX;
}

bool oracle_prove_pool(struct oracle *oracle, const struct memmap_job *chunk)
{
	const unsigned words = chunk->variant->size / 8;
	const uint64_t in_page = 1ull << chunk->order;
	const bool optimised = chunk->stored < in_page;
	const uint64_t *head = words_of(chunk, words);
	uint64_t word[MAX_DESCRIPTOR_WORDS];
	struct hugetlb_pool pool;

	hugetlb_pool_init(&pool);
	hugetlb_add_to_pool(&pool, chunk, optimised);
	if (count_list(&pool) != chunk->nr_pages >> chunk->order) {
		oracle->differs = true;
		oracle->pfn = chunk->start_pfn;
		oracle->word = 1;
		oracle->found = count_list(&pool);
		oracle->expected = chunk->nr_pages >> chunk->order;
		oracle->against = "the number of pages on the list that should be there";
		return false;
	}
	for (uint64_t pfn = chunk->start_pfn; pfn < chunk->start_pfn + chunk->nr_pages;
	     pfn += in_page, head += words * in_page) {
		for (uint64_t i = 0; i < 3; i++) {
			linux_pool_words(chunk, head, pfn + i, i, optimised, word);
			if (!i) {
				word[1] = head[1];
				word[2] = head[2];
			}
			if (!same(oracle, pfn + i, words, -1, head + words * i, word,
			          "Linux's in a pool"))
				return false;
		}
	}
	return true;
}
