/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where text goes. Until it is known where, it goes to the firmware's console if there is
 * one, and the last of it is kept in memory as well; a UART that is chosen then gets
 * what was kept first.
 */
#ifndef BOOT_CONSOLE_H
#define BOOT_CONSOLE_H

#include <pagestamp/console.h>
#include <stddef.h>

/*
 * Once. False with a reason: that UART is not there, or lies where none can be. Text then
 * goes on as with CONSOLE_AUTO.
 */
bool console_choose(const struct console_choice *choice, char *why, size_t why_size);

/* Plain ASCII; '\n' goes out as CR LF, whatever is not ASCII as '?'. */
void console_write(const char *text, size_t size);
/* The same for a string, where there is no stdio. */
void console_puts(const char *text);

#endif
