/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BOOT_CONSOLE_H
#define BOOT_CONSOLE_H

#include <stddef.h>

void console_init(void);
/* Plain ASCII; '\n' goes out as CR LF, whatever is not ASCII as '?'. */
void console_write(const char *text, size_t size);

#endif
