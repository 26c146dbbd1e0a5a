/* SPDX-License-Identifier: BSD-2-Clause */
/* The writers over struct results. None of them changes it. Not for the quiet window. */
#ifndef PAGESTAMP_REPORT_H
#define PAGESTAMP_REPORT_H

#include <pagestamp/result.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * results.json (docs/results.md): plain ASCII, lines of at most 78 columns except
 * where a single string is longer. `*text` is NUL-terminated, `*len` long, and
 * the caller's to free(). False = out of memory, `*text` NULL.
 */
bool report_json(const struct results *results, char **text, size_t *len);

/* The report for people (format=table) and the one line a cell (format=simple). */
void report_table(FILE *out, const struct results *results);
void report_simple(FILE *out, const struct results *results);

/*
 * "pagestamp: pass" or "pagestamp: FAIL <why>": the program's last line, and so apart
 * from the tables, which the JSON follows on the console.
 */
void report_verdict(FILE *out, const struct results *results);

#endif
