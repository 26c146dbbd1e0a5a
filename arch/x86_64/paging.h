/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ARCH_X86_64_PAGING_H
#define ARCH_X86_64_PAGING_H

#include <stdint.h>

#define CR3_ADDRESS 0x000ffffffffff000ull

/* The bit of an entry that says "encrypted", as the firmware maps our own memory; 0 = none. */
uint64_t paging_encryption(void);

#endif
