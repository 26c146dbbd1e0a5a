/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Huge pages at boot. The memmap of a gigantic page in the order of Linux's
 * gather_bootmem_prealloc(): head and reserved-area tails first, head metadata over them,
 * then, where its vmemmap was not optimised, every remaining tail: the fallback.
 */
#ifndef MM_HUGETLB_BOOT_H
#define MM_HUGETLB_BOOT_H

#include <pagestamp/memmap.h>

/* Linux: HUGETLB_VMEMMAP_RESERVE_PAGES: descriptors in one page, at most the compound's. */
uint64_t hugetlb_reserved_pages(const struct memmap_variant *variant, unsigned order);

/*
 * memmap_builders. job->order is the huge page's, job->stored either
 * hugetlb_reserved_pages() (the rest of the vmemmap is optimised, or comes later) or the
 * whole compound; job->from is 0, or hugetlb_reserved_pages() where those are built already and
 * the fallback's tails alone are wanted. The head gets what the boot memmap and
 * hugetlb_folio_init_vmemmap() leave: not Reserved, count 0. The template and the stamp leave the
 * first tail's list pointer in the word lru.prev of the others, which is dead there.
 */
memmap_builder hugetlb_base(const struct memmap_variant *variant);
uint64_t hugetlb_template(const struct memmap_job *job, const struct copy_backend *backend);
uint64_t hugetlb_stamp(const struct memmap_job *job, const struct copy_backend *backend);

/*
 * HVO with tail=mask: the page of tails that all huge pages of job's order share, at `page`
 * (Linux 7.x: vmemmap_tails). Not counted as stored.
 */
void hugetlb_init_shared_tails(const struct memmap_job *job, void *page);

/* A pool's free list (Linux: hstate.hugepage_freelists[nid]). */
struct hugetlb_pool {
	struct list_head {
		uint64_t next, prev; /* addresses of list heads */
	} free;
	uint64_t nr_free;
};
void hugetlb_pool_init(struct hugetlb_pool *pool);

/*
 * Every huge page of the job enters the pool: the head's page type, list links and
 * private flags, tail 2's pointers cleared. Linux: init_new_hugetlb_folio(),
 * enqueue_hugetlb_folio(). `optimised`: the flag HPG_vmemmap_optimized.
 */
void hugetlb_add_to_pool(struct hugetlb_pool *pool, const struct memmap_job *job, bool optimised);

#endif
