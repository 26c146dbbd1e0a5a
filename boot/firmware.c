/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/efi.h"
#include "boot/text.h"

#include <pagestamp/acpi_root.h>
#include <pagestamp/firmware.h>
#include <pagestamp/smbios.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool firmware_memory_map(struct firmware_memory_map *out)
{
	UINTN size = 0, key, stride = 0;
	UINT32 version = 0;
	EFI_STATUS status = efi_bs->GetMemoryMap(&size, NULL, &key, &stride, &version);

	*out = (struct firmware_memory_map){0};
	/* Ours is not the only allocation: the map may have grown since it was asked for. */
	for (int attempt = 0; status == EFI_BUFFER_TOO_SMALL && attempt < 8; attempt++) {
		uint8_t *bytes;

		size += 16 * (stride ? stride : sizeof(EFI_MEMORY_DESCRIPTOR));
		bytes = malloc(size);
		if (!bytes) {
			status = EFI_OUT_OF_RESOURCES;
			break;
		}
		status = efi_bs->GetMemoryMap(&size, (EFI_MEMORY_DESCRIPTOR *)bytes, &key, &stride,
		                              &version);
		if (status == EFI_SUCCESS) {
			*out = (struct firmware_memory_map){bytes, size, stride, version};
			return true;
		}
		free(bytes);
	}
	efi_note("GetMemoryMap", status);
	return false;
}

static const void *configuration_table(const EFI_GUID *guid)
{
	for (UINTN i = 0; i < efi_st->NumberOfTableEntries; i++)
		if (efi_guid_is(&efi_st->ConfigurationTable[i].VendorGuid, guid))
			return efi_st->ConfigurationTable[i].VendorTable;
	return NULL;
}

/* Firmware maps what it has; where it has nothing no table can be told from anything else. */
static const uint8_t *memory_at(void *ctx, uint64_t address, size_t size)
{
	(void)ctx;
	return address > UINTPTR_MAX - size ? NULL : (const uint8_t *)(uintptr_t)address;
}

enum { RSDP_1 = 20, RSDP_MOST = 4096 };

/* Of revision 1 there are 20 bytes, and what follows them is somebody else's. */
static bool acpi_root(const EFI_GUID *guid, struct acpi_root *root)
{
	const uint8_t *rsdp = configuration_table(guid);

	return rsdp && acpi_root_read(rsdp, rsdp[15] < 2 ? RSDP_1 : RSDP_MOST, root);
}

bool firmware_acpi_table(const char signature[4], size_t index, struct firmware_bytes *out)
{
	static const EFI_GUID acpi2 = ACPI_20_TABLE_GUID, acpi1 = ACPI_TABLE_GUID;
	static const struct acpi_memory memory = {memory_at, NULL};
	struct acpi_root root;

	return (acpi_root(&acpi2, &root) || acpi_root(&acpi1, &root)) &&
	       acpi_root_table(&root, &memory, signature, index, &out->data, &out->size);
}

bool firmware_smbios(struct firmware_bytes *structures)
{
	static const EFI_GUID smbios3 = {
		0xf2fd1544, 0x9794, 0x4a2c, {0x99, 0x2e, 0xe5, 0xbb, 0xcf, 0x20, 0xe3, 0x94}};
	static const EFI_GUID smbios = SMBIOS_TABLE_GUID;
	static const EFI_GUID *const guids[] = {&smbios3, &smbios};

	for (size_t i = 0; i < 2; i++) {
		const uint8_t *at = configuration_table(guids[i]);
		uint64_t address;
		size_t size;

		if (!at || !smbios_entry(at, SMBIOS_ENTRY_MOST, &address, &size))
			continue;
		*structures = (struct firmware_bytes){(const uint8_t *)(uintptr_t)address, size};
		return true;
	}
	return false;
}

int firmware_secure_boot(void)
{
	EFI_GUID global = EFI_GLOBAL_VARIABLE;
	UINT8 value = 0;
	UINTN size = sizeof(value);
	EFI_STATUS status =
		efi_st->RuntimeServices->GetVariable(L"SecureBoot", &global, NULL, &size, &value);

	if (status == EFI_SUCCESS && size == 1)
		return value == 1;
	if (status != EFI_NOT_FOUND)
		efi_note("GetVariable(SecureBoot)", status);
	return -1;
}

void firmware_name(char *out, size_t size)
{
	char vendor[64];
	UINT32 revision = efi_st->FirmwareRevision;

	text_from_utf16(efi_st->FirmwareVendor, vendor, sizeof(vendor));
	if (vendor[0])
		snprintf(out, size, "%s %u.%u", vendor, (unsigned)(revision >> 16),
		         (unsigned)(revision & 0xffff));
	else if (size)
		out[0] = '\0';
}
