/* SPDX-License-Identifier: BSD-2-Clause */
/* Between EFI's 16-bit text and ours. newlib's wide functions know another wchar_t. */
#ifndef BOOT_TEXT_H
#define BOOT_TEXT_H

#include "boot/efi.h"

#include <stddef.h>

/* NUL-terminated and cut to fit; what is not printable ASCII becomes '?'. NULL is "". */
void text_from_utf16(const CHAR16 *from, char *to, size_t size);
/* NUL-terminated and cut to `units`. */
void text_to_utf16(const char *from, CHAR16 *to, size_t units);

#endif
