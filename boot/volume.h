/* SPDX-License-Identifier: BSD-2-Clause */
/* File systems that the firmware can read. */
#ifndef BOOT_VOLUME_H
#define BOOT_VOLUME_H

#include "boot/efi.h"

#include <stddef.h>

/* The root directory of a device's file system; EFI_UNSUPPORTED when it has none. */
EFI_STATUS volume_root(EFI_HANDLE device, EFI_FILE_HANDLE *root);
void volume_close(EFI_FILE_HANDLE file);
/* The volume's label, "" when it has none. */
void volume_label(EFI_FILE_HANDLE root, char *out, size_t size);
/* File information by malloc(), with `extra` bytes of room behind it. */
EFI_STATUS volume_file_info(EFI_FILE_HANDLE file, size_t extra, EFI_FILE_INFO **info);

#endif
