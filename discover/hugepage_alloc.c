/* SPDX-License-Identifier: BSD-2-Clause */
/* Which aligned pages fit, and whose they are. */
#include <pagestamp/hugepage_alloc.h>

#include "discover/array.h"
#include "discover/hugetlb_log.h"

#include <stdio.h>

/* What nobody has taken yet: pieces as they came and, later, what is left of them. */
struct unused {
	struct memory_piece *piece;
	size_t nr;
};

/* From the piece's base to the first page that could start in it. */
static uint64_t misfit(const struct memory_piece *piece, uint64_t page_bytes)
{
	return -piece->base & (page_bytes - 1);
}

static uint64_t pages_in(const struct memory_piece *piece, uint64_t page_bytes)
{
	const uint64_t lost = misfit(piece, page_bytes);

	return piece->size > lost ? (piece->size - lost) / page_bytes : 0;
}

static uint64_t room_for(const struct unused *unused, const struct hugepage_share *share)
{
	uint64_t pages = 0;

	for (size_t i = 0; i < unused->nr; i++)
		if (unused->piece[i].node == share->node)
			pages += pages_in(&unused->piece[i], share->page_bytes);
	return pages;
}

/* The piece keeps what lies before `base`; what lies behind `end` becomes the next piece. */
static bool cut(struct unused *unused, size_t at, uint64_t base, uint64_t end)
{
	struct memory_piece *piece = &unused->piece[at];
	const struct memory_piece behind = {end, piece->base + piece->size - end, piece->node};
	struct memory_piece *grown;

	piece->size = base - piece->base;
	if (behind.size == 0)
		return true;
	grown = array_grow(unused->piece, unused->nr, sizeof(*grown));
	if (!grown)
		return false;
	unused->piece = grown;
	at++;
	memmove(grown + at + 1, grown + at, (unused->nr++ - at) * sizeof(*grown));
	grown[at] = behind;
	return true;
}

/* The lowest `pages` pages of the share's node, which has room for them. */
static bool take(struct unused *unused, struct hugepage_share *share, uint64_t pages)
{
	for (size_t i = 0; i < unused->nr && pages; i++) {
		const struct memory_piece piece = unused->piece[i];
		struct hugepage_extent *grown, extent;

		extent.base = piece.base + misfit(&piece, share->page_bytes);
		extent.pages = pages_in(&piece, share->page_bytes);
		if (piece.node != share->node || extent.pages == 0)
			continue;
		if (extent.pages > pages)
			extent.pages = pages;
		grown = array_grow(share->extent, share->nr_extents, sizeof(*grown));
		if (!grown)
			return false;
		share->extent = grown;
		grown[share->nr_extents++] = extent;
		if (!cut(unused, i, extent.base, extent.base + extent.pages * share->page_bytes))
			return false;
		pages -= extent.pages;
		share->got += extent.pages;
	}
	return true;
}

static struct hugepage_share *add_share(struct hugepage_shares *shares, uint64_t page_bytes,
                                        uint32_t node, uint64_t asked)
{
	struct hugepage_share *grown = array_grow(shares->share, shares->nr, sizeof(*grown));

	if (!grown)
		return NULL;
	shares->share = grown;
	grown += shares->nr++;
	*grown = (struct hugepage_share){.page_bytes = page_bytes, .node = node, .asked = asked};
	return grown;
}

/* Who is asked for what. */
static bool add_shares(struct hugepage_shares *shares, const struct hugepage_pool *pool,
                       const struct memory_pieces *memory)
{
	static const uint32_t node_zero;
	const uint32_t *node = memory->nr_nodes ? memory->node : &node_zero;
	const size_t nr = memory->nr_nodes ? memory->nr_nodes : 1;
	bool good = true;

	for (size_t i = 0; i < pool->nr_nodes && good; i++)
		good = add_share(shares, pool->page_bytes, pool->node[i].node, pool->node[i].count);
	for (size_t i = 0; i < nr && pool->nr_nodes == 0 && good; i++)
		good = add_share(shares, pool->page_bytes, node[i],
		                 pool->count / nr + (i < pool->count % nr));
	return good;
}

/*
 * Deals `count` pages of one pool, one by one in turn, to those that have room: as many whole
 * turns at once as nobody runs out in, and in the end a part of a turn.
 */
