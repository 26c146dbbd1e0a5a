/* SPDX-License-Identifier: BSD-2-Clause */
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

static void put_ascii(FILE *out, const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++)
		putc(word[i] >= ' ' && word[i] <= '~' ? word[i] : '?', out);
}

void text_wrap(FILE *out, const char *first, unsigned indent, const char *format, ...)
{
	char text[2048];
	const char *word = text;
	size_t column = strlen(first);
	bool blank = column > 0; /* the next word needs no blank of its own */
	va_list args;

	va_start(args, format);
	if ((size_t)vsnprintf(text, sizeof(text), format, args) >= sizeof(text))
		strcpy(text + sizeof(text) - 4, "...");
	va_end(args);
	fputs(first, out);
	for (word += strspn(word, " \n"); *word; word += strspn(word, " \n")) {
		size_t length = strcspn(word, " \n");

		if (column + !blank + length > TEXT_COLUMNS && column > indent) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
			blank = true;
		}
		if (column && !blank) {
			putc(' ', out);
			column++;
		}
		if (length > TEXT_COLUMNS - column) /* a path, a list without blanks */
			length = TEXT_COLUMNS - column;
		put_ascii(out, word, length);
		column += length;
		word += length;
		blank = false;
	}
	putc('\n', out);
}

struct text_number text_grouped(uint64_t value)
{
	struct text_number number;
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);
	char *to = number.text;

	for (int i = 0; i < n; i++) {
		*to++ = digits[i];
		if ((n - i) % 3 == 1 && i + 1 < n)
			*to++ = ',';
	}
	*to = '\0';
	return number;
}

struct text_number text_bytes(uint64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	struct text_number number;
	unsigned unit = 0;

	while (bytes && bytes % 1024 == 0 && unit < 4) {
		bytes /= 1024;
		unit++;
	}
	snprintf(number.text, sizeof(number.text), "%llu %s", (unsigned long long)bytes,
	         units[unit]);
	return number;
}

struct text_number text_fixed(double value, unsigned width)
{
	struct text_number number = {"-"};
	int decimals = fabs(value) < 10 ? 3 : 2;

	if (!isfinite(value))
		return number;
	do
		snprintf(number.text, sizeof(number.text), "%.*f", decimals, value);
	while (strlen(number.text) > width && decimals-- > 0);
	return number;
}
