/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/console.h"
#include "boot/efi.h"
#include "boot/uart.h"

#include <pagestamp/arch.h>
#include <pagestamp/firmware.h>
#include <pagestamp/spcr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT 4096u

static char kept[KEPT];
static size_t nr_kept; /* ever; the last KEPT of them are there */
static bool chosen, by_uart, efi_lost;
static struct uart uart;

static void efi_put(CHAR16 *text)
{
	static CHAR16 lost[] = L"\r\n[console: text lost]\r\n";

	if (efi_lost)
		efi_lost = EFI_ERROR(efi_st->ConOut->OutputString(efi_st->ConOut, lost));
	/* Warnings are about single characters. */
	if (EFI_ERROR(efi_st->ConOut->OutputString(efi_st->ConOut, text)))
		efi_lost = true;
}

static void efi_write(const char *text, size_t size)
{
	CHAR16 out[130];
	size_t used = 0;

	for (size_t i = 0; i < size; i++) {
		if (text[i] == '\n')
			out[used++] = '\r';
		out[used++] = (unsigned char)text[i] < 0x80 ? (CHAR16)text[i] : '?';
		if (used >= 127 || i + 1 == size) {
			out[used] = 0;
			efi_put(out);
			used = 0;
		}
	}
}

static void uart_write(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '\n')
			uart_put(&uart, '\r');
		uart_put(&uart, (unsigned char)text[i] < 0x80 ? text[i] : '?');
	}
}

static void keep(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		kept[nr_kept++ % KEPT] = text[i];
}

void console_write(const char *text, size_t size)
{
	const bool efi = !by_uart && efi_st->ConOut;

	if (by_uart)
		uart_write(text, size);
	if (efi)
		efi_write(text, size);
	if (!chosen || (!by_uart && !efi))
		keep(text, size);
}

void console_puts(const char *text)
{
	console_write(text, strlen(text));
}

/* ---- choosing -------------------------------------------------------------------- */

/* Whether the address is none of the memory that the firmware lists as such. */
static bool may_be_device(uint64_t address)
{
	struct firmware_memory_map map;
	bool may = true;

	if (!firmware_memory_map(&map))
		return false;
	for (size_t at = 0; at + map.stride <= map.size; at += map.stride) {
		const EFI_MEMORY_DESCRIPTOR *d = (const void *)(map.bytes + at);

		if (address >= d->PhysicalStart &&
		    (address - d->PhysicalStart) >> EFI_PAGE_SHIFT < d->NumberOfPages &&
		    d->Type != EfiMemoryMappedIO && d->Type != EfiReservedMemoryType)
			may = false;
	}
	free(map.bytes);
	return may;
}

static bool open_uart(const struct console_choice *at, char *why, size_t why_size)
{
	if (at->io && !arch_port_read8((uint16_t)at->address, &(uint8_t){0})) {
		snprintf(why, why_size, "this architecture has no I/O ports");
		return false;
	}
	if (!at->io && !may_be_device(at->address)) {
		snprintf(why, why_size, "0x%llx is memory", (unsigned long long)at->address);
		return false;
	}
	if (!at->io && !arch_address_mapped(at->address)) {
		snprintf(why, why_size, "the firmware does not map 0x%llx",
		         (unsigned long long)at->address);
		return false;
	}
	if (!uart_open(&uart, at, why, why_size))
		return false;
	by_uart = true;
	uart_write(nr_kept > KEPT ? kept + nr_kept % KEPT : kept,
	           nr_kept > KEPT ? KEPT - nr_kept % KEPT : nr_kept);
	if (nr_kept > KEPT)
		uart_write(kept, nr_kept % KEPT);
	return true;
}

/* The UART that the firmware's tables name. */
static bool spcr_choice(struct console_choice *out)
{
	struct firmware_bytes table;
	struct spcr spcr;
	char why[128];

	if (!firmware_acpi_table("SPCR", 0, &table) ||
	    !spcr_parse(table.data, table.size, &spcr, why, sizeof(why)) || !spcr.address ||
	    spcr.uart == SPCR_OTHER)
		return false;
	*out = (struct console_choice){
		.kind = spcr.uart == SPCR_PL011 ? CONSOLE_PL011 : CONSOLE_16550,
		.io = spcr.io,
		.address = spcr.address,
		.access_bits = spcr.access_bits,
		.stride = spcr.stride,
	};
	return true;
}

bool console_choose(const struct console_choice *choice, char *why, size_t why_size)
{
	struct console_choice named;
	char unsaid[96];
	bool done = true;

	if (chosen)
		return true;
	if (choice->kind == CONSOLE_16550 || choice->kind == CONSOLE_PL011)
		done = open_uart(choice, why, why_size);
	if (!by_uart && choice->kind != CONSOLE_EFI && !efi_st->ConOut && spcr_choice(&named))
		open_uart(&named, unsaid, sizeof(unsaid));
	chosen = true;
	return done;
}
