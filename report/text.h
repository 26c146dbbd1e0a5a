/* SPDX-License-Identifier: BSD-2-Clause */
/* Text for a console of 80 columns: nothing printed here is wider than TEXT_COLUMNS. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One less than the console has: a full line would wrap and leave an empty one. */
#define TEXT_COLUMNS 79

/* Word-wrapped; the first line behind `first` (a heading or ""), the rest indented by `indent`. */
void text_wrap(FILE *out, const char *first, unsigned indent, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* 2097152 -> "2,097,152" */
struct text_number {
	char text[32];
};
struct text_number text_grouped(uint64_t value);

/* "130 MiB", "8 GiB", "4096 B": exact, in the largest unit that divides it. */
struct text_number text_bytes(uint64_t bytes);

/* As many of three decimals as `width` has room for; "-" when not finite. */
struct text_number text_fixed(double value, unsigned width);

#endif
