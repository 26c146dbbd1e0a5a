/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/uart.h"

#include <pagestamp/arch.h>
#include <stdio.h>

/* Reads of a status register, a microsecond each on a PC: 16 characters at 300 baud take half. */
#define PATIENCE 1000000u

/* Registers of a 16550 by number, of a PL011 by number of its 4 bytes (Arm DDI 0183). */
enum { THR = 0, DLL = 0, DLM = 1, FCR = 2, LCR = 3, MCR = 4, LSR = 5, PL011_DR = 0, PL011_FR = 6 };
enum {
	LCR_8N1 = 0x03,
	LCR_DLAB = 0x80,
	FCR_ENABLE = 0x07,
	MCR_DTR_RTS = 0x03,
	LSR_THRE = 0x20,
	LSR_TEMT = 0x40
};
enum { FR_TXFF = 0x20, FR_TXFE = 0x80 };
#define BAUD_BASE 115200u

static uint32_t read_register(const struct console_choice *at, unsigned nr)
{
	const uint64_t address = at->address + (uint64_t)nr * at->stride;
	uint8_t byte = 0xff;

	if (at->io) {
		arch_port_read8((uint16_t)address, &byte);
		return byte;
	}
	switch (at->access_bits) {
	case 8:
		return *(volatile uint8_t *)(uintptr_t)address;
	case 16:
		return *(volatile uint16_t *)(uintptr_t)address;
	default:
		return *(volatile uint32_t *)(uintptr_t)address;
	}
}

static void write_register(const struct console_choice *at, unsigned nr, uint8_t value)
{
	const uint64_t address = at->address + (uint64_t)nr * at->stride;

	if (at->io) {
		arch_port_write8((uint16_t)address, value);
		return;
	}
	switch (at->access_bits) {
	case 8:
		*(volatile uint8_t *)(uintptr_t)address = value;
		break;
	case 16:
		*(volatile uint16_t *)(uintptr_t)address = value;
		break;
	default:
		*(volatile uint32_t *)(uintptr_t)address = value;
		break;
	}
}

static bool has_room(const struct uart *uart)
{
	if (uart->at.kind == CONSOLE_PL011)
		return !(read_register(&uart->at, PL011_FR) & FR_TXFF);
	return read_register(&uart->at, LSR) & LSR_THRE;
}

/* All is sent: a state that a UART comes to by itself, and that neither 0 nor ~0 reads as. */
static bool comes_to_rest(const struct console_choice *at)
{
	const bool pl011 = at->kind == CONSOLE_PL011;
	const uint32_t rest = pl011 ? FR_TXFE : LSR_TEMT;

	for (unsigned patience = PATIENCE; patience; patience--) {
		const uint32_t status = read_register(at, pl011 ? PL011_FR : LSR) & 0xff;

		if (status == 0xff)
			return false;
		if (status & rest)
			return true;
	}
	return false;
}

static void set_baud(const struct console_choice *at)
{
	const unsigned divisor = BAUD_BASE / at->baud;

	write_register(at, LCR, LCR_8N1 | LCR_DLAB);
	write_register(at, DLL, divisor & 0xff);
	write_register(at, DLM, (uint8_t)(divisor >> 8));
	write_register(at, LCR, LCR_8N1);
	write_register(at, FCR, FCR_ENABLE);
	write_register(at, MCR, MCR_DTR_RTS);
}

bool uart_open(struct uart *uart, const struct console_choice *at, char *why, size_t why_size)
{
	*uart = (struct uart){.at = *at};
	if (!comes_to_rest(at)) {
		snprintf(why, why_size, "no UART answers at %s 0x%llx", at->io ? "port" : "address",
		         (unsigned long long)at->address);
		return false;
	}
	if (at->baud && at->kind == CONSOLE_16550)
		set_baud(at);
	return true;
}

static bool wait_for_room(struct uart *uart)
{
	unsigned patience = uart->stuck ? 1 : PATIENCE;

	while (patience--) {
		if (has_room(uart)) {
			uart->stuck = false;
			return true;
		}
	}
	uart->stuck = true;
	uart->lost++;
	return false;
}

static void put_waiting(struct uart *uart, char c)
{
	if (wait_for_room(uart))
		write_register(&uart->at, uart->at.kind == CONSOLE_PL011 ? PL011_DR : THR,
		               (uint8_t)c);
}

void uart_put(struct uart *uart, char c)
{
	char text[64];
	unsigned long lost = uart->lost;

	if (lost && has_room(uart)) {
		uart->stuck = false;
		uart->lost = 0;
		snprintf(text, sizeof(text), "\r\n[console: %lu characters lost]\r\n", lost);
		for (const char *at = text; *at; at++)
			put_waiting(uart, *at);
	}
	put_waiting(uart, c);
}
