/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How wide the window's address space is. Firmware often gives itself no more than
 * physical memory needs: 40 bits are two slots in the top table, both in use. Within
 * one number of levels a narrower space is the first slots of the wider one, so the
 * window takes the widest: 48 bits for 4 levels, 39 for 3, always 512 slots.
 */
#ifndef ARM64_PAGING_H
#define ARM64_PAGING_H

#include <stdint.h>

#define TCR_T0SZ 0x3full

static inline uint64_t window_tcr(uint64_t tcr)
{
	return (tcr & ~TCR_T0SZ) | ((tcr & TCR_T0SZ) <= 24 ? 16 : 25);
}

#endif
