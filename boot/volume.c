/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/volume.h"
#include "boot/text.h"

#include <stdlib.h>

EFI_FILE_HANDLE volume_root(EFI_HANDLE device)
{
	static const EFI_GUID simple_fs = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
	EFI_FILE_IO_INTERFACE *fs = device ? efi_protocol(device, &simple_fs) : NULL;
	EFI_FILE_HANDLE root = NULL;

	if (!fs || fs->OpenVolume(fs, &root) != EFI_SUCCESS)
		return NULL;
	return root;
}

/* GetInfo's two-step: ask for the size, then for the thing. */
static void *get_info(EFI_FILE_HANDLE file, EFI_GUID guid, size_t extra)
{
	UINTN size = 0;
	void *info;

	if (file->GetInfo(file, &guid, &size, NULL) != EFI_BUFFER_TOO_SMALL)
		return NULL;
	info = calloc(1, size + extra);
	if (info && file->GetInfo(file, &guid, &size, info) != EFI_SUCCESS) {
		free(info);
		return NULL;
	}
	return info;
}

void volume_label(EFI_FILE_HANDLE root, char *out, size_t size)
{
	EFI_FILE_SYSTEM_INFO *info =
		get_info(root, (EFI_GUID)EFI_FILE_SYSTEM_INFO_ID, sizeof(CHAR16));

	text_from_utf16(info ? info->VolumeLabel : NULL, out, size);
	free(info);
}

EFI_FILE_INFO *volume_file_info(EFI_FILE_HANDLE file, size_t extra)
{
	return get_info(file, (EFI_GUID)EFI_FILE_INFO_ID, extra);
}
