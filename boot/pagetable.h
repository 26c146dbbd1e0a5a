/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Page tables by the description in struct arch_paging: a copy of the firmware's top
 * table plus a space of our own in slots that the firmware leaves empty.
 *
 *   firmware's root   | a | b | - | - | - | - |
 *   our root          | a | b | - | our space |     a, b: the firmware's own tables
 *
 * Knows neither firmware nor architecture: pages for tables come from the caller.
 * Tables are reached at their physical address.
 */
#ifndef BOOT_PAGETABLE_H
#define BOOT_PAGETABLE_H

#include <pagestamp/arch.h>

struct pagetable_memory {
	uint64_t (*alloc)(void *context); /* a zeroed, aligned 4 KiB page; 0 = there is none */
	void (*free)(void *context, uint64_t page);
	void *context;
};

struct pagetable {
	struct arch_paging paging;
	struct pagetable_memory memory;
	uint64_t root; /* physical address; 0 = not set up */
	unsigned first_slot, nr_slots;
	uintptr_t base; /* our space */
	uint64_t size;
};

/* False with a reason: no hole that is large enough, no memory. */
bool pagetable_init(struct pagetable *pt, const struct arch_paging *paging,
                    const struct pagetable_memory *memory, char *why, size_t why_size);
void pagetable_fini(struct pagetable *pt);

/* Takes over what the firmware changed in its top table since. */
void pagetable_refresh(struct pagetable *pt);

enum pagetable_kind {
	PAGETABLE_MEMORY,          /* RAM, writable */
	PAGETABLE_DEVICE,          /* not RAM, writable */
	PAGETABLE_DEVICE_READONLY, /* not RAM */
};

/*
 * Everything is in multiples of 4 KiB inside our space. What was mapped there before
 * is replaced. False: out of bounds, or no memory for a table; then nothing is mapped
 * at [va, va + size).
 */
bool pagetable_map(struct pagetable *pt, uintptr_t va, uint64_t phys, uint64_t size,
                   enum pagetable_kind kind);
/* Every 4 KiB page becomes a read-only view of the page mapped at `target`. */
bool pagetable_alias(struct pagetable *pt, uintptr_t va, uintptr_t target, uint64_t size);
/*
 * The lowest table of the 2 MiB at `va` is the caller's, at physical address `table`, until
 * it is taken out by 0; nobody frees or looks into it. False as above.
 */
bool pagetable_set_table(struct pagetable *pt, uintptr_t va, uint64_t table);
/*
 * Gives back the tables it emptied. Where a part of a 2 MiB block is unmapped and
 * there is no memory to keep the rest, the rest goes too.
 */
void pagetable_unmap(struct pagetable *pt, uintptr_t va, uint64_t size);

#endif
