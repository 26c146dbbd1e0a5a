/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/hugepages.c discover/hugepage_alloc.c discover/memory_pieces.c */
/* links: discover/hugetlb_log.c discover/number.c discover/efi_map.c discover/srat.c */
/* links: discover/acpi.c */
/*
 * A byte for the machine, one for the number of memory pieces, four for each of those; the
 * rest is words: a letter for the key, then its value up to a blank.
 */
#include "tests/fuzz/fuzz.h"

#include <pagestamp/hugepage_alloc.h>

#define UNIT (1ull << 19) /* of pieces: less than most sizes, so that alignment loses some */

static size_t read_memory(struct memory_pieces *memory, const uint8_t *data, size_t size)
{
	size_t nr = size ? data[0] : 0, at = 1;
	uint64_t base = 0;

	for (; nr && at + 4 <= size; nr--, at += 4) {
		base += data[at] * UNIT;
		if (data[at + 1] | data[at + 2])
			ALWAYS(memory_pieces_add(memory, base,
			                         (data[at + 1] | data[at + 2] << 8) * UNIT,
			                         data[at + 3] & 7));
		base += (data[at + 1] | data[at + 2] << 8) * UNIT;
	}
	return at < size ? at : size;
}

/* Words out of `text`, which is cut up. */
static size_t read_words(char *text, struct hugepage_arg *arg)
{
	size_t nr = 0;

	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		arg[nr++] = (struct hugepage_arg){(enum hugepage_key)((unsigned char)*word % 3),
		                                  word + 1};
	return nr;
}

static int in_one_piece(const struct memory_pieces *memory, const struct hugepage_share *share,
                        const struct hugepage_extent *extent)
{
	for (size_t i = 0; i < memory->nr; i++) {
		const struct memory_piece *piece = &memory->piece[i];

		if (piece->node == share->node && extent->base >= piece->base &&
		    extent->base - piece->base + extent->pages * share->page_bytes <= piece->size)
			return 1;
	}
	return 0;
}

/* Has another share anything of these bytes? */
static int taken_twice(const struct hugepage_shares *shares, size_t but, uint64_t base,
                       uint64_t end)
{
	for (size_t i = 0; i < but; i++) {
		const struct hugepage_share *share = &shares->share[i];

		for (size_t j = 0; j < share->nr_extents; j++) {
			const uint64_t other = share->extent[j].base;

			if (other < end &&
			    base < other + share->extent[j].pages * share->page_bytes)
				return 1;
		}
	}
	return 0;
}

/* Sound extents; sums that do not exceed what was asked. */
static void check_shares(const struct memory_pieces *memory, const struct hugepage_shares *shares,
                         const struct hugepages *pools)
{
	uint64_t got = 0, bytes = 0, have = 0;

	for (size_t i = 0; i < shares->nr; i++) {
		const struct hugepage_share *share = &shares->share[i];
		uint64_t pages = 0, last = 0;

		for (size_t j = 0; j < share->nr_extents; j++) {
			const struct hugepage_extent *extent = &share->extent[j];

			ALWAYS(extent->pages && extent->base % share->page_bytes == 0);
			ALWAYS(in_one_piece(memory, share, extent));
			ALWAYS(j == 0 || extent->base >= last);
			last = extent->base + extent->pages * share->page_bytes;
			ALWAYS(!taken_twice(shares, i, extent->base, last));
			pages += extent->pages;
		}
		ALWAYS(pages == share->got);
		got += pages;
		bytes += pages * share->page_bytes;
	}
	for (size_t i = 0; i < memory->nr; i++)
		have += memory->piece[i].size;
	ALWAYS(bytes <= have);
	for (size_t i = 0; i < pools->nr; i++) {
		if (pools->pool[i].count < got)
			got -= pools->pool[i].count;
		else
			got = 0;
	}
	ALWAYS(got == 0);
}

static void check_pools(const struct hugepages *pools, const struct hugepage_system *system)
{
	for (size_t i = 0; i < pools->nr; i++) {
		const struct hugepage_pool *pool = &pools->pool[i];
		size_t known = 0;

		for (size_t j = 0; j < system->sizes.nr; j++)
			known += system->sizes.size[j] == pool->page_bytes;
		ALWAYS(known == 1 && pool->count);
		for (size_t j = 0; j < i; j++)
			ALWAYS(pools->pool[j].page_bytes != pool->page_bytes);
		for (size_t j = 0; j < pool->nr_nodes; j++)
			ALWAYS(pool->node[j].count &&
			       (j == 0 || pool->node[j].node > pool->node[j - 1].node));
	}
	for (size_t i = 0; i < pools->log.nr; i++)
		ALWAYS(strncmp(pools->log.line[i], "HugeTLB: ", 9) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_pieces memory = {0};
	struct hugepage_shares shares = {0};
	struct hugepages pools;
	struct hugepage_system system;
	struct hugepage_arg *arg;
	char why[OPTIONS_WHY_SIZE] = "", *text;
	size_t at;

	if (size < 2)
		return 0;
	at = 1 + read_memory(&memory, data + 1, size - 1);
	text = malloc(size - at + 1);
	arg = malloc((size - at + 1) * sizeof(*arg));
	if (text && arg) {
		memcpy(text, data + at, size - at);
		text[size - at] = '\0';
		system.sizes = hugepage_sizes(data[0] & 1 ? "arm64" : "x86_64",
		                              12 + 2 * (data[0] >> 1) % 3);
		system.node = memory.node;
		system.nr_nodes = memory.nr_nodes;
		system.node_alloc = !(data[0] & 0x80);
		if (hugepages_setup(arg, read_words(text, arg), &system, &pools, why, sizeof(why)))
			ALWAYS(!why[0]);
		else
			ALWAYS(strstr(why, "; accepted: ") && pools.log.nr);
		check_pools(&pools, &system);
		ALWAYS(hugepages_alloc(&memory, &pools, &shares, why, sizeof(why)));
		check_shares(&memory, &shares, &pools);
		hugepage_shares_free(&shares);
		hugepages_free(&pools);
	}
	free(arg);
	free(text);
	memory_pieces_free(&memory);
	return 0;
}
