/* SPDX-License-Identifier: BSD-2-Clause */
/* The in-program tests: run by `selftest` in the firmware, and natively by make test. */
#ifndef PAGESTAMP_SELFTEST_H
#define PAGESTAMP_SELFTEST_H

#include <stdbool.h>

typedef void (*selftest_report)(bool ok, const char *name);

/* Copies, stamps, builders, gates, pageblocks and the oracle, on ordinary memory. */
void selftest_mm(selftest_report report);

/* Mapping pages by every way: one result for each, and for the proof itself. */
void selftest_pte(selftest_report report);

#endif
