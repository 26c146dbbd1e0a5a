/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BOOT_SELFTEST_H
#define BOOT_SELFTEST_H

#include <stdbool.h>
#include <stdio.h>

/* All in-program tests as KTAP; window_init() has succeeded. True when none failed. */
bool selftest(FILE *out);

#endif
