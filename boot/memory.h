/* SPDX-License-Identifier: BSD-2-Clause */
/* RAM by address, from the firmware. */
#ifndef BOOT_MEMORY_H
#define BOOT_MEMORY_H

#include <pagestamp/window.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes exactly [base, base + size), whole 4 KiB pages of free memory, for ourselves. */
bool memory_reserve(uint64_t base, uint64_t size);
/*
 * Debug builds of EDK2 (Debian's OVMF is one) overwrite all that is freed: slow, and
 * an emulator then has to provide the memory.
 */
void memory_release(uint64_t base, uint64_t size);

/* What the firmware has free: every extent of it, as it is. free() `item`. */
struct memory_free {
	struct backing_extent *item;
	size_t nr;
};
bool memory_free_list(struct memory_free *out);

/* Gives the firmware what backing_free() kept (boot/backing.c). */
void backing_give_back(void);

#endif
