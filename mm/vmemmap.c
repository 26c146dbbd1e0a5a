/* SPDX-License-Identifier: BSD-2-Clause */
#include "mm/vmemmap.h"

static uint64_t reserved_bytes(const struct memmap_variant *variant)
{
	return 2ull << variant->page_shift;
}

static uint64_t compound_bytes(const struct geometry *geometry,
                               const struct memmap_variant *variant)
{
	return (uint64_t)variant->size << geometry->order;
}

uint64_t vmemmap_stored_bytes(const struct geometry *geometry, const struct memmap_variant *variant,
                              bool optimised)
{
	return optimised ? reserved_bytes(variant) : compound_bytes(geometry, variant);
}

bool vmemmap_can_optimise(const struct geometry *geometry, const struct memmap_variant *variant,
                          bool map_dev)
{
	return !map_dev && !(variant->size & (variant->size - 1)) &&
	       compound_bytes(geometry, variant) > reserved_bytes(variant);
}

uint64_t vmemmap_mappings(const struct geometry *geometry, const struct memmap_variant *variant)
{
	const uint64_t aliased = compound_bytes(geometry, variant) - reserved_bytes(variant);

	return (geometry->nr_pages >> geometry->order) * (1 + aliased / WINDOW_PAGE);
}

/* Two backed base pages a compound; every further one is the second again. */
static bool map_optimised(struct vmemmap *out, const struct geometry *geometry,
                          const struct memmap_variant *variant, const struct backing *backing)
{
	const uint64_t page = 1ull << variant->page_shift, reserved = reserved_bytes(variant);
	const uint64_t step = compound_bytes(geometry, variant);
	uint64_t offset = 0;

	for (uint64_t done = 0; done < out->size; done += step, offset += reserved) {
		const uintptr_t va = out->va + done;

		if (!window_map_backing(va, backing, offset, reserved))
			return false;
		if (page == WINDOW_PAGE) {
			if (!window_alias(va + reserved, va + page, step - reserved))
				return false;
		} else {
			for (uint64_t at = reserved; at < step; at += WINDOW_PAGE)
				if (!window_alias(va + at, va + page + at % page, WINDOW_PAGE))
					return false;
		}
		out->aliased_pages += (step - reserved) / page;
	}
	out->backed = offset;
	return true;
}

bool vmemmap_populate(struct vmemmap *out, const struct geometry *geometry,
                      const struct memmap_variant *variant, bool optimised, unsigned dest_offset,
                      const struct backing *backing)
{
	const uint64_t bytes = geometry->nr_pages * variant->size + dest_offset;
	bool mapped;

	*out = (struct vmemmap){
		.memmap = (void *)(window_base() + dest_offset),
		.va = window_base(),
		.size = (bytes + WINDOW_PAGE - 1) & ~(WINDOW_PAGE - 1),
	};
	if (out->size > window_size())
		return false;
	if (optimised) {
		mapped = map_optimised(out, geometry, variant, backing);
	} else {
		mapped = window_map_backing(out->va, backing, 0, out->size);
		out->backed = out->size;
	}
	if (!mapped)
		vmemmap_depopulate(out);
	return mapped;
}

bool vmemmap_populate_device(struct vmemmap *out, const struct geometry *geometry,
                             const struct consented *device)
{
	const uint64_t begin = geometry->store_begin & ~(WINDOW_PAGE - 1);
	const uint64_t end = (geometry->store_end + WINDOW_PAGE - 1) & ~(WINDOW_PAGE - 1);

	/* The same offset within 2 MiB as on the device, so that large entries fit. */
	*out = (struct vmemmap){
		.va = window_base() + begin % WINDOW_BLOCK,
		.size = end - begin,
		.backed = end - begin,
	};
	out->memmap = (void *)(out->va + geometry->store_begin - begin);
	if (begin % WINDOW_BLOCK + out->size > window_size())
		return false;
	if (window_map_device(out->va, device, begin, out->size))
		return true;
	vmemmap_depopulate(out);
	return false;
}

void vmemmap_depopulate(struct vmemmap *vmemmap)
{
	window_unmap(vmemmap->va, vmemmap->size);
	*vmemmap = (struct vmemmap){0};
}
