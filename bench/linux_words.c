/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/linux_words.h"
#include "mm/page.h"

static uint64_t linux_flags(const struct memmap_job *job, uint64_t pfn)
{
	const struct memmap_variant *v = job->variant;

	if (v->sparse)
		return (pfn >> pfn_section_shift(v->page_shift)) << 45 | (uint64_t)job->nid << 35 |
		       (uint64_t)job->zone << 32;
	return (uint64_t)job->nid << NODES_PGSHIFT | (uint64_t)job->zone << ZONES_PGSHIFT |
	       ((1ull << LAST_CPUPID_WIDTH) - 1) << LAST_CPUPID_PGSHIFT;
}

/* What all have: links, no count, no mapping. */
static void any_page(const struct memmap_job *job, uint64_t pfn,
                     uint64_t word[MAX_DESCRIPTOR_WORDS])
{
	for (unsigned w = 0; w < MAX_DESCRIPTOR_WORDS; w++)
		word[w] = 0;
	word[0] = linux_flags(job, pfn);
	word[6] = 0x00000000ffffffffull;
	if (job->variant->size >= 72)
		word[8] = 0xffff888000000000ull + (pfn << job->variant->page_shift);
}

static void tail(const struct memmap_job *job, const void *head, uint64_t index,
                 uint64_t word[MAX_DESCRIPTOR_WORDS])
{
	word[1] = job->variant->mask ? (~((64ull << job->order) - 1) | 1)
	                             : ((uint64_t)(uintptr_t)head | 1);
	if (index == 1) {
		word[0] |= job->order;
		word[2] = ~0ull;
		word[4] = 1ull << job->order;
	} else {
		word[3] = 0xdead000000000400ull;
	}
}

static uint64_t own_list(const struct memmap_job *job, const void *head, uint64_t index)
{
	return (uint64_t)(uintptr_t)head + index * job->variant->size + 8;
}

void linux_device_words(const struct memmap_job *job, const void *head, uint64_t pfn,
                        uint64_t index, uint64_t word[MAX_DESCRIPTOR_WORDS])
{
	any_page(job, pfn, word);
	word[0] |= 1ull << 13;
	if (index) {
		tail(job, head, index, word);
		return;
	}
	word[0] |= job->order ? 1ull << 6 : 0;
	word[1] = (uint64_t)(uintptr_t)job->pgmap;
	word[6] |= job->pgmap->type == MEMORY_DEVICE_GENERIC ? 1ull << 32 : 0;
}

void linux_hugetlb_words(const struct memmap_job *job, const void *head, uint64_t pfn,
                         uint64_t index, uint64_t word[MAX_DESCRIPTOR_WORDS])
{
	any_page(job, pfn, word);
	word[2] = own_list(job, head, index);
	if (index) {
		tail(job, head, index, word);
		return;
	}
	word[0] |= 1ull << 6;
	word[1] = word[2];
}

void linux_pool_words(const struct memmap_job *job, const void *head, uint64_t pfn, uint64_t index,
                      bool optimised, uint64_t word[MAX_DESCRIPTOR_WORDS])
{
	linux_hugetlb_words(job, head, pfn, index, word);
	if (index == 0) {
		word[1] = word[2] = 0;
		word[5] = optimised ? 0x18 : 8;
		word[6] = 0x00000000f4000000ull;
	} else if (index == 2) {
		word[2] = word[3] = 0;
	}
}

void linux_ordinary_words(const struct memmap_job *job, const void *head, uint64_t pfn,
                          uint64_t index, uint64_t word[MAX_DESCRIPTOR_WORDS])
{
	any_page(job, pfn, word);
	word[1] = word[2] = own_list(job, head, index);
	word[6] |= 1ull << 32;
}
