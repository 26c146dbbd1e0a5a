/* SPDX-License-Identifier: BSD-2-Clause */
#include "mm/vmemmap.h"

static const uint64_t reserved_bytes = 2 * WINDOW_PAGE;

static uint64_t compound_bytes(const struct geometry *geometry)
{
	return sizeof(struct page) << geometry->order;
}

uint64_t vmemmap_stored_bytes(const struct geometry *geometry, bool optimised)
{
	return optimised ? reserved_bytes : compound_bytes(geometry);
}

bool vmemmap_can_optimise(const struct geometry *geometry, bool map_dev)
{
	return !map_dev && compound_bytes(geometry) > reserved_bytes;
}

/* Two backed pages a compound; every further page is the second one again. */
static bool map_optimised(struct vmemmap *out, const struct geometry *geometry,
                          const struct backing *backing)
{
	const uint64_t step = compound_bytes(geometry), tail_bytes = step - reserved_bytes;
	uint64_t offset = 0;

	for (uint64_t done = 0; done < out->size; done += step) {
		uintptr_t va = out->va + done;

		if (!window_map_backing(va, backing, offset, reserved_bytes) ||
		    !window_alias(va + reserved_bytes, va + WINDOW_PAGE, tail_bytes))
			return false;
		offset += reserved_bytes;
		out->aliased_pages += tail_bytes / WINDOW_PAGE;
	}
	out->backed = offset;
	return true;
}

bool vmemmap_populate(struct vmemmap *out, const struct geometry *geometry, bool optimised,
                      const struct backing *backing)
{
	const uint64_t bytes = geometry->nr_pages * sizeof(struct page);
	bool mapped;

	*out = (struct vmemmap){
		.memmap = (void *)window_base(),
		.va = window_base(),
		.size = (bytes + WINDOW_PAGE - 1) & ~(WINDOW_PAGE - 1),
	};
	if (out->size > window_size())
		return false;
	if (optimised) {
		mapped = map_optimised(out, geometry, backing);
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
