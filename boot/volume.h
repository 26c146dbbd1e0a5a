/* SPDX-License-Identifier: BSD-2-Clause */
/* File systems that the firmware can read. */
#ifndef BOOT_VOLUME_H
#define BOOT_VOLUME_H

#include "boot/efi.h"

#include <stddef.h>

/* The root directory of a device's file system, or NULL when it has none that opens. */
EFI_FILE_HANDLE volume_root(EFI_HANDLE device);
/* The volume's label, "" when it has none. */
void volume_label(EFI_FILE_HANDLE root, char *out, size_t size);
/* File information by malloc(), with `extra` bytes of room behind it; NULL on failure. */
EFI_FILE_INFO *volume_file_info(EFI_FILE_HANDLE file, size_t extra);

#endif
