/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BOOT_SELFTEST_WINDOW_H
#define BOOT_SELFTEST_WINDOW_H

#include <stdbool.h>

/* The quiet window on this machine: window_init() has succeeded. Reports each check. */
void selftest_window(void (*report)(bool ok, const char *name));

#endif
