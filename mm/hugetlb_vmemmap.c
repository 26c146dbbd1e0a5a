/* SPDX-License-Identifier: BSD-2-Clause */
#include "mm/hugetlb_vmemmap.h"
#include "mm/hugetlb_boot.h"

static uint64_t page_bytes(const struct memmap_variant *variant)
{
	return 1ull << variant->page_shift;
}

uint64_t hugetlb_vmemmap_shared_bytes(const struct memmap_variant *variant)
{
	return page_bytes(variant);
}

/* The rest before the first page: a process aliases only what it mapped last. */
static bool map_huge_page(uintptr_t va, const struct backing *backing, uint64_t offset,
                          uint64_t bytes, uint64_t page)
{
	return window_map_backing(va + page, backing, offset + page, bytes - page) &&
	       window_map_backing(va, backing, offset, page);
}

bool hugetlb_vmemmap_populate(struct vmemmap *out, const struct geometry *geometry,
                              const struct memmap_variant *variant, const struct backing *backing)
{
	const uint64_t bytes = (uint64_t)variant->size << geometry->order;

	*out = (struct vmemmap){
		.memmap = (void *)window_base(),
		.va = window_base(),
		.size = geometry->nr_pages * variant->size + page_bytes(variant),
	};
	if (out->size > window_size())
		return false;
	for (uint64_t at = 0; at + bytes <= out->size; at += bytes)
		if (!map_huge_page(out->va + at, backing, at, bytes, page_bytes(variant)))
			return false;
	out->backed = out->size;
	return true;
}

struct shared_page {
	struct memmap_job job;
	uintptr_t va;
};

/* Tails of no compound in particular: with the order mask none names its head. */
static void build_shared_page(void *arg)
{
	struct shared_page *shared = arg;

	hugetlb_init_shared_tails(&shared->job, (void *)shared->va);
}

bool hugetlb_vmemmap_init(struct hugetlb_vmemmap *out, const struct vmemmap *vmemmap,
                          const struct geometry *geometry, const struct memmap_variant *variant,
                          const struct backing *backing, const struct memmap_job *job,
                          struct window_fault *fault)
{
	const uint64_t descriptors = geometry->nr_pages * variant->size;
	struct shared_page shared = {.job = *job, .va = vmemmap->va + descriptors};

	*out = (struct hugetlb_vmemmap){
		.vmemmap = vmemmap,
		.variant = variant,
		.backing = backing,
		.bytes = (uint64_t)variant->size << geometry->order,
		.shared = shared.va,
	};
	if (!variant->mask)
		return true;
	return window_map_backing(shared.va, backing, descriptors, page_bytes(variant)) &&
	       window_run(build_shared_page, &shared, fault);
}

/* The views of a large base page, one 4 KiB page of it at a time. */
static bool alias_pages(uintptr_t va, uintptr_t page, uint64_t size, uint64_t page_size)
{
	if (page_size == WINDOW_PAGE)
		return window_alias(va, page, size);
	for (uint64_t at = 0; at < size; at += WINDOW_PAGE)
		if (!window_alias(va + at, page + at % page_size, WINDOW_PAGE))
			return false;
	return true;
}

bool hugetlb_vmemmap_optimize(const struct hugetlb_vmemmap *hvo, uint64_t index)
{
	const uint64_t page = page_bytes(hvo->variant);
	const uintptr_t va = hvo->vmemmap->va + index * hvo->bytes;
	uintptr_t target = va;

	if (hvo->variant->mask) {
		target = hvo->shared;
		if (!window_map_backing(target, hvo->backing, hvo->shared - hvo->vmemmap->va, page))
			return false;
	} else if (!window_map_backing(va, hvo->backing, index * hvo->bytes, page)) {
		return false;
	}
	return alias_pages(va + page, target, hvo->bytes - page, page);
}

bool hugetlb_vmemmap_restore(const struct hugetlb_vmemmap *hvo, uint64_t index)
{
	return map_huge_page(hvo->vmemmap->va + index * hvo->bytes, hvo->backing,
	                     index * hvo->bytes, hvo->bytes, page_bytes(hvo->variant));
}
