/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes JSON text: pure ASCII, several members to a line, lines broken before column
 * 78 (a longer single string stays whole). Inside an array `key` is NULL. A failed
 * allocation is remembered; everything after it is ignored.
 */
#ifndef REPORT_JSON_TEXT_H
#define REPORT_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json {
	char *text;
	size_t len, capacity;
	size_t column;
	unsigned depth;
	bool empty;     /* the open container has no member yet */
	bool broken[8]; /* [depth]: it has a line break, so its end gets a line of its own */
	bool failed;
};

void json_open(struct json *json, const char *key, char bracket); /* '{' or '[' */
void json_close(struct json *json, char bracket);

/*
 * Hands the finished text over, NUL-terminated, the caller's to free(); false, and
 * `*text` NULL, when memory ran out.
 */
bool json_finish(struct json *json, char **text, size_t *len);

void json_null(struct json *json, const char *key);
void json_bool(struct json *json, const char *key, bool value);
void json_unsigned(struct json *json, const char *key, uint64_t value);
void json_hex(struct json *json, const char *key, uint64_t value);       /* a string, "0x..." */
void json_number(struct json *json, const char *key, double value);      /* not finite: null */
void json_string(struct json *json, const char *key, const char *value); /* NULL: null */

/* Where 0 and "" stand for "not known": null. */
void json_unsigned_or_null(struct json *json, const char *key, uint64_t value);
void json_string_or_null(struct json *json, const char *key, const char *value);

#endif
