/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/console.h"
#include "boot/efi.h"

void console_init(void)
{
}

void console_write(const char *text, size_t size)
{
	CHAR16 out[130];
	size_t used = 0;

	for (size_t i = 0; i < size; i++) {
		if (text[i] == '\n')
			out[used++] = '\r';
		out[used++] = (unsigned char)text[i] < 0x80 ? (CHAR16)text[i] : '?';
		if (used >= 127 || i + 1 == size) {
			out[used] = 0;
			efi_st->ConOut->OutputString(efi_st->ConOut, out);
			used = 0;
		}
	}
}
