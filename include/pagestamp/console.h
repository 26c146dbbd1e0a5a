/* SPDX-License-Identifier: BSD-2-Clause */
/* What console= says: where the program's text goes. */
#ifndef PAGESTAMP_CONSOLE_H
#define PAGESTAMP_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>

enum console_kind {
	CONSOLE_AUTO, /* the firmware's where it has one, else the UART that SPCR names */
	CONSOLE_EFI,
	CONSOLE_16550,
	CONSOLE_PL011, /* or SBSA's generic UART */
};

struct console_choice {
	enum console_kind kind;
	bool io;              /* an x86 I/O port, else memory-mapped */
	uint64_t address;     /* of the first register */
	unsigned access_bits; /* of one register access: 8, 16, 32 */
	unsigned stride;      /* bytes from one register to the next */
	uint32_t baud;        /* 0 = the speed stays as it is; only for a 16550 */
};

/*
 * "auto", "efi", "ttyS0[,baud]" (Linux: the PC's first serial port, I/O port 0x3f8),
 * "mmio32,0x..." (a 16550 with 32-bit registers), "pl011,0x...". A baud divides 115200. An
 * address is not 0 and a multiple of 4. False: none of these.
 */
bool console_parse(const char *value, struct console_choice *out);

#endif