static bool deal(struct unused *unused, struct hugepage_share *share, size_t nr, uint64_t count)
{
	while (count) {
		uint64_t turns = UINT64_MAX;
		size_t open = 0;

		for (size_t i = 0; i < nr; i++) {
			const uint64_t room = room_for(unused, &share[i]);

			open += room != 0;
			if (room && room < turns)
				turns = room;
		}
		if (open == 0)
			break;
		if (turns > count / open)
			turns = count / open;
		for (size_t i = 0; i < nr && count; i++) {
			const uint64_t pages = turns ? turns : 1;

			if (room_for(unused, &share[i]) == 0)
				continue;
			if (!take(unused, &share[i], pages))
				return false;
			count -= pages;
		}
	}
	return true;
}

static bool take_on_nodes(struct unused *unused, struct hugepage_share *share, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const uint64_t room = room_for(unused, &share[i]);

		if (!take(unused, &share[i], share[i].asked < room ? share[i].asked : room))
			return false;
	}
	return true;
}

/* The largest page below `limit`; NULL = there is none. */
static const struct hugepage_pool *next_pool(const struct hugepages *pools, uint64_t limit)
{
	const struct hugepage_pool *best = NULL;

	for (size_t i = 0; i < pools->nr; i++) {
		const struct hugepage_pool *pool = &pools->pool[i];

		if (pool->page_bytes < limit && (!best || pool->page_bytes > best->page_bytes))
			best = pool;
	}
	return best;
}

/* The first of the pool's shares, which stand together, and how many they are. */
static struct hugepage_share *shares_of(const struct hugepage_shares *shares,
                                        const struct hugepage_pool *pool, size_t *nr)
{
	struct hugepage_share *first = shares->share, *const end = first + shares->nr;

	while (first < end && first->page_bytes != pool->page_bytes)
		first++;
	*nr = 0;
	while (first + *nr < end && first[*nr].page_bytes == pool->page_bytes)
		++*nr;
	return first;
}

static bool serve(struct unused *unused, struct hugepage_shares *shares,
                  const struct hugepages *pools)
{
	const struct hugepage_pool *pool;
	uint64_t limit = UINT64_MAX;

	while ((pool = next_pool(pools, limit))) {
		size_t nr;
		struct hugepage_share *share = shares_of(shares, pool, &nr);

		if (!(pool->nr_nodes ? take_on_nodes(unused, share, nr)
		                     : deal(unused, share, nr, pool->count)))
			return false;
		limit = pool->page_bytes;
	}
	return true;
}

static void say_what_is_short(struct hugepage_shares *shares, const struct hugepage_pool *pool)
{
	size_t nr;
	const struct hugepage_share *share = shares_of(shares, pool, &nr);
	uint64_t got = 0;
	char size[16];

	hugepage_size_text(pool->page_bytes, size, sizeof(size));
	for (size_t i = 0; i < nr; i++) {
		got += share[i].got;
		if (pool->nr_nodes && share[i].got < share[i].asked)
			hugetlb_say(&shares->log,
			            "allocating %llu of page size %s failed node%u.  Only "
			            "allocated %llu hugepages.",
			            (unsigned long long)share[i].asked, size, share[i].node,
			            (unsigned long long)share[i].got);
	}
	if (pool->nr_nodes == 0 && got < pool->count)
		hugetlb_say(&shares->log,
		            "allocating %llu of page size %s failed.  Only allocated %llu "
		            "hugepages.",
		            (unsigned long long)pool->count, size, (unsigned long long)got);
}

bool hugepages_alloc(const struct memory_pieces *memory, const struct hugepages *pools,
                     struct hugepage_shares *out, char *why, size_t why_size)
{
	struct unused unused = {0};
	bool good = true;

	*out = (struct hugepage_shares){0};
	for (size_t i = 0; i < memory->nr && good; i++) {
		struct memory_piece *grown = array_grow(unused.piece, i, sizeof(*grown));

		good = grown;
		if (!good)
			break;
		unused.piece = grown;
		grown[unused.nr++] = memory->piece[i];
	}
	for (size_t i = 0; i < pools->nr && good; i++)
		good = add_shares(out, &pools->pool[i], memory);
	good = good && serve(&unused, out, pools);
	free(unused.piece);
	for (size_t i = 0; i < pools->nr && good; i++)
		say_what_is_short(out, &pools->pool[i]);
	if (good && !out->log.lost)
		return true;
	snprintf(why, why_size, "huge pages: out of memory");
	return false;
}

void hugepage_shares_free(struct hugepage_shares *shares)
{
	for (size_t i = 0; i < shares->nr; i++)
		free(shares->share[i].extent);
	free(shares->share);
	hugetlb_log_free(&shares->log);
	*shares = (struct hugepage_shares){0};
}
