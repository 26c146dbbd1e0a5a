/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * HugeTLB pools from a command line, with Linux's outcome: what hugepages=, hugepagesz= and
 * default_hugepagesz= do in the order in which they were typed, and Linux's own words for
 * what it refuses or ignores. The rules are those that mm/hugetlb.c of Linux 6.x shows to a
 * user; tests/data/samples/30-hugepages-cmdline-cases.txt has the cases.
 */
#ifndef PAGESTAMP_HUGEPAGES_H
#define PAGESTAMP_HUGEPAGES_H

#include <pagestamp/options.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Linux's lines, "HugeTLB: ..." without the line's end, in their order. */
struct hugetlb_log {
	char **line;
	size_t nr;
	bool lost; /* a line is missing, for want of memory */
};

/* The sizes of huge page that an architecture has for a base page; bytes, ascending. */
struct hugepage_sizes {
	uint64_t size[4];
	size_t nr;
	uint64_t usual; /* without default_hugepagesz=: what one PMD maps */
};

struct hugepage_system {
	struct hugepage_sizes sizes;
	const uint32_t *node; /* those online */
	size_t nr_nodes;
	bool node_alloc; /* may node:N be asked for? On x86-64 and arm64 it may */
};

struct hugepage_on_node {
	uint32_t node;
	uint64_t count; /* pages, not 0 */
};

/* What is asked of one size. */
struct hugepage_pool {
	uint64_t page_bytes;
	uint64_t count;                /* pages in all, not 0 */
	struct hugepage_on_node *node; /* ascending; NULL with nr_nodes 0 = in turn on all nodes */
	size_t nr_nodes;
};

struct hugepages {
	struct hugepage_pool *pool; /* one per size at most, in the order in which sizes turn up */
	size_t nr;
	struct hugetlb_log log;
};

/*
 * `arch` as arch_name has it, `page_shift` of the base page: 12, 14 or 16. On x86-64, which
 * has one base page, the others change nothing (Linux: arch_hugetlb_valid_size()).
 */
struct hugepage_sizes hugepage_sizes(const char *arch, unsigned page_shift);

/*
 * A refused or ignored word is a line in `out->log` and no more, but a size that the
 * architecture lacks: false, with one line in `why` that names the option, the value and
 * the sizes there are. False likewise when memory is short. The log is complete in the
 * first case. Counts and sizes beyond 64 bits, which Linux wraps, are invalid here. Call
 * hugepages_free() in every case.
 */
bool hugepages_setup(const struct hugepage_arg *arg, size_t nr,
                     const struct hugepage_system *system, struct hugepages *out, char *why,
                     size_t why_size);
void hugepages_free(struct hugepages *hugepages);

#endif
