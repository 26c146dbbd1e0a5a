/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/text.h"

void text_from_utf16(const CHAR16 *from, char *to, size_t size)
{
	size_t i = 0;

	if (!size)
		return;
	for (; from && from[i] && i + 1 < size; i++)
		to[i] = from[i] >= ' ' && from[i] < 0x7f ? (char)from[i] : '?';
	to[i] = '\0';
}

void text_to_utf16(const char *from, CHAR16 *to, size_t units)
{
	size_t i = 0;

	if (!units)
		return;
	for (; from[i] && i + 1 < units; i++)
		to[i] = (unsigned char)from[i];
	to[i] = 0;
}
