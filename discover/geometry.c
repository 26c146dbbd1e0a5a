/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/geometry.h>

#define INFO_BLOCKS 8192ull /* Linux: nd_info_block_reserve() */

unsigned experiment_order(enum experiment_id experiment, unsigned page_shift)
{
	switch (experiment) {
	case EXP_DEVDAX_2M:
		return 21 - page_shift;
	case EXP_DEVDAX_1G:
		return 30 - page_shift;
	default:
		return 0;
	}
}

static uint64_t align_up(uint64_t value, uint64_t align)
{
	return (value + align - 1) & ~(align - 1);
}

static uint64_t align_down(uint64_t value, uint64_t align)
{
	return value & ~(align - 1);
}

/* Linux aligns the address of the data, not their offset: nd_pfn_init(). */
static uint64_t fresh_dataoff(const struct pmem_range *range, const struct memmap_variant *variant,
                              uint64_t align)
{
	uint64_t descriptors = (range->size >> variant->page_shift) * variant->size;
	uint64_t unit = align > DESCRIPTOR_AREA ? align : DESCRIPTOR_AREA;

	return align_up(range->base + INFO_BLOCKS + descriptors, unit) - range->base;
}

/* Whole compounds of [begin, end) into the result; false when there is none. */
static bool cut(struct geometry *out, unsigned page_shift, uint64_t begin, uint64_t end)
{
	uint64_t first = align_up(begin, out->align), last = align_down(end, out->align);

	if (first >= last)
		return false;
	out->start_pfn = first >> page_shift;
	out->nr_pages = (last - first) >> page_shift;
	out->lost_head = first - begin;
	return true;
}

static bool on_device(const struct pmem_range *range, const struct memmap_variant *variant,
                      bool keep_namespace, struct geometry *out)
{
	const unsigned page_shift = variant->page_shift;
	uint64_t pad = keep_namespace ? range->ns.start_pad : 0;
	uint64_t area = pad + DESCRIPTOR_AREA; /* device offset of the first descriptor */
	uint64_t dataoff =
		keep_namespace ? range->ns.dataoff : fresh_dataoff(range, variant, out->align);
	uint64_t base = range->base + pad, data = range->base + dataoff;
	uint64_t end = range->base + range->size, described;

	if (dataoff <= area || dataoff >= range->size)
		return false;
	if (keep_namespace && range->ns.size < end - data)
		end = data + range->ns.size;
	/*
	 * dataoff leaves room for 8 KiB and the descriptors, which begin at 2 MiB: where the
	 * rounding does not make up for that, the last pages' descriptors would stand in the
	 * data. Linux takes them from RAM (the last section is not a whole one, so its
	 * memmap is not from the altmap); here those pages are lost.
	 */
	described = base + ((dataoff - area) / variant->size << page_shift);
	if (!cut(out, page_shift, data, described < end ? described : end))
		return false;
	out->dataoff = dataoff;
	out->base_pfn = base >> page_shift;
	out->store_begin = area + (out->start_pfn - out->base_pfn) * variant->size;
	out->store_end = out->store_begin + out->nr_pages * variant->size;
	return true;
}

bool geometry_for(const struct pmem_range *range, enum experiment_id experiment,
                  const struct memmap_variant *variant, bool map_dev, bool keep_namespace,
                  struct geometry *out)
{
	const unsigned order = experiment_order(experiment, variant->page_shift);
	uint64_t end = range->base + range->size;

	*out = (struct geometry){.order = order, .align = 1ull << (order + variant->page_shift)};
	if (map_dev ? !on_device(range, variant, keep_namespace, out)
	            : !cut(out, variant->page_shift, range->base, end)) {
		out->lost_head = range->size;
		return false;
	}
	if (!map_dev)
		out->base_pfn = out->start_pfn;
	out->lost_tail = end - ((out->start_pfn + out->nr_pages) << variant->page_shift);
	return true;
}

bool namespace_matches(const struct pmem_range *range, enum experiment_id experiment,
                       const struct memmap_variant *variant)
{
	const struct pmem_namespace *ns = &range->ns;

	if (range->content != CONTENT_NAMESPACE || ns->map != NS_MAP_DEV ||
	    variant->page_shift != 12 || variant->size != 64)
		return false;
	switch (experiment) {
	case EXP_FSDAX:
		return ns->mode == NS_FSDAX;
	case EXP_DEVDAX_2M:
		return ns->mode == NS_DEVDAX && ns->align == 2ull << 20;
	case EXP_DEVDAX_1G:
		return ns->mode == NS_DEVDAX && ns->align == 1ull << 30;
	default:
		return false;
	}
}
