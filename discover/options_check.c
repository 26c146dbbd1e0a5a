/* SPDX-License-Identifier: BSD-2-Clause */
/* Options against what the machine has: backend names, ranges. */
#include <pagestamp/options.h>
#include <pagestamp/range.h>

#include "discover/uuid.h"

#include <stdio.h>
#include <string.h>

/* Appends a name to the list that ends the refusal. */
static void list(char *why, size_t why_size, bool first, const char *name)
{
	size_t used = strlen(why);

	snprintf(why + used, why_size - used, "%s%s", first ? " " : ",", name);
}

bool options_check_names(const struct options *options, const char *const *copies, size_t nr,
                         char *why, size_t why_size)
{
	for (size_t i = 0; i < options->nr_copies; i++) {
		size_t j = 0;

		while (j < nr && strcmp(options->copies[i], copies[j]) != 0)
			j++;
		if (j < nr)
			continue;
		snprintf(why, why_size, "copy=%.60s: no such backend; accepted: all, or a list of",
		         options->copies[i]);
		for (j = 0; j < nr; j++)
			list(why, why_size, j == 0, copies[j]);
		return false;
	}
	return true;
}

bool write_name_matches(const struct write_name *name, const struct pmem_range *range)
{
	switch (name->by) {
	case WRITE_BY_ID:
		return strcmp(name->id, range->id) == 0;
	case WRITE_BY_EXTENT:
		return name->base == range->base && name->size == range->size;
	case WRITE_BY_UUID:
		return range->content == CONTENT_NAMESPACE &&
		       memcmp(name->uuid, range->ns.uuid, sizeof(name->uuid)) == 0;
	}
	return false;
}

static const struct pmem_range *find_range(const struct pmem_ranges *ranges, const char *id)
{
	for (size_t i = 0; i < ranges->nr; i++)
		if (strcmp(ranges->item[i].id, id) == 0)
			return &ranges->item[i];
	return NULL;
}

static bool written_name_exists(const struct write_name *name, const struct pmem_ranges *ranges)
{
	for (size_t i = 0; i < ranges->nr; i++)
		if (write_name_matches(name, &ranges->item[i]))
			return true;
	return false;
}

#define DESCRIBED 48

static void describe(const struct write_name *name, char out[DESCRIBED])
{
	switch (name->by) {
	case WRITE_BY_ID:
		snprintf(out, DESCRIBED, "%s", name->id);
		break;
	case WRITE_BY_EXTENT:
		snprintf(out, DESCRIBED, "0x%llx+0x%llx", (unsigned long long)name->base,
		         (unsigned long long)name->size);
		break;
	case WRITE_BY_UUID:
		uuid_text(name->uuid, out);
		break;
	}
}

static bool refuse(const struct pmem_ranges *ranges, const char *key, const char *value,
                   const char *because, char *why, size_t why_size)
{
	bool first = true;

	snprintf(why, why_size, "%s=%s: %s; accepted:", key, value, because);
	for (size_t i = 0; i < ranges->nr; i++) {
		if (ranges->item[i].kind == RANGE_VIRTUAL)
			continue;
		list(why, why_size, first, ranges->item[i].id);
		first = false;
	}
	if (first)
		list(why, why_size, true, "none, this machine has no range");
	return false;
}

bool options_check_ranges(const struct options *options, const struct pmem_ranges *ranges,
                          char *why, size_t why_size)
{
	for (size_t i = 0; i < options->nr_range_names; i++) {
		const char *id = options->range_names[i];
		const struct pmem_range *range = find_range(ranges, id);

		if (!range)
			return refuse(ranges, "range", id, "no such range", why, why_size);
		if (range->kind == RANGE_VIRTUAL)
			return refuse(ranges, "range", id, "a virtual disk is never used", why,
			              why_size);
	}
	for (size_t i = 0; i < options->nr_writes; i++) {
		const struct write_name *name = &options->writes[i];
		char text[DESCRIBED];

		if (written_name_exists(name, ranges))
			continue;
		if (options->source == OPTIONS_FILE)
			continue; /* consent for a device of another machine that boots this file */
		describe(name, text);
		return refuse(ranges, "write", text, "no such range", why, why_size);
	}
	return true;
}

bool options_want_range(const struct options *options, const struct pmem_range *range)
{
	if (options->nr_range_names == 0)
		return range->kind == RANGE_PERSISTENT || range->kind == RANGE_MEMMAP;
	for (size_t i = 0; i < options->nr_range_names; i++)
		if (strcmp(options->range_names[i], range->id) == 0)
			return true;
	return false;
}
