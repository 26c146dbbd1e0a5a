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

/* Free memory, cut to 2 MiB; `whole` counts what was cut off as well. */
struct free_memory {
	struct backing_extent *extent;
	size_t nr;
	uint64_t size, whole;
};

static void add_free(struct free_memory *out, uint64_t base, uint64_t size)
{
	uint64_t end = (base + size) / WINDOW_BLOCK * WINDOW_BLOCK;

	out->whole += size;
	if (base < LOWEST)
		base = LOWEST;
	base = (base + WINDOW_BLOCK - 1) / WINDOW_BLOCK * WINDOW_BLOCK;
	if (base >= end)
		return;
	out->extent[out->nr++] = (struct backing_extent){base, end - base};
	out->size += end - base;
}

/* Above 4 GiB first, where the firmware has little to do; then the largest first. */
static int by_preference(const void *a, const void *b)
{
	const struct backing_extent *x = a, *y = b;
	bool x_high = x->phys >= FOUR_GIB, y_high = y->phys >= FOUR_GIB;

	if (x_high != y_high)
		return x_high ? -1 : 1;
	return (x->size < y->size) - (x->size > y->size);
}

static bool find_free(struct free_memory *out)
{
	struct firmware_memory_map map;

	*out = (struct free_memory){0};
	if (!firmware_memory_map(&map))
		return false;
	out->extent = calloc(map.size / map.stride + 1, sizeof(*out->extent));
	for (size_t at = 0; out->extent && at + map.stride <= map.size; at += map.stride) {
		const EFI_MEMORY_DESCRIPTOR *d = (const void *)(map.bytes + at);

		if (d->Type == EfiConventionalMemory && !(d->Attribute & SPECIAL_PURPOSE))
			add_free(out, d->PhysicalStart, d->NumberOfPages * PAGE);
	}
	free(map.bytes);
	if (!out->extent)
		return false;
	qsort(out->extent, out->nr, sizeof(*out->extent), by_preference);
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

bool backing_alloc(uint64_t bytes, struct backing *out, uint64_t *available)
{
	struct free_memory memory;
	uint64_t blocks = bytes / WINDOW_BLOCK + (bytes % WINDOW_BLOCK != 0);

	*out = (struct backing){0};
	*available = 0;
	if (!find_free(&memory))
		return false;
	*available = may_take(&memory);
	if (blocks > *available / WINDOW_BLOCK) {
		free(memory.extent);
		return false;
	}

	/* The list of what is free becomes, in place, the list of what was taken. */
	bytes = blocks * WINDOW_BLOCK;
	out->extent = memory.extent;
	for (size_t i = 0; i < memory.nr && out->size < bytes; i++) {
		struct backing_extent piece = memory.extent[i];

		if (piece.size > bytes - out->size)
			piece.size = bytes - out->size;
		if (!memory_reserve(piece.phys, piece.size))
			continue;
		out->extent[out->nr++] = piece;
		out->size += piece.size;
	}
	if (out->size == bytes)
		return true;
	*available = out->size;
	backing_free(out);
	return false;
}

void backing_free(struct backing *backing)
{
	for (size_t i = 0; i < backing->nr; i++)
		memory_release(backing->extent[i].phys, backing->extent[i].size);
	free(backing->extent);
	*backing = (struct backing){0};
}
