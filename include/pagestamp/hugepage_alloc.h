/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the huge pages of the pools lie: which naturally aligned pieces of the machine's
 * memory they would get. Nothing is allocated from anybody, and nobody touches what lies in
 * these pages: only their descriptors are of interest.
 */
#ifndef PAGESTAMP_HUGEPAGE_ALLOC_H
#define PAGESTAMP_HUGEPAGE_ALLOC_H

#include <pagestamp/efi_map.h>
#include <pagestamp/hugepages.h>
#include <pagestamp/srat.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory_piece {
	uint64_t base, size; /* bytes, the end within 64 bits */
	uint32_t node;
};

struct memory_pieces {
	struct memory_piece *piece; /* ascending, disjoint */
	size_t nr;
	uint32_t *node; /* those that have memory, ascending */
	size_t nr_nodes;
};

/*
 * The conventional memory of the map, cut where the SRAT says that another node begins; node
 * 0 where it says nothing. Nodes are numbered by proximity domain. False with one line in
 * `why` when memory is short, the result empty.
 */
bool memory_pieces_build(const struct efi_map *map, const struct srat *srat,
                         struct memory_pieces *out, char *why, size_t why_size);
/* One more, not below the end of the last; joined with it where it is of its node and touches. */
bool memory_pieces_add(struct memory_pieces *pieces, uint64_t base, uint64_t size, uint32_t node);
void memory_pieces_free(struct memory_pieces *pieces);

/* `pages` huge pages from `base` on, one behind the other. */
struct hugepage_extent {
	uint64_t base, pages;
};

/* What one pool asked of one node, and got there. */
struct hugepage_share {
	uint64_t page_bytes;
	uint32_t node;
	uint64_t asked;                 /* pages; of a pool without nodes, this node's turns */
	uint64_t got;                   /* may be more than asked: turns of a node that ran out */
	struct hugepage_extent *extent; /* ascending, apart from one another */
	size_t nr_extents;
	/* Set by who initialises them: whose vmemmap was optimised, where that failed. */
	uint64_t optimised, fell_back;
};

struct hugepage_shares {
	struct hugepage_share *share; /* by pool, then by node */
	size_t nr;
	struct hugetlb_log log; /* of each pool that came out short, in Linux's words */
};

/*
 * As many pages as there is room for, no byte twice, no page across two nodes or a hole.
 * The largest size is served first, as Linux serves gigantic pages before the others; within
 * a node from the lowest address up. A pool with nodes gets exactly there or not at all. One
 * without is dealt page by page to the nodes with memory in turn; a node without room is
 * passed over. Where no node has memory, the pool's one share is node 0's.
 *
 * False with one line in `why` when memory is short. Call hugepage_shares_free() in any case.
 */
bool hugepages_alloc(const struct memory_pieces *memory, const struct hugepages *pools,
                     struct hugepage_shares *out, char *why, size_t why_size);
void hugepage_shares_free(struct hugepage_shares *shares);

#endif
