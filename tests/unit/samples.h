/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the text formats of tests/data/samples/ into the bytes a firmware would have handed over.
 */
#ifndef TESTS_UNIT_SAMPLES_H
#define TESTS_UNIT_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

struct bytes {
	uint8_t *data;
	size_t size;
};

static inline void put16(uint8_t *at, uint64_t value)
{
	at[0] = (uint8_t)value;
	at[1] = (uint8_t)(value >> 8);
}

static inline void put32(uint8_t *at, uint64_t value)
{
	put16(at, value);
	put16(at + 2, value >> 16);
}

static inline void put64(uint8_t *at, uint64_t value)
{
	put32(at, value);
	put32(at + 4, value >> 32);
}

/* `size` zeroed bytes more; the place where they begin. Always the heap's exact size, for ASan. */
static inline uint8_t *bytes_add(struct bytes *bytes, size_t size)
{
	bytes->data = realloc(bytes->data, bytes->size + size);
	assert_non_null(bytes->data);
	memset(bytes->data + bytes->size, 0, size);
	bytes->size += size;
	return bytes->data + bytes->size - size;
}

static inline void bytes_free(struct bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct bytes){0};
}

/* A whole file of tests/data/, NUL behind it (not counted). */
static inline struct bytes data_file(const char *name)
{
	struct bytes file = {0};
	char path[256], chunk[4096];
	size_t got;
	FILE *f;

	snprintf(path, sizeof(path), "tests/data/%s", name);
	f = fopen(path, "rb");
	if (!f)
		fail_msg("%s: cannot open (run from the top of the tree)", path);
	while ((got = fread(chunk, 1, sizeof(chunk), f)) > 0)
		memcpy(bytes_add(&file, got), chunk, got);
	fclose(f);
	bytes_add(&file, 1);
	file.size--;
	return file;
}

/* Calls `line` for each line from the one that contains `from` (NULL: the first) up to the next
 * that begins with `until`. */
static inline void each_line(const char *name, const char *from, const char *until,
                             void (*line)(void *arg, char *text), void *arg)
{
	struct bytes file = data_file(name);
	bool on = !from;

	for (char *text = strtok((char *)file.data, "\n"); text; text = strtok(NULL, "\n")) {
		if (on && until && strncmp(text, until, strlen(until)) == 0)
			break;
		if (on)
			line(arg, text);
		on = on || strstr(text, from);
	}
	bytes_free(&file);
}

/* acpidump's "    0010: 4E 46 ..." */
static inline void hex_line(void *arg, char *text)
{
	char *at = strchr(text, ':');

	if (strncmp(text, "    ", 4) != 0 || !at)
		return;
	for (at++; *at;) {
		char *end;
		unsigned long byte = strtoul(at, &end, 16);

		if (end == at)
			break;
		*bytes_add(arg, 1) = (uint8_t)byte;
		at = end;
	}
}

/* Sets the checksum of an ACPI table at byte 9, and the length at byte 4. */
static inline void acpi_seal(struct bytes *table)
{
	uint8_t sum = 0;

	put32(table->data + 4, table->size);
	table->data[9] = 0;
	for (size_t i = 0; i < table->size; i++)
		sum = (uint8_t)(sum + table->data[i]);
	table->data[9] = (uint8_t)-sum;
}

/* A header with nothing behind it; acpi_seal() it when it is complete. */
static inline struct bytes acpi_begin(const char signature[4], uint8_t revision)
{
	struct bytes table = {0};
	uint8_t *header = bytes_add(&table, 36);

	memcpy(header, signature, 4);
	header[8] = revision;
	return table;
}

struct efi_text {
	struct bytes map;
	size_t stride, entries;
};

static inline void efi_add(struct efi_text *efi, uint32_t type, uint64_t base, uint64_t pages,
                           uint64_t attributes)
{
	uint8_t *entry = bytes_add(&efi->map, efi->stride);

	memset(entry, 0xa5, efi->stride); /* padding is nobody's business */
	put32(entry, type);
	put64(entry + 8, base);
	put64(entry + 16, 0); /* virtual */
	put64(entry + 24, pages);
	put64(entry + 32, attributes);
	efi->entries++;
}

/* One line of Linux's efi=debug, in each of the forms of the samples; others are passed over. */
static inline void efi_line(void *arg, char *text)
{
	static const struct {
		const char *name;
		uint64_t value;
	} types[] = {{"Reserved", 0},         {"Loader Code", 1},       {"Loader Data", 2},
	             {"Boot Code", 3},        {"Boot Data", 4},         {"Runtime Code", 5},
	             {"Runtime Data", 6},     {"Conventional", 7},      {"ACPI Reclaim", 9},
	             {"ACPI Memory NVS", 10}, {"Memory Mapped I/O", 11}},
	  bits[] = {{"|RUN", 1ull << 63}, {"|SP", 0x40000}, {"|WP", 0x1000}, {"|WB", 8},
	            {"|WT", 4},           {"|WC", 2},       {"|UC", 1}};
	const char *bracket = strchr(text, '['), *range = strstr(text, "range=[");
	const char *numeric = strstr(text, "type="), *attr = strstr(text, "attr=");
	uint64_t base, end, attributes = attr ? strtoull(attr + 5, NULL, 16) : 0;
	uint32_t type = numeric ? (uint32_t)atoi(numeric + 5) : UINT32_MAX;
	char *after;

	if (strncmp(text, "efi:", 4) != 0 || !(range || strncmp(text, "efi:   0x", 9) == 0))
		return;
	base = strtoull(range ? range + 7 : text + 7, &after, 16);
	end = strtoull(after + 1, &after, 16) + (*after != ')');
	for (size_t i = 0; !numeric && i < sizeof(types) / sizeof(types[0]); i++)
		if (strncmp(bracket + 1, types[i].name, strlen(types[i].name)) == 0)
			type = (uint32_t)types[i].value;
	for (size_t i = 0; !attr && i < sizeof(bits) / sizeof(bits[0]); i++)
		if (strstr(text, bits[i].name))
			attributes |= bits[i].value;
	assert_int_not_equal(type, UINT32_MAX);
	efi_add(arg, type, base, strstr(text, "(invalid)") ? 0 : (end - base) / 4096, attributes);
}

#endif
