/* SPDX-License-Identifier: BSD-2-Clause */
/* Asks the firmware's tables for ranges, and takes for ourselves the RAM among them that may be
 * written: memmap=, special-purpose memory. */
#ifndef BOOT_FIND_RANGES_H
#define BOOT_FIND_RANGES_H

#include <pagestamp/efi_map.h>
#include <pagestamp/options.h>
#include <pagestamp/result.h>

struct found {
	struct efi_map map;
	unsigned nodes;
	char why_none[256]; /* one line for a machine on which nothing was found */
};

/*
 * Fills results->ranges, contents unread, and lists in results->skipped what was seen and
 * is not used, a table that had to be refused included. False with one line in `why`: a
 * memmap= that cannot be, no memory map, no memory.
 */
bool find_ranges(const struct options *options, struct results *results, struct found *out,
                 char *why, size_t why_size);
/* Also gives the firmware the RAM that was taken. */
void found_free(struct found *found, const struct pmem_ranges *ranges);

#endif
