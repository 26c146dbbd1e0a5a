/* SPDX-License-Identifier: BSD-2-Clause */
#include "discover/hugetlb_log.h"
#include "discover/array.h"

#include <stdarg.h>
#include <stdio.h>

static const char prefix[] = "HugeTLB: ";

void hugetlb_say(struct hugetlb_log *log, const char *format, ...)
{
	const size_t before = sizeof(prefix) - 1;
	char **grown = array_grow(log->line, log->nr, sizeof(*grown)), *line = NULL;
	va_list again, arguments;
	size_t length;

	va_start(arguments, format);
	va_copy(again, arguments);
	length = (size_t)vsnprintf(NULL, 0, format, arguments);
	if (grown) {
		log->line = grown;
		line = malloc(before + length + 1);
	}
	if (line) {
		memcpy(line, prefix, before);
		vsnprintf(line + before, length + 1, format, again);
		grown[log->nr++] = line;
	} else {
		log->lost = true;
	}
	va_end(again);
	va_end(arguments);
}

void hugetlb_log_free(struct hugetlb_log *log)
{
	for (size_t i = 0; i < log->nr; i++)
		free(log->line[i]);
	free(log->line);
	*log = (struct hugetlb_log){0};
}

void hugepage_size_text(uint64_t bytes, char *out, size_t out_size)
{
	static const char units[] = "KMGTPE";
	const char *fraction = "";
	unsigned unit = 0;

	for (bytes >>= 10; bytes >= 1024; bytes >>= 10)
		unit++;
	if (bytes < 100)
		fraction = bytes < 10 ? ".00" : ".0";
	snprintf(out, out_size, "%u%s %ciB", (unsigned)bytes, fraction, units[unit]);
}
