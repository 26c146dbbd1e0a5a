/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Leaves room for a comma and the closing brackets of a one-line container. */
#define LAST_COLUMN 74

static void put(struct json *json, const char *text, size_t len)
{
	if (json->failed)
		return;
	if (json->len + len + 1 > json->capacity) {
		size_t capacity = (json->len + len + 1) * 2;
		char *grown = realloc(json->text, capacity);

		if (!grown) {
			json->failed = true;
			return;
		}
		json->text = grown;
		json->capacity = capacity;
	}
	memcpy(json->text + json->len, text, len);
	json->len += len;
	json->text[json->len] = '\0';
	json->column += len;
}

static void put_string(struct json *json, const char *text)
{
	put(json, text, strlen(text));
}

static void new_line(struct json *json)
{
	put(json, "\n", 1);
	json->column = 0;
	for (unsigned i = 0; i < json->depth; i++)
		put(json, "  ", 2);
	for (unsigned i = 0; i <= json->depth; i++)
		json->broken[i] = true;
}

/* What goes before a member whose value is `width` wide: comma, white space, key. */
static void begin(struct json *json, const char *key, size_t width, bool own_line)
{
	if (!json->empty)
		put(json, ",", 1);
	width += key ? strlen(key) + 4 : 0;
	if (json->depth) {
		if (own_line || json->column + 1 + width > LAST_COLUMN)
			new_line(json);
		else
			put(json, " ", 1);
	}
	json->empty = false;
	if (key) {
		put(json, "\"", 1);
		put_string(json, key);
		put(json, "\": ", 3);
	}
}

static void member(struct json *json, const char *key, const char *value)
{
	begin(json, key, strlen(value), false);
	put_string(json, value);
}

void json_open(struct json *json, const char *key, char bracket)
{
	begin(json, key, 1, true);
	put(json, &bracket, 1);
	json->empty = true;
	json->depth++;
	json->broken[json->depth] = false;
}

void json_close(struct json *json, char bracket)
{
	bool broken = json->broken[json->depth];

	json->depth--;
	if (broken)
		new_line(json);
	else if (!json->empty)
		put(json, " ", 1);
	put(json, &bracket, 1);
	json->empty = false;
}

bool json_finish(struct json *json, char **text, size_t *len)
{
	put(json, "\n", 1);
	if (json->failed) {
		free(json->text);
		json->text = NULL;
		json->len = 0;
	}
	*text = json->text;
	*len = json->len;
	return !json->failed;
}

void json_null(struct json *json, const char *key)
{
	member(json, key, "null");
}

void json_bool(struct json *json, const char *key, bool value)
{
	member(json, key, value ? "true" : "false");
}

void json_unsigned(struct json *json, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	member(json, key, text);
}

void json_hex(struct json *json, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "\"0x%llx\"", (unsigned long long)value);
	member(json, key, text);
}

void json_number(struct json *json, const char *key, double value)
{
	char text[40];

	if (isfinite(value))
		snprintf(text, sizeof(text), "%.12g", value);
	else
		snprintf(text, sizeof(text), "null");
	member(json, key, text);
}

/* Bytes above 0x7e (firmware vendors write what they like) are taken as Latin-1. */
static size_t escape(unsigned char c, char *out, size_t size)
{
	if (c == '"' || c == '\\')
		return (size_t)snprintf(out, size, "\\%c", c);
	if (c < ' ' || c > '~')
		return (size_t)snprintf(out, size, "\\u%04x", c);
	out[0] = (char)c;
	return 1;
}

void json_string(struct json *json, const char *key, const char *value)
{
	char one[8];
	size_t width = 2;

	if (!value) {
		json_null(json, key);
		return;
	}
	for (const char *c = value; *c; c++)
		width += escape((unsigned char)*c, one, sizeof(one));
	begin(json, key, width, false);
	put(json, "\"", 1);
	for (const char *c = value; *c; c++)
		put(json, one, escape((unsigned char)*c, one, sizeof(one)));
	put(json, "\"", 1);
}

void json_unsigned_or_null(struct json *json, const char *key, uint64_t value)
{
	if (value)
		json_unsigned(json, key, value);
	else
		json_null(json, key);
}

void json_string_or_null(struct json *json, const char *key, const char *value)
{
	json_string(json, key, value && value[0] ? value : NULL);
}
