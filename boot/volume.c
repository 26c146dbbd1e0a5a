/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/volume.h"
#include "boot/text.h"

#include <stdlib.h>

EFI_STATUS volume_root(EFI_HANDLE device, EFI_FILE_HANDLE *root)
{
	static const EFI_GUID simple_fs = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
	EFI_FILE_IO_INTERFACE *fs = device ? efi_protocol(device, &simple_fs) : NULL;

	return fs ? fs->OpenVolume(fs, root) : EFI_UNSUPPORTED;
}

void volume_close(EFI_FILE_HANDLE file)
{
	EFI_STATUS status = file->Close(file);

	if (status != EFI_SUCCESS)
		efi_note("Close", status);
}

/* GetInfo's two-step: ask for the size, then for the thing. */
static EFI_STATUS get_info(EFI_FILE_HANDLE file, EFI_GUID guid, size_t extra, void **info)
{
	UINTN size = 0;
	EFI_STATUS status = file->GetInfo(file, &guid, &size, NULL);

	*info = NULL;
	if (status != EFI_BUFFER_TOO_SMALL)
		return status == EFI_SUCCESS ? EFI_DEVICE_ERROR : status;
	*info = calloc(1, size + extra);
	if (!*info)
		return EFI_OUT_OF_RESOURCES;
	status = file->GetInfo(file, &guid, &size, *info);
	if (status != EFI_SUCCESS) {
		free(*info);
		*info = NULL;
	}
	return status;
}

void volume_label(EFI_FILE_HANDLE root, char *out, size_t size)
{
	void *info;
	EFI_STATUS status =
		get_info(root, (EFI_GUID)EFI_FILE_SYSTEM_INFO_ID, sizeof(CHAR16), &info);

	if (status != EFI_SUCCESS)
		efi_note("GetInfo", status);
	text_from_utf16(info ? ((EFI_FILE_SYSTEM_INFO *)info)->VolumeLabel : NULL, out, size);
	free(info);
}

EFI_STATUS volume_file_info(EFI_FILE_HANDLE file, size_t extra, EFI_FILE_INFO **info)
{
	void *any;
	EFI_STATUS status = get_info(file, (EFI_GUID)EFI_FILE_INFO_ID, extra, &any);

	*info = any;
	return status;
}
