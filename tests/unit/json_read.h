/* SPDX-License-Identifier: BSD-2-Clause */
/* A strict JSON reader, as small as a test needs: is it valid, what stands at a path. */
#ifndef TESTS_JSON_READ_H
#define TESTS_JSON_READ_H

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *json_skip_value(const char *at);

static const char *json_blanks(const char *at)
{
	return at ? at + strspn(at, " \n") : NULL;
}

static const char *json_skip_string(const char *at)
{
	if (*at++ != '"')
		return NULL;
	for (; *at != '"'; at++) {
		if ((unsigned char)*at < ' ' || (unsigned char)*at > '~')
			return NULL;
		if (*at != '\\')
			continue;
		at++;
		if (*at == 'u') {
			for (int i = 0; i < 4; i++)
				if (!isxdigit((unsigned char)*++at))
					return NULL;
		} else if (!*at || !strchr("\"\\/bfnrt", *at)) {
			return NULL;
		}
	}
	return at + 1;
}

static const char *json_skip_digits(const char *at)
{
	size_t digits = strspn(at, "0123456789");

	return digits ? at + digits : NULL;
}

static const char *json_skip_number(const char *at)
{
	if (*at == '-')
		at++;
	if (*at == '0' && isdigit((unsigned char)at[1]))
		return NULL;
	at = json_skip_digits(at);
	if (at && *at == '.')
		at = json_skip_digits(at + 1);
	if (at && (*at == 'e' || *at == 'E')) {
		at++;
		at = json_skip_digits(at + (*at == '+' || *at == '-'));
	}
	return at;
}

/* `wanted` (may be NULL): ends there and returns the member's value instead. */
static const char *json_walk(const char *at, const char *wanted, size_t length, bool *found)
{
	bool object = *at == '{';
	const char *close = object ? "}" : "]";
	size_t index = 0, wanted_index = wanted && !object ? strtoul(wanted, NULL, 10) : 0;

	at = json_blanks(at + 1);
	if (*at == *close)
		return at + 1;
	for (;; index++) {
		bool here = wanted && !object && index == wanted_index;

		if (object) {
			const char *end = json_skip_string(at);

			here = end && wanted && (size_t)(end - at) == length + 2 &&
			       strncmp(at + 1, wanted, length) == 0;
			at = json_blanks(end);
			if (!at || *at++ != ':')
				return NULL;
			at = json_blanks(at);
		}
		if (here) {
			*found = true;
			return at;
		}
		at = json_blanks(json_skip_value(at));
		if (!at)
			return NULL;
		if (*at == *close)
			return at + 1;
		if (*at++ != ',')
			return NULL;
		at = json_blanks(at);
	}
}

static const char *json_skip_value(const char *at)
{
	static const char *const words[] = {"true", "false", "null"};

	if (*at == '{' || *at == '[')
		return json_walk(at, NULL, 0, NULL);
	if (*at == '"')
		return json_skip_string(at);
	for (size_t i = 0; i < 3; i++)
		if (strncmp(at, words[i], strlen(words[i])) == 0)
			return at + strlen(words[i]);
	return json_skip_number(at);
}

static bool json_valid(const char *text)
{
	const char *end = json_blanks(json_skip_value(json_blanks(text)));

	return end && !*end;
}

/*
 * The value at "key/3/key" as it is spelled, in a static buffer; "" = no such member.
 * Long values are cut off.
 */
static const char *json_at(const char *text, const char *path)
{
	static char value[4096];
	const char *at = json_blanks(text), *end;
	size_t size;

	while (*path) {
		size_t length = strcspn(path, "/");
		bool found = false;

		if (*at != '{' && *at != '[')
			return "";
		at = json_walk(at, path, length, &found);
		if (!at || !found)
			return "";
		path += length + (path[length] == '/');
	}
	end = json_skip_value(at);
	if (!end)
		return "";
	size = (size_t)(end - at) < sizeof(value) ? (size_t)(end - at) : sizeof(value) - 1;
	memcpy(value, at, size);
	value[size] = '\0';
	return value;
}

#endif
