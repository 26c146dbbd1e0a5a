/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/console.h>

#include "discover/number.h"

#include <string.h>

#define COM1      0x3f8u
#define BAUD_BASE 115200u

/* The text behind `prefix`, or NULL when `text` begins otherwise. */
static const char *behind(const char *text, const char *prefix)
{
	const size_t len = strlen(prefix);

	return strncmp(text, prefix, len) == 0 ? text + len : NULL;
}

static bool register_address(const char *text, uint64_t *address)
{
	const char *digits = behind(text, "0x");

	return digits && digits_parse((struct span){digits, strlen(digits)}, 16, address) &&
	       *address && *address % 4 == 0;
}

bool console_parse(const char *value, struct console_choice *out)
{
	const char *rest;
	uint64_t baud = 0;

	*out = (struct console_choice){.access_bits = 32, .stride = 4};
	if (strcmp(value, "auto") == 0)
		return true;
	out->kind = CONSOLE_EFI;
	if (strcmp(value, "efi") == 0)
		return true;
	out->kind = CONSOLE_PL011;
	rest = behind(value, "pl011,");
	if (rest)
		return register_address(rest, &out->address);
	out->kind = CONSOLE_16550;
	rest = behind(value, "mmio32,");
	if (rest)
		return register_address(rest, &out->address);
	rest = behind(value, "ttyS0");
	if (!rest)
		return false;
	out->io = true;
	out->address = COM1;
	out->access_bits = 8;
	out->stride = 1;
	if (!*rest)
		return true;
	if (*rest++ != ',' || !number_parse((struct span){rest, strlen(rest)}, BAUD_BASE, &baud) ||
	    !baud || BAUD_BASE % baud)
		return false;
	out->baud = (uint32_t)baud;
	return true;
}
