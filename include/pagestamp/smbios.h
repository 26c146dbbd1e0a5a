/* SPDX-License-Identifier: BSD-2-Clause */
/* SMBIOS structures (DSP0134, 6.1): the OEM strings, where an emulator's runner tells of itself,
 * and what is printed on the board beside a DIMM. */
#ifndef PAGESTAMP_SMBIOS_H
#define PAGESTAMP_SMBIOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No entry point is longer. */
#define SMBIOS_ENTRY_MOST 32u

/*
 * An entry point ("_SM3_", or "_SM_" of SMBIOS 2), of which at most `size` bytes are looked
 * at: where the structure table is and the bytes it has (SMBIOS 3: at most has). False:
 * neither, too short, a length that it cannot have, or a wrong checksum.
 */
bool smbios_entry(const uint8_t *entry, size_t size, uint64_t *address, size_t *length);

/*
 * `table` is the structure table (not the entry point), `size` its bytes, or the most it
 * may have (SMBIOS 3). The first OEM string (type 11) that begins with `prefix`: the text
 * behind the prefix, NUL-terminated inside the table. NULL: none, or the table is broken
 * before it. Example: prefix "pagestamp:accel=" in "pagestamp:accel=tcg" gives "tcg".
 */
const char *smbios_oem_string(const void *table, size_t size, const char *prefix);

/*
 * The device locator of the memory device (type 17) with this handle, an NFIT mapping's
 * physical_id: "PROC 1 DIMM 8". NUL-terminated inside the table. NULL: none, it has no
 * locator, or the table is broken before it.
 */
const char *smbios_dimm_name(const void *table, size_t size, uint16_t handle);

#endif
