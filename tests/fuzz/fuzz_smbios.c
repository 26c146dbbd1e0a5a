/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/smbios.c */
#include "tests/fuzz/fuzz.h"

#include <pagestamp/smbios.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t address = 0;
	size_t length;
	const char *found = smbios_oem_string(data, size, "p:");

	if (found)
		ALWAYS((const uint8_t *)found + strlen(found) < data + size);
	found = smbios_dimm_name(data, size, 0x26);
	if (found)
		ALWAYS(*found && (const uint8_t *)found + strlen(found) < data + size);
	if (smbios_entry(data, size, &address, &length))
		ALWAYS(address);
	return 0;
}
