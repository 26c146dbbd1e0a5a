/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/spcr.h>

#include <pagestamp/acpi.h>

#include "discover/le.h"

#include <stdio.h>

/* Revision 1; later ones grow behind it. */
#define SPCR_SIZE 80u

enum { FULL_16550 = 0, SUBSET_16550 = 1, PL011 = 3, SBSA_32 = 13, SBSA = 14, GAS_16550 = 18 };
enum { SPACE_MEMORY = 0, SPACE_IO = 1 };

static enum spcr_uart uart_of(uint8_t type)
{
	switch (type) {
	case FULL_16550:
	case SUBSET_16550:
	case GAS_16550:
		return SPCR_16550;
	case PL011:
	case SBSA_32:
	case SBSA:
		return SPCR_PL011;
	default:
		return SPCR_OTHER;
	}
}

/* Of a generic address: its access size where given, else its register's width, else a byte. */
static unsigned access_bits(const uint8_t *address)
{
	unsigned width = address[1], size = address[3];

	if (size >= 1 && size <= 4)
		return 8u << (size - 1);
	return width == 16 || width == 32 || width == 64 ? width : 8;
}

static uint32_t baud_of(const uint8_t *table)
{
	static const struct {
		uint8_t code;
		uint32_t baud;
	} codes[] = {{3, 9600}, {4, 19200}, {6, 57600}, {7, 115200}};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (codes[i].code == table[58])
			return codes[i].baud;
	return 0;
}

bool spcr_parse(const void *bytes, size_t size, struct spcr *out, char *why, size_t why_size)
{
	const uint8_t *table = bytes, *address;
	size_t length;

	*out = (struct spcr){0};
	if (!acpi_table_check(bytes, size, "SPCR", SPCR_SIZE, &length, why, why_size))
		return false;
	address = table + 40;
	if (address[0] != SPACE_MEMORY && address[0] != SPACE_IO) {
		snprintf(why, why_size, "SPCR: address space %u is neither memory nor I/O",
		         address[0]);
		return false;
	}
	if (address[0] == SPACE_IO && le64(address + 4) > 0xffff) {
		snprintf(why, why_size, "SPCR: no I/O port 0x%llx",
		         (unsigned long long)le64(address + 4));
		return false;
	}
	*out = (struct spcr){
		.uart = uart_of(table[36]),
		.type = table[36],
		.io = address[0] == SPACE_IO,
		.address = le64(address + 4),
		.access_bits = access_bits(address),
		.stride = 1,
		.baud = baud_of(table),
	};
	if (!out->io && out->uart == SPCR_PL011)
		out->stride = 4;
	if (!out->io && out->uart == SPCR_16550)
		out->stride = out->access_bits / 8;
	return true;
}

void spcr_describe(const struct spcr *spcr, char *out, size_t out_size)
{
	char uart[24], baud[24] = "";

	if (!spcr->address) {
		snprintf(out, out_size, "none");
		return;
	}
	if (spcr->uart == SPCR_OTHER)
		snprintf(uart, sizeof(uart), "type %u", spcr->type);
	else
		snprintf(uart, sizeof(uart), spcr->uart == SPCR_PL011 ? "PL011" : "16550");
	if (spcr->baud)
		snprintf(baud, sizeof(baud), " %lu baud", (unsigned long)spcr->baud);
	snprintf(out, out_size, "%s %s 0x%llx%s", uart, spcr->io ? "io" : "mmio",
	         (unsigned long long)spcr->address, baud);
}
