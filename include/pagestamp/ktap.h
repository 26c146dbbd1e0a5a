/* SPDX-License-Identifier: BSD-2-Clause */
/* KTAP version 1 of one test list; the plan comes at the end. One list at a time. */
#ifndef PAGESTAMP_KTAP_H
#define PAGESTAMP_KTAP_H

#include <stdbool.h>
#include <stdio.h>

void ktap_begin(FILE *out);

/* The name is a printf format; characters that KTAP gives a meaning become '_'. */
void ktap_result(bool ok, const char *name, ...) __attribute__((format(printf, 2, 3)));
void ktap_skip(const char *why, const char *name, ...) __attribute__((format(printf, 2, 3)));

/* "# text", a line per line of the text: what went wrong, before its result. */
void ktap_note(const char *text, ...) __attribute__((format(printf, 1, 2)));

/* Prints the plan and the totals; returns the number of failures. */
unsigned ktap_end(void);

#endif
