/* SPDX-License-Identifier: BSD-2-Clause */
/* The serial port console redirection table (Microsoft, revision 4): the console's UART. */
#ifndef PAGESTAMP_SPCR_H
#define PAGESTAMP_SPCR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum spcr_uart {
	SPCR_16550,
	SPCR_PL011, /* or its subset, SBSA's generic UART: data and flag registers only */
	SPCR_OTHER, /* a UART that is not one of these; `type` says which */
};

struct spcr {
	enum spcr_uart uart;
	uint8_t type;         /* the table's interface type */
	bool io;              /* an x86 I/O port, else memory-mapped */
	uint64_t address;     /* 0 = console redirection is off */
	unsigned access_bits; /* of one register access: 8, 16, 32, 64 */
	unsigned stride;      /* bytes from one register to the next; 1, 2, 4, 8 */
	uint32_t baud;        /* 0 = as the firmware left it, or not one of the table's */
};

/*
 * How wide an access is says the address's access size where it is one (1 to 4: byte to
 * quad word), else its register width: both are met with nonsense in the other. The
 * registers of a 16550 in memory stand that far apart, those of a PL011 4 bytes. Refused,
 * with one reason: a table that is truncated or has a bad checksum, an address space that
 * is neither I/O nor memory, an I/O port beyond 16 bits.
 */
bool spcr_parse(const void *bytes, size_t size, struct spcr *out, char *why, size_t why_size);

/* "16550 mmio 0x90a0000 115200 baud" */
void spcr_describe(const struct spcr *spcr, char *out, size_t out_size);

#endif
