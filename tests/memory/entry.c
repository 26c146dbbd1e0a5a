/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The production image's own objects behind a firmware whose memory map says more: QEMU and
 * its firmware list neither persistent nor special-purpose memory, as a server's does. Here
 * the firmware's own services put them there, before the program is entered. What, is said
 * among SMBIOS's OEM strings:
 *	pagestamp:memory=KIND:BASE+SIZE[,KIND:BASE+SIZE[,...]]
 * KIND is "persistent", "unaccepted" (both where the firmware has nothing) or "special" (RAM
 * that is there already, and free).
 */
#include "boot/efi.h"

#include <pagestamp/firmware.h>
#include <pagestamp/smbios.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

EFI_STATUS EFIAPI efi_entry(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table);
EFI_STATUS EFIAPI memory_entry(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table);

/* Of the PI specification, volume 2, 7: what is used of it. */
#define GCD_PERSISTENT 4
#define GCD_UNACCEPTED 7
#define CAPABILITIES   0x800full /* UC, WC, WT, WB, non-volatile */
#define SPECIAL        0x40000ull

struct gcd_descriptor {
	uint64_t base, length, capabilities, attributes;
	uint32_t type;
	void *image, *device;
};

struct dxe_services {
	EFI_TABLE_HEADER header;
	EFI_STATUS(EFIAPI *add)(uint32_t type, uint64_t base, uint64_t length, uint64_t capable);
	void *allocate, *free, *remove;
	EFI_STATUS(EFIAPI *get)(uint64_t base, struct gcd_descriptor *out);
	EFI_STATUS(EFIAPI *set_attributes)(uint64_t base, uint64_t length, uint64_t attributes);
	void *others[11];
	EFI_STATUS(EFIAPI *set_capabilities)(uint64_t base, uint64_t length, uint64_t capable);
};

static const EFI_GUID dxe_services_guid = {
	0x05ad34ba, 0x6f02, 0x4214, {0x95, 0x2e, 0x4d, 0xa0, 0x39, 0x8e, 0x2b, 0xb9}};

static void say(const char *format, uint64_t a, uint64_t b)
{
	char text[120];
	CHAR16 wide[120];
	size_t i = 0;

	snprintf(text, sizeof(text), format, (unsigned long long)a, (unsigned long long)b);
	for (; text[i]; i++)
		wide[i] = (CHAR16)text[i];
	wide[i] = 0;
	efi_st->ConOut->OutputString(efi_st->ConOut, wide);
}

static const struct dxe_services *find_services(void)
{
	for (UINTN i = 0; i < efi_st->NumberOfTableEntries; i++)
		if (efi_guid_is(&efi_st->ConfigurationTable[i].VendorGuid, &dxe_services_guid))
			return efi_st->ConfigurationTable[i].VendorTable;
	return NULL;
}

static EFI_STATUS persistent(const struct dxe_services *dxe, uint64_t base, uint64_t size)
{
	EFI_STATUS status = dxe->add(GCD_PERSISTENT, base, size, CAPABILITIES);

	return status ? status : dxe->set_attributes(base, size, EFI_MEMORY_WB);
}

static EFI_STATUS unaccepted(const struct dxe_services *dxe, uint64_t base, uint64_t size)
{
	return dxe->add(GCD_UNACCEPTED, base, size, CAPABILITIES);
}

static EFI_STATUS special(const struct dxe_services *dxe, uint64_t base, uint64_t size)
{
	struct gcd_descriptor now;
	EFI_STATUS status = dxe->get(base, &now);

	return status ? status : dxe->set_capabilities(base, size, now.capabilities | SPECIAL);
}

static const struct kind {
	const char *name;
	EFI_STATUS (*add)(const struct dxe_services *dxe, uint64_t base, uint64_t size);
} kinds[] = {{"persistent:", persistent}, {"unaccepted:", unaccepted}, {"special:", special}};

static void add_all(const struct dxe_services *dxe, const char *text)
{
	while (text) {
		EFI_STATUS status = EFI_INVALID_PARAMETER;
		char *end = strchr(text, ':');
		uint64_t base = end ? strtoull(end + 1, &end, 0) : 0;
		uint64_t size = end && *end == '+' ? strtoull(end + 1, &end, 0) : 0;

		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (strncmp(text, kinds[i].name, strlen(kinds[i].name)) == 0)
				status = kinds[i].add(dxe, base, size);
		if (status != EFI_SUCCESS)
			say("\r\nmemory: 0x%llx: status 0x%llx\r\n", base, status);
		text = end && *end == ',' ? end + 1 : NULL;
	}
}

EFI_STATUS EFIAPI memory_entry(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table)
{
	const struct dxe_services *dxe;
	struct firmware_bytes structures;

	efi_st = system_table;
	efi_bs = system_table->BootServices;
	dxe = find_services();
	if (dxe && firmware_smbios(&structures))
		add_all(dxe,
		        smbios_oem_string(structures.data, structures.size, "pagestamp:memory="));
	return efi_entry(image, system_table);
}
