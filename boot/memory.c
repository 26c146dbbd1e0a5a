/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/memory.h"
#include "boot/efi.h"

#include <pagestamp/firmware.h>
#include <stdlib.h>

#define PAGE            4096ull
#define SPECIAL_PURPOSE 0x40000ull /* EFI_MEMORY_SP: somebody wants it for himself */

bool memory_reserve(uint64_t base, uint64_t size)
{
	EFI_PHYSICAL_ADDRESS at = base;
	EFI_STATUS status;

	if (base % PAGE || size % PAGE || !size)
		return false;
	status = efi_bs->AllocatePages(AllocateAddress, EfiLoaderData, size / PAGE, &at);
	/* Not found: somebody has it. */
	if (status != EFI_SUCCESS && status != EFI_NOT_FOUND)
		efi_note("AllocatePages", status);
	return status == EFI_SUCCESS;
}

void memory_release(uint64_t base, uint64_t size)
{
	EFI_STATUS status = efi_bs->FreePages(base, size / PAGE);

	if (status != EFI_SUCCESS)
		efi_note("FreePages", status);
}

bool memory_free_list(struct memory_free *out)
{
	struct firmware_memory_map map;

	*out = (struct memory_free){0};
	if (!firmware_memory_map(&map))
		return false;
	out->item = calloc(map.size / map.stride + 1, sizeof(*out->item));
	for (size_t at = 0; out->item && at + map.stride <= map.size; at += map.stride) {
		const EFI_MEMORY_DESCRIPTOR *d = (const void *)(map.bytes + at);

		if (d->Type == EfiConventionalMemory && !(d->Attribute & SPECIAL_PURPOSE))
			out->item[out->nr++] =
				(struct backing_extent){d->PhysicalStart, d->NumberOfPages * PAGE};
	}
	free(map.bytes);
	return out->item;
}
