/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BOOT_TABLE_POOL_H
#define BOOT_TABLE_POOL_H

#include "boot/pagetable.h"

/* Pages for page tables, from the firmware, many at a time. */
extern const struct pagetable_memory table_pool;

/* Gives everything back, used or not. */
void table_pool_fini(void);

#endif
