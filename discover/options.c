/* SPDX-License-Identifier: BSD-2-Clause */
/* Options text to struct options: tokens, keys given twice, refusals, combinations. */
#include "discover/option_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct span span_of(const char *text)
{
	return (struct span){text, strlen(text)};
}

bool span_is(struct span span, const char *text)
{
	return strlen(text) == span.len && memcmp(span.at, text, span.len) == 0;
}

bool next_item(const char **cursor, struct span *item)
{
	const char *end;

	if (!*cursor)
		return false;
	end = strchr(*cursor, ',');
	*item = end ? (struct span){*cursor, (size_t)(end - *cursor)} : span_of(*cursor);
	*cursor = end ? end + 1 : NULL;
	return true;
}

/* Words are blank-separated; "N" stands for any number, a trailing '*' for anything. */
static bool word_in_list(const char *list, struct span value)
{
	uint64_t number;

	while (list && *list) {
		size_t len = strcspn(list, " ");

		if (list[len - 1] == '*' && value.len >= len - 1 &&
		    memcmp(value.at, list, len - 1) == 0)
			return true;
		if (len == value.len && memcmp(value.at, list, len) == 0)
			return true;
		if (len == 1 && *list == 'N' && number_parse(value, UINT32_MAX, &number) && number)
			return true;
		list += len;
		list += strspn(list, " ");
	}
	return false;
}

/* Of what was typed so much is quoted, as %.80s does elsewhere: what is accepted must be seen. */
#define QUOTED_MOST 80

bool refuse_because(struct parse *parse, const struct key *key, struct span value,
                    const char *because)
{
	snprintf(parse->why, parse->why_size, "%s=%.*s: %s; accepted: %s", key->name,
	         value.len < QUOTED_MOST ? (int)value.len : QUOTED_MOST, value.at, because,
	         key->accepted);
	return false;
}

bool refuse_value(struct parse *parse, const struct key *key, struct span value)
{
	return refuse_because(parse, key, value,
	                      word_in_list(key->later, value) ? "this build does not have it yet"
	                                                      : "not a value of it");
}

bool refuse_no_memory(struct parse *parse)
{
	snprintf(parse->why, parse->why_size, "options: out of memory");
	return false;
}

static bool refuse_unknown(struct parse *parse, const char *token)
{
	size_t used = 0;

	for (size_t i = 0; i <= nr_option_keys && used < parse->why_size; i++) {
		int n = i == 0 ? snprintf(parse->why, parse->why_size,
		                          "%.80s: unknown option; accepted:", token)
		               : snprintf(parse->why + used, parse->why_size - used, " %s",
		                          option_keys[i - 1].name);

		used += (size_t)n;
	}
	return false;
}

/* Appends the token to out->effective. */
static bool keep(struct parse *parse, const char *token)
{
	size_t had = strlen(parse->out->effective), more = strlen(token);
	char *grown = realloc(parse->out->effective, had + more + 2);

	if (!grown)
		return refuse_no_memory(parse);
	parse->out->effective = grown;
	if (had)
		grown[had++] = ' ';
	memcpy(grown + had, token, more + 1);
	return true;
}

static bool take_token(struct parse *parse, uint64_t *seen, char *token)
{
	size_t name_len = strcspn(token, "=");
	const char *value = token[name_len] ? token + name_len + 1 : NULL;
	const struct key *key = NULL;
	size_t i;

	for (i = 0; i < nr_option_keys && !key; i++)
		if (span_is((struct span){token, name_len}, option_keys[i].name))
			key = &option_keys[i];
	if (!key)
		return refuse_unknown(parse, token);
	if (key->flag && value) {
		snprintf(parse->why, parse->why_size, "%.80s: %s takes no value; accepted: %s",
		         token, key->name, key->name);
		return false;
	}
	if (!key->flag && !value) {
		snprintf(parse->why, parse->why_size, "%s: wants a value; accepted: %s=, then %s",
		         token, key->name, key->accepted);
		return false;
	}
	if (!key->repeats && *seen & 1ull << i) {
		snprintf(parse->why, parse->why_size, "%.80s: %s was given before; accepted: once",
		         token, key->name);
		return false;
	}
	*seen |= 1ull << i;
	if (!key->set(parse, key, value))
		return false;
	if (value && key->usual && strcmp(value, key->usual) == 0)
		return true;
	return keep(parse, token);
}

