/* SPDX-License-Identifier: BSD-2-Clause */
#include "discover/number.h"

#include <stdio.h>
#include <string.h>

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return 16;
}

bool digits_parse(struct span text, unsigned radix, uint64_t *out)
{
	uint64_t value = 0;

	if (text.len == 0)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		unsigned digit = (unsigned)digit_value(text.at[i]);

		if (digit >= radix || value > (UINT64_MAX - digit) / radix)
			return false;
		value = value * radix + digit;
	}
	*out = value;
	return true;
}

static bool decimal_parse(struct span text, uint64_t *out)
{
	if (text.len > 1 && text.at[0] == '0')
		return false; /* octal to Linux, decimal to most people */
	return digits_parse(text, 10, out);
}

bool number_parse(struct span text, uint64_t max, uint64_t *out)
{
	return decimal_parse(text, out) && *out <= max;
}

static unsigned suffix_shift(char c)
{
	switch (c | 0x20) {
	case 'k':
		return 10;
	case 'm':
		return 20;
	case 'g':
		return 30;
	case 't':
		return 40;
	default:
		return 0;
	}
}

bool size_parse(struct span text, uint64_t *out)
{
	unsigned shift = 0;
	uint64_t value;
	bool good;

	if (text.len) {
		shift = suffix_shift(text.at[text.len - 1]);
		text.len -= shift != 0;
	}
	if (text.len > 2 && text.at[0] == '0' && (text.at[1] | 0x20) == 'x')
		good = digits_parse((struct span){text.at + 2, text.len - 2}, 16, &value);
	else
		good = decimal_parse(text, &value);
	if (!good || value > UINT64_MAX >> shift)
		return false;
	*out = value << shift;
	return true;
}

uint64_t memparse(const char *text)
{
	static const char suffixes[] = "kmgtpe";
	unsigned radix = 10, shift = 0;
	uint64_t value = 0;
	const char *suffix;
	size_t digits = 0;

	if (text[0] == '0' && (text[1] | 0x20) == 'x' && digit_value(text[2]) < 16) {
		radix = 16;
		text += 2;
	} else if (text[0] == '0') {
		radix = 8;
	}
	while ((unsigned)digit_value(text[digits]) < radix)
		digits++;
	if (!digits_parse((struct span){text, digits}, radix, &value))
		return 0;
	suffix = strchr(suffixes, text[digits] | 0x20);
	if (suffix)
		shift = 10 * (unsigned)(suffix - suffixes + 1);
	return value > UINT64_MAX >> shift ? 0 : value << shift;
}

void size_text(uint64_t bytes, char *out, size_t out_size)
{
	static const char suffix[] = "TGMK";
	unsigned shift = 40;
	size_t i = 0;

	while (shift && (bytes == 0 || (bytes & ((1ull << shift) - 1)))) {
		shift -= 10;
		i++;
	}
	bytes >>= shift;
	if (shift)
		snprintf(out, out_size, "%llu%c", (unsigned long long)bytes, suffix[i]);
	else
		snprintf(out, out_size, "%llu", (unsigned long long)bytes);
}
