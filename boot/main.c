/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/main.h"
#include "boot/load_options.h"
#include "boot/results_file.h"

#include <pagestamp/exit.h>
#include <pagestamp/firmware.h>
#include <pagestamp/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void boot_main(void)
{
	static const char results[] = "{ \"schema\": \"pagestamp/1\", \"result\": \"pass\" }\n";
	struct firmware_memory_map map;
	struct firmware_bytes nfit, entry, smbios;
	char name[96], where[96], why[192];
	size_t options;

	printf("pagestamp %s %s: alive\n", pagestamp_version, pagestamp_arch);
	firmware_name(name, sizeof(name));
	printf("firmware: %s, secure boot %d\n", name, firmware_secure_boot());
	if (firmware_memory_map(&map))
		printf("memory map: %u entries\n", (unsigned)(map.size / map.stride));
	if (firmware_acpi_table("NFIT", 0, &nfit))
		printf("NFIT: %u bytes\n", (unsigned)nfit.size);
	if (firmware_smbios(&entry, &smbios))
		printf("SMBIOS: %u bytes\n", (unsigned)smbios.size);
	load_options_bytes(&options);
	printf("load options: %u bytes\n", (unsigned)options);
	char *config = config_file_text(why, sizeof(why));
	printf("config: %s %s\n", config ? config : "none", why);

	if (results_file_write(results, strlen(results), where, sizeof(where), why, sizeof(why)))
		printf("results: %s\n", where);
	else
		printf("results: not written: %s\n", why);
	printf("-----BEGIN PAGESTAMP JSON-----\n%s-----END PAGESTAMP JSON-----\n", results);
	printf("pagestamp: pass\n");
	program_exit(EXIT_QEMU, true);
}
