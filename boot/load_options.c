/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/load_options.h"
#include "boot/volume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIG_MAX (64u << 10)

const void *load_options_bytes(size_t *size)
{
	*size = efi_loaded->LoadOptions ? efi_loaded->LoadOptionsSize : 0;
	return *size ? efi_loaded->LoadOptions : NULL;
}

static char *read_config(EFI_FILE_HANDLE file, char *why, size_t why_size)
{
	char *text = malloc(CONFIG_MAX + 1);
	UINTN size = CONFIG_MAX + 1;
	EFI_STATUS status;

	if (!text) {
		snprintf(why, why_size, "pagestamp.conf: out of memory");
		return NULL;
	}
	status = file->Read(file, &size, text);
	if (status != EFI_SUCCESS)
		snprintf(why, why_size, "pagestamp.conf: %s", efi_status_text(status));
	else if (size > CONFIG_MAX)
		snprintf(why, why_size, "pagestamp.conf: larger than %u bytes", CONFIG_MAX);
	else if (memchr(text, '\0', size))
		snprintf(why, why_size, "pagestamp.conf: holds a NUL byte; plain ASCII is wanted");
	else {
		text[size] = '\0';
		return text;
	}
	free(text);
	return NULL;
}

char *config_file_text(char *why, size_t why_size)
{
	EFI_FILE_HANDLE root = NULL, file = NULL;
	EFI_STATUS status = volume_root(efi_loaded->DeviceHandle, &root);
	char *text = NULL;

	why[0] = '\0';
	if (status == EFI_SUCCESS)
		status = root->Open(root, &file, L"\\pagestamp\\pagestamp.conf", EFI_FILE_MODE_READ,
		                    0);
	if (status == EFI_SUCCESS) {
		text = read_config(file, why, why_size);
		volume_close(file);
	} else if (status != EFI_NOT_FOUND && status != EFI_UNSUPPORTED) {
		snprintf(why, why_size, "pagestamp.conf: %s", efi_status_text(status));
	}
	if (root)
		volume_close(root);
	return text;
}
