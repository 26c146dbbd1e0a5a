/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A 4 KiB page table entry of a process, as Linux uses it. Intel SDM vol. 3, 4.5 (bits 0 to
 * 8, 63); bit 11 is Linux's soft-dirty. Nothing is called on: it also compiles elsewhere.
 */
#ifndef ARCH_PTE_H
#define ARCH_PTE_H

#include <stdbool.h>
#include <stdint.h>

#define PTE_P          (1ull << 0)
#define PTE_RW         (1ull << 1)
#define PTE_USER       (1ull << 2)
#define PTE_A          (1ull << 5)
#define PTE_D          (1ull << 6)
#define PTE_SOFT_DIRTY (1ull << 11)
#define PTE_XD         (1ull << 63)

#define PTE_ADDRESS 0x000ffffffffff000ull

/* Read-only, young, not executable. */
#define PAGE_READONLY (PTE_P | PTE_USER | PTE_A | PTE_XD)

/* Linux: the Knights Landing erratum leaves stray A and D bits in empty entries. */
static inline bool pte_none(uint64_t pte)
{
	return !(pte & ~(PTE_A | PTE_D));
}

static inline bool pte_young(uint64_t pte)
{
	return pte & PTE_A;
}

static inline uint64_t pte_mkold(uint64_t pte)
{
	return pte & ~PTE_A;
}

static inline bool pte_dirty(uint64_t pte)
{
	return pte & PTE_D;
}

static inline uint64_t pte_mkdirty(uint64_t pte)
{
	return pte | PTE_D | PTE_SOFT_DIRTY;
}

static inline bool pte_write(uint64_t pte)
{
	return pte & PTE_RW;
}

static inline uint64_t pte_mkwrite(uint64_t pte)
{
	return pte | PTE_RW;
}

#endif
