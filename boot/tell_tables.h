/* SPDX-License-Identifier: BSD-2-Clause */
/* For `list`: what the firmware's tables say of the machine, a line each, on the console. */
#ifndef BOOT_TELL_TABLES_H
#define BOOT_TELL_TABLES_H

#include <pagestamp/ranges.h>
#include <pagestamp/result.h>

/*
 * CPUs (MADT), console (SPCR), CXL windows, initiators, and of each range what its tables
 * say, with the names of its NVDIMMs where SMBIOS has them, and the namespaces of their label
 * areas (tell_labels.h). Refused tables go to
 * results->skipped.
 */
void tell_tables(const struct range_sources *sources, struct results *results);

#endif
