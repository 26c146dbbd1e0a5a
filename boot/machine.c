/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/machine.h"

#include <pagestamp/arch.h>
#include <pagestamp/firmware.h>
#include <pagestamp/smbios.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * An emulator that counts instructions looks like any other from inside: its runner says
 * so in SMBIOS OEM strings, "pagestamp:accel=tcg-icount" and "pagestamp:icount=1".
 */
static void ask_runner(struct machine *machine)
{
	struct firmware_bytes structures;
	const char *accel, *icount;

	if (!firmware_smbios(&structures))
		return;
	accel = smbios_oem_string(structures.data, structures.size, "pagestamp:accel=");
	icount = smbios_oem_string(structures.data, structures.size, "pagestamp:icount=");
	if (accel)
		snprintf(machine->accel, sizeof(machine->accel), "%s", accel);
	if (icount)
		machine->icount_shift = (unsigned)strtoul(icount, NULL, 10);
	if (!machine->hypervisor[0] && accel)
		snprintf(machine->hypervisor, sizeof(machine->hypervisor), "%s",
		         strncmp(accel, "tcg", 3) ? "KVM" : "TCG");
}

void machine_describe(struct machine *out, const struct efi_map *map, unsigned nodes)
{
	*out = (struct machine){.el = -1};
	arch_cpu_describe(out);
	firmware_name(out->firmware, sizeof(out->firmware));
	out->secure_boot = firmware_secure_boot();
	out->memory_bytes = efi_map_ram_bytes(map);
	out->nodes = nodes ? nodes : 1;
	ask_runner(out);
}
