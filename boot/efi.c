/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/efi.h"

#include <stdio.h>
#include <string.h>

EFI_HANDLE efi_image;
EFI_SYSTEM_TABLE *efi_st;
EFI_BOOT_SERVICES *efi_bs;
EFI_LOADED_IMAGE *efi_loaded;

void efi_note(const char *call, EFI_STATUS status)
{
	printf("note: the firmware's %s failed: %s\n", call, efi_status_text(status));
}

void *efi_protocol(EFI_HANDLE handle, const EFI_GUID *guid)
{
	void *interface = NULL;

	EFI_STATUS status = efi_bs->HandleProtocol(handle, (EFI_GUID *)guid, &interface);

	if (status == EFI_SUCCESS)
		return interface;
	if (status != EFI_UNSUPPORTED)
		efi_note("HandleProtocol", status);
	return NULL;
}

EFI_HANDLE *efi_handles(const EFI_GUID *guid, UINTN *nr)
{
	EFI_HANDLE *handles = NULL;
	EFI_STATUS status;

	*nr = 0;
	status = efi_bs->LocateHandleBuffer(guid ? ByProtocol : AllHandles, (EFI_GUID *)guid, NULL,
	                                    nr, &handles);
	if (status == EFI_SUCCESS)
		return handles;
	if (status != EFI_NOT_FOUND)
		efi_note("LocateHandleBuffer", status);
	*nr = 0;
	return NULL;
}

void efi_free(void *pool)
{
	EFI_STATUS status = pool ? efi_bs->FreePool(pool) : EFI_SUCCESS;

	if (status != EFI_SUCCESS)
		efi_note("FreePool", status);
}

bool efi_guid_is(const EFI_GUID *a, const EFI_GUID *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

const char *efi_status_text(EFI_STATUS status)
{
	static char other[32];

	switch (status) {
	case EFI_SUCCESS:
		return "success";
	case EFI_WRITE_PROTECTED:
		return "write-protected";
	case EFI_ACCESS_DENIED:
		return "access denied";
	case EFI_NOT_FOUND:
		return "not found";
	case EFI_VOLUME_FULL:
		return "volume full";
	case EFI_VOLUME_CORRUPTED:
		return "volume corrupted";
	case EFI_DEVICE_ERROR:
		return "device error";
	case EFI_NO_MEDIA:
		return "no medium";
	case EFI_MEDIA_CHANGED:
		return "medium changed";
	case EFI_OUT_OF_RESOURCES:
		return "out of resources";
	case EFI_UNSUPPORTED:
		return "unsupported";
	default:
		snprintf(other, sizeof(other), "EFI status 0x%llx", (unsigned long long)status);
		return other;
	}
}
