/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers and sizes as people type them. A text that can be read in two ways is refused. */
#ifndef DISCOVER_NUMBER_H
#define DISCOVER_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of a longer text; not NUL-terminated. */
struct span {
	const char *at;
	size_t len;
};

/* Decimal without a leading zero, at most `max`. */
bool number_parse(struct span text, uint64_t max, uint64_t *out);

/*
 * Decimal or 0x-hexadecimal with one optional suffix K, M, G or T of either case
 * (Linux: memparse(), less its octal: 010 is refused). Overflow is refused.
 */
bool size_parse(struct span text, uint64_t *out);

/* Every character a digit of the radix, at least one, the value within 64 bits. */
bool digits_parse(struct span text, unsigned radix, uint64_t *out);

/*
 * Linux's memparse(): octal, decimal or hexadecimal by the prefix, one suffix of KMGTPE of
 * either case; what follows is not looked at ("1GB" is 1G). 0 where no number stands, and
 * where it does not fit 64 bits.
 */
uint64_t memparse(const char *text);

/* "4K", "2M", "130M", "1G"; bytes where no suffix divides it. out_size of 24 always fits. */
void size_text(uint64_t bytes, char *out, size_t out_size);

#endif
