/* SPDX-License-Identifier: BSD-2-Clause */
/* The quiet window on bare metal: pagetable.c for the space, arch/ for going there. */
#include "boot/efi.h"
#include "boot/pagetable.h"
#include "boot/table_pool.h"

#include <pagestamp/arch.h>
#include <pagestamp/window.h>

static struct pagetable tables;

bool window_init(struct window_error *error)
{
	struct arch_paging paging;

	if (arch_paging_probe(&paging, error->why, sizeof(error->why)) &&
	    pagetable_init(&tables, &paging, &table_pool, error->why, sizeof(error->why)))
		return true;
	window_fini();
	return false;
}

void window_fini(void)
{
	pagetable_fini(&tables);
	table_pool_fini();
}

uintptr_t window_base(void)
{
	return tables.base;
}

uint64_t window_mapping_limit(void)
{
	return UINT64_MAX;
}

uint64_t window_size(void)
{
	return tables.size;
}

/* Is [offset, offset + size) inside [begin, end)? */
static bool within(uint64_t offset, uint64_t size, uint64_t begin, uint64_t end)
{
	return offset >= begin && offset <= end && size <= end - offset;
}

bool window_map_backing(uintptr_t va, const struct backing *backing, uint64_t offset, uint64_t size)
{
	uint64_t done = 0, start = 0; /* start: of the extent, as an offset into the backing */

	if (!within(offset, size, 0, backing->size))
		return false;
	for (size_t i = 0; i < backing->nr && done < size; i++) {
		const struct backing_extent *extent = &backing->extent[i];
		uint64_t at = offset + done, part = start + extent->size - at;

		start += extent->size;
		if (at >= start)
			continue;
		if (part > size - done)
			part = size - done;
		if (!pagetable_map(&tables, va + done, extent->phys + extent->size - (start - at),
		                   part, PAGETABLE_MEMORY)) {
			pagetable_unmap(&tables, va, done);
			return false;
		}
		done += part;
	}
	return true;
}

static bool map_range(uintptr_t va, const struct pmem_range *range, uint64_t offset, uint64_t size,
                      enum pagetable_kind kind)
{
	if (!within(offset, size, 0, range->size) || range->base > UINT64_MAX - offset)
		return false;
	return pagetable_map(&tables, va, range->base + offset, size, kind);
}

bool window_map_device(uintptr_t va, const struct consented *device, uint64_t offset, uint64_t size)
{
	if (!within(offset, size, consented_begin(device), consented_end(device)))
		return false;
	return map_range(va, consented_range(device), offset, size, PAGETABLE_DEVICE);
}

bool window_map_readonly(uintptr_t va, const struct pmem_range *range, uint64_t offset,
                         uint64_t size)
{
	return map_range(va, range, offset, size, PAGETABLE_DEVICE_READONLY);
}

bool window_alias(uintptr_t va, uintptr_t target, uint64_t size)
{
	return pagetable_alias(&tables, va, target, size);
}

bool window_map_table(uintptr_t va, const struct backing *backing, uint64_t offset,
                      uint64_t *attributes)
{
	uint64_t start = 0;

	*attributes = tables.paging.leaf_bits[0][0];
	for (size_t i = 0; i < backing->nr; i++) {
		const struct backing_extent *extent = &backing->extent[i];

		if (within(offset, WINDOW_PAGE, start, start + extent->size))
			return pagetable_set_table(&tables, va, extent->phys + offset - start);
		start += extent->size;
	}
	return false;
}

void window_unmap_table(uintptr_t va)
{
	pagetable_set_table(&tables, va, 0);
}

const char *window_table_refused(void)
{
	return "no memory for page tables";
}

void window_unmap(uintptr_t va, uint64_t size)
{
	pagetable_unmap(&tables, va, size);
}

bool window_run(void (*fn)(void *arg), void *arg, struct window_fault *fault)
{
	EFI_TPL tpl;
	bool ran;

	pagetable_refresh(&tables);
	tpl = efi_bs->RaiseTPL(TPL_HIGH_LEVEL);
	ran = arch_window_run(tables.root, fn, arg, fault);
	efi_bs->RestoreTPL(tpl);
	return ran;
}

const char *window_page_name(void)
{
	return "2M";
}
