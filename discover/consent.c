/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/consent.h>

#include <pagestamp/geometry.h>

#include <stdio.h>
#include <stdlib.h>

struct consented {
	const struct pmem_range *range;
	uint64_t begin, end;
	bool keeps_namespace;
};

enum asked { NOT_ASKED, ASKED, ASKED_TO_DESTROY };

static enum asked asked_for(const struct options *options, const struct pmem_range *range)
{
	enum asked asked = NOT_ASKED;

	for (size_t i = 0; i < options->nr_writes; i++) {
		if (!write_name_matches(&options->writes[i], range))
			continue;
		if (options->writes[i].destroy)
			return ASKED_TO_DESTROY;
		asked = ASKED;
	}
	return asked;
}

static bool is_blank(const struct pmem_range *range)
{
	return range->kind == RANGE_MEMMAP || range->content == CONTENT_BLANK;
}

/* What no '!' can overrule; NULL = nothing. */
static const char *never(const struct pmem_range *range)
{
	if (range->kind == RANGE_VIRTUAL)
		return "it is a virtual disk";
	if (range->read_only)
		return "its NVDIMM is not armed: what is written would not survive";
	if (range->content == CONTENT_UNREAD && range->kind != RANGE_MEMMAP)
		return "nobody has looked at what it holds";
	return NULL;
}

enum consent_verdict consent_judge(const struct pmem_range *range, const struct options *options,
                                   enum experiment_id experiment, struct consented **out, char *why,
                                   size_t why_size)
{
	enum asked asked = asked_for(options, range);
	bool matches = namespace_matches(range, experiment, &options->variant);
	struct geometry geometry;

	*out = NULL;
	if (asked == NOT_ASKED) {
		snprintf(why, why_size, "no write= names %s", range->id);
		return CONSENT_NOT_ASKED;
	}
	if (never(range)) {
		snprintf(why, why_size, "%s is never written: %s", range->id, never(range));
		return CONSENT_REFUSED;
	}
	if (!matches && !is_blank(range) && asked != ASKED_TO_DESTROY) {
		snprintf(why, why_size, "%s holds: %s; write=%s! would destroy it", range->id,
		         range->holds, range->id);
		return CONSENT_REFUSED;
	}
	if (!geometry_for(range, experiment, &options->variant, true, matches, &geometry)) {
		snprintf(why, why_size, "%s is too small for %s behind its own descriptors",
		         range->id, experiment_name(experiment));
		return CONSENT_REFUSED;
	}
	*out = malloc(sizeof(**out));
	if (!*out) {
		snprintf(why, why_size, "consent for %s: out of memory", range->id);
		return CONSENT_REFUSED;
	}
	**out = (struct consented){
		.range = range,
		.begin = DESCRIPTOR_AREA + (matches ? range->ns.start_pad : 0),
		.end = geometry.dataoff,
		.keeps_namespace = matches,
	};
	return CONSENT_GIVEN;
}

void consent_free(struct consented *consented)
{
	free(consented);
}

const struct pmem_range *consented_range(const struct consented *consented)
{
	return consented->range;
}

uint64_t consented_begin(const struct consented *consented)
{
	return consented->begin;
}

uint64_t consented_end(const struct consented *consented)
{
	return consented->end;
}

bool consented_keeps_namespace(const struct consented *consented)
{
	return consented->keeps_namespace;
}
