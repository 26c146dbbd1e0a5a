/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A 4 KiB page table entry of a process, as Linux uses it. Arm ARM D8.3 (stage 1 page
 * descriptors); bit 55 is Linux's software dirty bit, bit 51 (DBM) its "may be written".
 * Nothing is called on: it also compiles elsewhere.
 */
#ifndef ARCH_PTE_H
#define ARCH_PTE_H

#include <stdbool.h>
#include <stdint.h>

#define PTE_TYPE_PAGE (3ull << 0)
#define PTE_USER      (1ull << 6)
#define PTE_RDONLY    (1ull << 7)
#define PTE_SHARED    (3ull << 8)
#define PTE_AF        (1ull << 10)
#define PTE_NG        (1ull << 11)
#define PTE_DBM       (1ull << 51)
#define PTE_CONT      (1ull << 52)
#define PTE_PXN       (1ull << 53)
#define PTE_UXN       (1ull << 54)
#define PTE_SW_DIRTY  (1ull << 55)

#define PTE_ADDRESS 0x0000fffffffff000ull

/* Read-only, young, not executable; memory attribute 0 is Linux's MT_NORMAL. */
#define PAGE_READONLY                                                                              \
	(PTE_TYPE_PAGE | PTE_USER | PTE_RDONLY | PTE_SHARED | PTE_AF | PTE_NG | PTE_PXN | PTE_UXN)

/* Entries that one TLB entry may stand for, all with PTE_CONT: 64 KiB, aligned. */
#define CONT_PTES 16

static inline bool pte_none(uint64_t pte)
{
	return !pte;
}

static inline bool pte_young(uint64_t pte)
{
	return pte & PTE_AF;
}

static inline uint64_t pte_mkold(uint64_t pte)
{
	return pte & ~PTE_AF;
}

/* By software, or by hardware that takes RDONLY off a DBM entry. */
static inline bool pte_dirty(uint64_t pte)
{
	return pte & PTE_SW_DIRTY || (pte & PTE_DBM && !(pte & PTE_RDONLY));
}

static inline bool pte_write(uint64_t pte)
{
	return pte & PTE_DBM;
}

static inline uint64_t pte_mkdirty(uint64_t pte)
{
	pte |= PTE_SW_DIRTY;
	return pte_write(pte) ? pte & ~PTE_RDONLY : pte;
}

static inline uint64_t pte_mkwrite(uint64_t pte)
{
	pte |= PTE_DBM;
	return pte & PTE_SW_DIRTY ? pte & ~PTE_RDONLY : pte;
}

static inline uint64_t pte_mkcont(uint64_t pte)
{
	return pte | PTE_CONT;
}

#endif
