/* SPDX-License-Identifier: BSD-2-Clause */
/* SMBIOS structures (DSP0134, 6.1): only the OEM strings, where an emulator's runner tells of
 * itself. */
#ifndef PAGESTAMP_SMBIOS_H
#define PAGESTAMP_SMBIOS_H

#include <stddef.h>

/*
 * `table` is the structure table (not the entry point), `size` its bytes, or the most it
 * may have (SMBIOS 3). The first OEM string (type 11) that begins with `prefix`: the text
 * behind the prefix, NUL-terminated inside the table. NULL: none, or the table is broken
 * before it. Example: prefix "pagestamp:accel=" in "pagestamp:accel=tcg" gives "tcg".
 */
const char *smbios_oem_string(const void *table, size_t size, const char *prefix);

#endif
