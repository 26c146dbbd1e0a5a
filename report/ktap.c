/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/ktap.h>

#include <stdarg.h>
#include <string.h>

static struct {
	FILE *out;
	unsigned passed, failed, skipped;
} ktap;

static unsigned total(void)
{
	return ktap.passed + ktap.failed + ktap.skipped;
}

/* A name is one line of printable ASCII, and '#' would begin a directive. */
static void format_name(char *name, size_t size, const char *format, va_list args)
{
	vsnprintf(name, size, format, args);
	for (char *c = name; *c; c++)
		if (*c < ' ' || *c > '~' || *c == '#' || *c == '\\')
			*c = '_';
}

void ktap_begin(FILE *out)
{
	ktap.out = out;
	ktap.passed = ktap.failed = ktap.skipped = 0;
	fputs("KTAP version 1\n", out);
}

void ktap_result(bool ok, const char *format, ...)
{
	char name[68]; /* with "not ok 1234 " before it a line of 79 */
	va_list args;

	va_start(args, format);
	format_name(name, sizeof(name), format, args);
	va_end(args);
	if (ok)
		ktap.passed++;
	else
		ktap.failed++;
	fprintf(ktap.out, "%s %u %s\n", ok ? "ok" : "not ok", total(), name);
}

void ktap_skip(const char *why, const char *format, ...)
{
	char name[68]; /* with "not ok 1234 " before it a line of 79 */
	va_list args;

	va_start(args, format);
	format_name(name, sizeof(name), format, args);
	va_end(args);
	ktap.skipped++;
	fprintf(ktap.out, "ok %u %s # SKIP %s\n", total(), name, why);
}

void ktap_note(const char *format, ...)
{
	char text[1280]; /* holds the registers of a window_fault */
	char *line = text;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	while (*line) {
		size_t length = strcspn(line, "\n");

		fprintf(ktap.out, "# %.*s\n", (int)length, line);
		line += length + (line[length] == '\n');
	}
}

unsigned ktap_end(void)
{
	fprintf(ktap.out, "1..%u\n", total());
	fprintf(ktap.out, "# Totals: pass:%u fail:%u xfail:0 xpass:0 skip:%u error:0\n",
	        ktap.passed, ktap.failed, ktap.skipped);
	return ktap.failed;
}
