/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BOOT_RESULTS_FILE_H
#define BOOT_RESULTS_FILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes \pagestamp\results-<n>.json, n never used before, on the volume that the
 * program was started from; where that has no file system or cannot be written, on
 * the first other volume that already has a \pagestamp directory. `where` says which
 * file it became, or `why` what was tried and what each answered.
 */
bool results_file_write(const char *text, size_t len, char *where, size_t where_size, char *why,
                        size_t why_size);

#endif
