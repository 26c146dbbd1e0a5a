/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/load_options.h>

#include "discover/le.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

static bool is_text(unsigned unit)
{
	return (unit >= 0x20 && unit < 0x7f) || unit == '\t' || unit == '\r' || unit == '\n';
}

static bool is_path_text(unsigned unit)
{
	/* a path may be in any script; control codes, surrogates and non-characters are in none */
	return unit >= 0xa0 && !(unit >= 0xd800 && unit < 0xe000) && unit < 0xfff0;
}

static bool is_8bit_text(const uint8_t *bytes, size_t size)
{
	while (size && bytes[size - 1] == '\0')
		size--;
	for (size_t i = 0; i < size; i++)
		if (!is_text(bytes[i]))
			return false;
	return true;
}

/*
 * UTF-16 to one byte a unit; a NUL becomes a blank, what only a path may hold becomes
 * 0xff. False: not text.
 */
static bool narrow(const uint8_t *bytes, size_t size, char *out)
{
	if (size % 2)
		return false;
	for (size_t i = 0; i < size; i += 2) {
		unsigned unit = le16(bytes + i);

		if (unit == 0 || (unit == 0xfeff && i == 0))
			*out++ = ' ';
		else if (is_text(unit))
			*out++ = (char)unit;
		else if (is_path_text(unit))
			*out++ = '\xff';
		else
			return false;
	}
	*out = '\0';
	return true;
}

static bool same_nocase(const char *text, size_t len, const char *lower)
{
	for (size_t i = 0; i < len; i++) {
		bool upper = text[i] >= 'A' && text[i] <= 'Z';

		if ((upper ? text[i] - 'A' + 'a' : text[i]) != lower[i])
			return false;
	}
	return lower[len] == '\0';
}

static bool names_program(const char *word, size_t len)
{
	bool drive = memchr(word, ':', len) && !memchr(word, '=', len);

	return drive || memchr(word, '\\', len) || memchr(word, '/', len) ||
	       (len >= 4 && same_nocase(word + len - 4, 4, ".efi")) ||
	       same_nocase(word, len, "pagestamp");
}

/* The options' part of the text: a first word that names the program is stepped over. */
static char *skip_program(char *text)
{
	char *word = text + strspn(text, blanks), *end;

	if (*word == '"' && (end = strchr(word + 1, '"'))) {
		if (names_program(word + 1, (size_t)(end - word - 1)))
			return end + 1;
		return word;
	}
	end = word + strcspn(word, blanks);
	return names_program(word, (size_t)(end - word)) ? end : word;
}

static void drop_quotes(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from != '"')
			*to++ = *from;
	*to = '\0';
}

/* Trims the buffer and hands it over, or frees it when nothing is left. */
static enum options_text give(char *buffer, char **text)
{
	char *start = buffer + strspn(buffer, blanks);
	size_t len = strlen(start);

	while (len && strchr(blanks, start[len - 1]))
		len--;
	if (len == 0) {
		free(buffer);
		return OPTIONS_TEXT_NONE;
	}
	memmove(buffer, start, len);
	buffer[len] = '\0';
	*text = buffer;
	return OPTIONS_TEXT_GIVEN;
}

enum options_text load_options_text(const void *data, size_t size, char **text, char *why,
                                    size_t why_size)
{
	char *buffer, *options;

	*text = NULL;
	if (!data || !size)
		return OPTIONS_TEXT_NONE;
	buffer = malloc(size / 2 + 1);
	if (!buffer)
		return OPTIONS_TEXT_NO_MEMORY;
	if (narrow(data, size, buffer)) {
		options = skip_program(buffer);
		if (!strchr(options, '\xff')) {
			memmove(buffer, options, strlen(options) + 1);
			drop_quotes(buffer);
			return give(buffer, text);
		}
	}
	free(buffer);
	if (is_8bit_text(data, size))
		snprintf(why, why_size,
		         "load options: %lu bytes of 8-bit text where UTF-16 is due (efibootmgr "
		         "wants -u): ignored",
		         (unsigned long)size);
	else
		snprintf(why, why_size, "load options: %lu bytes that are not ASCII text: ignored",
		         (unsigned long)size);
	return OPTIONS_TEXT_NOT_TEXT;
}

enum options_text config_file_options(const void *data, size_t size, char **text, char *why,
                                      size_t why_size)
{
	const uint8_t *bytes = data;
	bool comment = false;
	size_t line = 1;
	char *buffer, *to;

	*text = NULL;
	if (!data || !size)
		return OPTIONS_TEXT_NONE;
	if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
		bytes += 3;
		size -= 3;
	}
	to = buffer = malloc(size + 1);
	if (!buffer)
		return OPTIONS_TEXT_NO_MEMORY;
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] == '\n') {
			comment = false;
			line++;
		} else if (bytes[i] == '#') {
			comment = true;
		}
		if (comment)
			continue;
		if (!is_text(bytes[i])) {
			snprintf(why, why_size,
			         "pagestamp.conf: line %lu has byte 0x%02x, not ASCII text: "
			         "ignored",
			         (unsigned long)line, bytes[i]);
			free(buffer);
			return OPTIONS_TEXT_NOT_TEXT;
		}
		*to++ = (char)bytes[i];
	}
	*to = '\0';
	return give(buffer, text);
}
