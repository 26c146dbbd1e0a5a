/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BOOT_MACHINE_H
#define BOOT_MACHINE_H

#include <pagestamp/efi_map.h>
#include <pagestamp/machine.h>

/* Asks CPU, firmware and SMBIOS; `nodes` is 1 until a SRAT says more. */
void machine_describe(struct machine *out, const struct efi_map *map, unsigned nodes);

#endif
