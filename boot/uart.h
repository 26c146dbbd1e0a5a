/* SPDX-License-Identifier: BSD-2-Clause */
/* Serial ports that are only written to: a 16550 at I/O ports or in memory, a PL011. */
#ifndef BOOT_UART_H
#define BOOT_UART_H

#include <pagestamp/console.h>
#include <stddef.h>

struct uart {
	struct console_choice at; /* CONSOLE_16550 or CONSOLE_PL011 */
	bool stuck;               /* it was waited for in vain */
	unsigned long lost;       /* characters, since it last took one */
};

/*
 * The registers must be readable. Where `baud` is given a 16550 is set to it, 8N1; else
 * the port stays as it was set up. False with a reason: nothing answers there.
 */
bool uart_open(struct uart *uart, const struct console_choice *at, char *why, size_t why_size);

/*
 * Waits for room, but not for ever: a UART that never becomes ready loses the text, and is
 * waited for no more until it takes a character again; then it is told how many it lost.
 */
void uart_put(struct uart *uart, char c);

#endif
