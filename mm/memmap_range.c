/* SPDX-License-Identifier: BSD-2-Clause */
#include "mm/memmap_range.h"
#include "mm/memmap_walk.h"
#include "mm/stamper.h"
#include "mm/template.h"
#include <string.h>

static ALWAYS_INLINE uint64_t memmap_init_range(const struct memmap_job *job,
                                                init_single_page_fn init_single,
                                                const struct memmap_variant v)
{
	const uintptr_t vmemmap = vmemmap_of(job, v);
	const uint64_t end = job->start_pfn + job->nr_pages;
	const uint64_t in_block = 1ull << (PAGEBLOCK_SHIFT - memmap_page.shift);
	const enum zone_type zone = job->zone;
	const unsigned nid = job->nid;

	for (uint64_t pfn = job->start_pfn, next; pfn < end; pfn = next) {
		next = (pfn & ~(in_block - 1)) + in_block;
		if (next > end)
			next = end;
		set_pageblocks_movable(job->pageblocks, pfn, next);
		for (; pfn < next; pfn++)
			init_single(pfn_to_page(vmemmap, pfn, v), pfn, zone, nid);
	}
	return job->nr_pages;
}

#define DEFINE_RANGE(unused, name, ...)                                                            \
	void init_single_page_##name(struct page *page, uint64_t pfn, enum zone_type zone,         \
	                             unsigned nid);                                                \
	static uint64_t range_##name(const struct memmap_job *job,                                 \
	                             const struct copy_backend *backend)                           \
	{                                                                                          \
		(void)backend;                                                                     \
		return memmap_init_range(job, init_single_page_##name,                             \
		                         (struct memmap_variant){__VA_ARGS__});                    \
	}

MEMMAP_VARIANTS(DEFINE_RANGE, )
DEFINE_RANGE(, v64_traced, 64, false, false, 0, true)

#define RANGE_ROW(unused, name, ...) {{__VA_ARGS__}, range_##name},

static const struct {
	struct memmap_variant variant;
	memmap_builder build;
} instances[] = {MEMMAP_VARIANTS(RANGE_ROW, ) RANGE_ROW(, v64_traced, 64, false, false, 0, true)};

memmap_builder memmap_range_base(const struct memmap_variant *variant)
{
	for (size_t i = 0; i < sizeof(instances) / sizeof(instances[0]); i++)
		if (memmap_variant_serves(&instances[i].variant, variant))
			return instances[i].build;
	return NULL;
}

/* The first page of the job by the slow path. */
static struct page *first_page(const struct memmap_job *job)
{
	struct page *page =
		pfn_to_page(vmemmap_of(job, *job->variant), job->start_pfn, *job->variant);

	memmap_slow_path(job->variant)->single(page, job->start_pfn, job->zone, job->nid);
	return page;
}

uint64_t memmap_range_template(const struct memmap_job *job, const struct copy_backend *backend)
{
	const struct memmap_variant v = *job->variant;
	uint64_t template[MAX_DESCRIPTOR_WORDS] __attribute__((aligned(64)));
	struct page *first = first_page(job);

	memcpy(template, first, v.size);
	copy_backend_template(backend, &v)
		->listed(page_at(first, 1, v), job->start_pfn + 1, (struct page *)template,
	                 job->nr_pages - 1);
	backend->drain();
	set_pageblocks_movable(job->pageblocks, job->start_pfn, job->start_pfn + job->nr_pages);
	return job->nr_pages;
}

uint64_t memmap_range_stamp(const struct memmap_job *job, const struct copy_backend *backend)
{
	struct stamper stamper = stamper_of(job, backend);
	union image image;

	memmap_slow_path(job->variant)->single(&image.page, job->start_pfn, job->zone, job->nid);
	stamper_self_list(&stamper);
	stamp_pages(&stamper, &image, job->start_pfn, job->nr_pages);
	backend->drain();
	set_pageblocks_movable(job->pageblocks, job->start_pfn, job->start_pfn + job->nr_pages);
	return job->nr_pages;
}