static bool printable(struct parse *parse, const char *text)
{
	for (const char *c = text; *c; c++) {
		if ((*c >= 0x20 && *c < 0x7f) || strchr("\t\r\n", *c))
			continue;
		snprintf(parse->why, parse->why_size,
		         "options: byte 0x%02x at %lu; accepted: printable ASCII",
		         (unsigned char)*c, (unsigned long)(c - text));
		return false;
	}
	return true;
}

/* What is sound by itself and cannot be done together. */
static bool combination(struct parse *parse)
{
	const struct options *o = parse->out;

	if (o->list && o->selftest) {
		snprintf(parse->why, parse->why_size,
		         "list selftest: each stands in place of the experiments; accepted: one of "
		         "them");
		return false;
	}
	if (o->variant.trace_page_ref && !(o->methods & 1u << METHOD_BASE)) {
		snprintf(parse->why, parse->why_size,
		         "trace=page_ref_set: a traced template steps aside for base, and method= "
		         "leaves base out; accepted: a method= with base");
		return false;
	}
	if (o->variant.mask && o->variant.size != 64) {
		snprintf(parse->why, parse->why_size,
		         "tail=mask: the order mask wants a power-of-two descriptor, not "
		         "descriptor=%u; accepted: descriptor=64",
		         o->variant.size);
		return false;
	}
	if (o->variant.trace_page_ref &&
	    (o->variant.sparse || o->variant.mask || o->variant.size != 64)) {
		snprintf(parse->why, parse->why_size,
		         "trace=page_ref_set: the traced ordinary path is built for model=vmemmap "
		         "tail=pointer descriptor=64 only; accepted: those");
		return false;
	}
	return true;
}

/*
 * However the rest reads, the program has to end: a refusal in a runner or a lab that
 * asked for exit= must not wait for a key.
 */
static void find_exit(struct options *out, const char *text, const char *blanks)
{
	static const char name[] = "exit=";
	char why[OPTIONS_WHY_SIZE], value[16];
	struct parse quiet = {out, why, sizeof(why)};

	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		const size_t length = strcspn(text, blanks);
		const size_t behind = length - (sizeof(name) - 1);

		if (length >= sizeof(name) && behind < sizeof(value) &&
		    strncmp(text, name, sizeof(name) - 1) == 0) {
			memcpy(value, text + sizeof(name) - 1, behind);
			value[behind] = '\0';
			for (size_t i = 0; i < nr_option_keys; i++)
				if (strcmp(option_keys[i].name, "exit") == 0)
					option_keys[i].set(&quiet, &option_keys[i], value);
		}
		text += length;
	}
}

bool options_parse(const char *text, enum options_source source, struct options *out, char *why,
                   size_t why_size)
{
	static const char blanks[] = " \t\r\n";
	struct parse parse = {out, why, why_size};
	uint64_t seen = 0;
	bool good;
	char *copy;

	*out = (struct options){
		.source = source,
		.experiments = (1u << EXP_NR) - 1,
		.methods = (1u << METHOD_NR) - 1,
		.map = MAP_MEM,
		.variant = {.size = 64, .page_shift = 12},
		.verify = true,
	};
	out->effective = calloc(1, 1);
	copy = malloc(strlen(text) + 1);
	good = out->effective && copy ? printable(&parse, text) : refuse_no_memory(&parse);
	if (good) {
		char *token = strcpy(copy, text);

		while (good && *(token += strspn(token, blanks))) {
			char *end = token + strcspn(token, blanks);
			bool last = !*end;

			*end = '\0';
			good = take_token(&parse, &seen, token);
			token = last ? end : end + 1;
		}
		good = good && combination(&parse);
	}
	free(copy);
	if (!good)
		find_exit(out, text, blanks);
	return good;
}

static void free_names(char **names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(names[i]);
	free(names);
}

void options_free(struct options *options)
{
	free_names(options->copies, options->nr_copies);
	free_names(options->range_names, options->nr_range_names);
	free(options->memmaps);
	free(options->writes);
	for (size_t i = 0; i < options->nr_hugepages; i++)
		free(options->hugepages[i].value);
	free(options->hugepages);
	free(options->effective);
	*options = (struct options){0};
}
