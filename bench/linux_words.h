/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The words of real Linux (tests/data/linux-struct-page/README.md, docs/design.md "The
 * descriptor"), written down apart from the code that builds them. All: page `pfn`, the
 * index-th of the compound whose head stands at `head`.
 */
#ifndef BENCH_LINUX_WORDS_H
#define BENCH_LINUX_WORDS_H

#include <pagestamp/memmap.h>

void linux_device_words(const struct memmap_job *job, const void *head, uint64_t pfn,
                        uint64_t index, uint64_t word[MAX_DESCRIPTOR_WORDS]);

/* Before the page enters a pool. */
void linux_hugetlb_words(const struct memmap_job *job, const void *head, uint64_t pfn,
                         uint64_t index, uint64_t word[MAX_DESCRIPTOR_WORDS]);

/* In a pool; a head's list links (words 1 and 2) are left 0. */
void linux_pool_words(const struct memmap_job *job, const void *head, uint64_t pfn, uint64_t index,
                      bool optimised, uint64_t word[MAX_DESCRIPTOR_WORDS]);

/* `index` and `head` as above with order 0: the descriptor stands at `head`. */
void linux_ordinary_words(const struct memmap_job *job, const void *head, uint64_t pfn,
                          uint64_t index, uint64_t word[MAX_DESCRIPTOR_WORDS]);

#endif
