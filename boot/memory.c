/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/memory.h"
#include "boot/efi.h"

#include <pagestamp/firmware.h>
#include <pagestamp/window.h>
#include <stdlib.h>

#define PAGE              4096ull
#define FOUR_GIB          (4ull << 30)
#define LOWEST            (1ull << 20)  /* below it live things that predate UEFI */
#define LEFT_FOR_FIRMWARE (32ull << 20) /* it allocates while we run */
#define SPECIAL_PURPOSE   0x40000ull    /* EFI_MEMORY_SP: somebody wants it for himself */

bool memory_reserve(uint64_t base, uint64_t size)
{
	EFI_PHYSICAL_ADDRESS at = base;

	if (base % PAGE || size % PAGE || !size)
		return false;
	return efi_bs->AllocatePages(AllocateAddress, EfiLoaderData, size / PAGE, &at) ==
	       EFI_SUCCESS;
}

void memory_release(uint64_t base, uint64_t size)
{
	efi_bs->FreePages(base, size / PAGE);
}

/*
 * What backing_alloc() ever gave out, in whole 2 MiB: somebody wrote there in this boot.
 * First-bind figures want memory that nobody did, so it is given out last.
 */
static struct backing touched;

static bool remember_touched(struct backing_extent piece)
{
	struct backing_extent *grown =
		realloc(touched.extent, (touched.nr + 1) * sizeof(*touched.extent));

	if (!grown)
		return false;
	touched.extent = grown;
	grown[touched.nr++] = piece;
	return true;
}

/* Free memory, cut to 2 MiB; `whole` counts what was cut off as well. */
struct piece {
	uint64_t phys, size;
	bool fresh;
};

struct free_memory {
	struct piece *piece;
	size_t nr;
	uint64_t size, whole;
};

static bool add_piece(struct free_memory *out, uint64_t base, uint64_t end, bool fresh)
{
	struct piece *grown;

	if (base >= end)
		return true;
	grown = realloc(out->piece, (out->nr + 1) * sizeof(*grown));
	if (!grown)
		return false;
	out->piece = grown;
	grown[out->nr++] = (struct piece){base, end - base, fresh};
	out->size += end - base;
	return true;
}

/* The first touched extent that reaches into [base, end): NULL when all of it is fresh. */
static const struct backing_extent *first_touched(uint64_t base, uint64_t end)
{
	const struct backing_extent *first = NULL;

	for (size_t i = 0; i < touched.nr; i++) {
		const struct backing_extent *t = &touched.extent[i];

		if (t->phys < end && t->phys + t->size > base && (!first || t->phys < first->phys))
			first = t;
	}
	return first;
}

static bool add_free(struct free_memory *out, uint64_t base, uint64_t size)
{
	uint64_t end = (base + size) / WINDOW_BLOCK * WINDOW_BLOCK;

	out->whole += size;
	if (base < LOWEST)
		base = LOWEST;
	base = (base + WINDOW_BLOCK - 1) / WINDOW_BLOCK * WINDOW_BLOCK;
	while (base < end) {
		const struct backing_extent *used = first_touched(base, end);
		uint64_t fresh_end = !used ? end : used->phys < base ? base : used->phys;
		uint64_t used_end = !used                           ? end
		                    : used->phys + used->size > end ? end
		                                                    : used->phys + used->size;

		if (!add_piece(out, base, fresh_end, true) ||
		    !add_piece(out, fresh_end, used_end, false))
			return false;
		base = used_end;
	}
	return true;
}

/* Fresh first, then above 4 GiB, where the firmware has little to do; then the largest. */
static int by_preference(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;
	bool x_high = x->phys >= FOUR_GIB, y_high = y->phys >= FOUR_GIB;

	if (x->fresh != y->fresh)
		return x->fresh ? -1 : 1;
	if (x_high != y_high)
		return x_high ? -1 : 1;
	return (x->size < y->size) - (x->size > y->size);
}

static bool find_free(struct free_memory *out)
{
	struct firmware_memory_map map;
	bool ok = true;

	*out = (struct free_memory){0};
	if (!firmware_memory_map(&map))
		return false;
	for (size_t at = 0; ok && at + map.stride <= map.size; at += map.stride) {
		const EFI_MEMORY_DESCRIPTOR *d = (const void *)(map.bytes + at);

		if (d->Type == EfiConventionalMemory && !(d->Attribute & SPECIAL_PURPOSE))
			ok = add_free(out, d->PhysicalStart, d->NumberOfPages * PAGE);
	}
	free(map.bytes);
	if (!ok) {
		free(out->piece);
		return false;
	}
	if (out->nr)
		qsort(out->piece, out->nr, sizeof(*out->piece), by_preference);
	return true;
}

/* How much of it may be had: the firmware keeps its share, in the odd ends if they suffice. */
static uint64_t may_take(const struct free_memory *memory)
{
	uint64_t odd_ends = memory->whole - memory->size;
	uint64_t keep = odd_ends < LEFT_FOR_FIRMWARE ? LEFT_FOR_FIRMWARE - odd_ends : 0;

	keep = (keep + WINDOW_BLOCK - 1) / WINDOW_BLOCK * WINDOW_BLOCK;
	return memory->size > keep ? memory->size - keep : 0;
}

/* Reserves pieces in their order until `bytes` are had; a piece somebody took meanwhile is passed.
 */
static bool take(const struct free_memory *memory, uint64_t bytes, struct backing *out)
{
	out->extent = calloc(memory->nr + 1, sizeof(*out->extent));
	if (!out->extent)
		return false;
	out->fresh = true;
	for (size_t i = 0; i < memory->nr && out->size < bytes; i++) {
		const struct piece *piece = &memory->piece[i];
		struct backing_extent extent = {piece->phys, piece->size};

		if (extent.size > bytes - out->size)
			extent.size = bytes - out->size;
		if (!memory_reserve(extent.phys, extent.size))
			continue;
		out->extent[out->nr++] = extent;
		out->size += extent.size;
		out->fresh &= piece->fresh;
		if (piece->fresh && !remember_touched(extent))
			return false;
	}
	return out->size == bytes;
}

bool backing_alloc(uint64_t bytes, enum backing_use use, struct backing *out, uint64_t *available)
{
	struct free_memory memory;
	uint64_t blocks = bytes / WINDOW_BLOCK + (bytes % WINDOW_BLOCK != 0);
	bool taken = false;

	(void)use; /* our own tables map 4 KiB and 2 MiB alike */
	*out = (struct backing){0};
	*available = 0;
	if (!find_free(&memory))
		return false;
	*available = may_take(&memory);
	if (blocks <= *available / WINDOW_BLOCK) {
		taken = take(&memory, blocks * WINDOW_BLOCK, out);
		if (!taken) {
			*available = out->size;
			backing_free(out);
		}
	}
	free(memory.piece);
	return taken;
}

void backing_free(struct backing *backing)
{
	for (size_t i = 0; i < backing->nr; i++)
		memory_release(backing->extent[i].phys, backing->extent[i].size);
	free(backing->extent);
	*backing = (struct backing){0};
}
