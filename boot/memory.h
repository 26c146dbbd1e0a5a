/* SPDX-License-Identifier: BSD-2-Clause */
/* RAM by address. What window.h calls backing is in memory.c as well. */
#ifndef BOOT_MEMORY_H
#define BOOT_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Takes exactly [base, base + size), whole 4 KiB pages of free memory, for ourselves. */
bool memory_reserve(uint64_t base, uint64_t size);
void memory_release(uint64_t base, uint64_t size);

#endif
