/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The stream printers over vsnprintf(): newlib's own would bring a second formatting
 * engine into the image, a twelfth of its size.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int vfprintf(FILE *stream, const char *format, va_list args)
{
	char line[256], *text = line;
	va_list again;
	int n;

	va_copy(again, args);
	n = vsnprintf(line, sizeof(line), format, args);
	if (n >= (int)sizeof(line)) {
		text = malloc((size_t)n + 1);
		if (text)
			vsnprintf(text, (size_t)n + 1, format, again);
		else
			text = line; /* cut short rather than lost, and said */
	}
	va_end(again);
	if (n >= 0 && fputs(text, stream) < 0)
		n = -1;
	if (text == line && n >= (int)sizeof(line))
		fputs("[cut: no memory]\n", stream);
	if (text != line)
		free(text);
	return n;
}

int fprintf(FILE *stream, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vfprintf(stream, format, args);
	va_end(args);
	return n;
}

int printf(const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vfprintf(stdout, format, args);
	va_end(args);
	return n;
}
