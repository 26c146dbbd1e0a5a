/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BOOT_LIBC_H
#define BOOT_LIBC_H

#include <stdbool.h>

/*
 * Takes the heap's memory from the firmware. Before it no malloc and no stdio; false, with
 * the verdict on the console.
 */
bool libc_init(void);
/* Gives it back; after it neither again. */
void libc_fini(void);

#endif
