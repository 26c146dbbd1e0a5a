/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of options and what one row needs to read its value. */
#ifndef DISCOVER_OPTION_KEYS_H
#define DISCOVER_OPTION_KEYS_H

#include "discover/number.h"

#include <pagestamp/options.h>

/* What this build has. */
#define EXPERIMENTS_HERE                                                                           \
	(1u << EXP_FSDAX | 1u << EXP_DEVDAX_2M | 1u << EXP_DEVDAX_1G | 1u << EXP_PTE)

struct parse {
	struct options *out;
	char *why;
	size_t why_size;
};

struct key {
	const char *name;
	const char *usual;    /* the default value; NULL = none */
	const char *accepted; /* for people; for set_choice-like keys also the list itself */
	const char *later;    /* documented values that this build lacks (word_in_list()) */
	bool (*set)(struct parse *parse, const struct key *key, const char *value);
	bool flag;         /* takes no value */
	bool repeats;      /* Linux repeats it on a command line */
	bool not_here_yet; /* documented, not in this build at all */
};

extern const struct key option_keys[];
extern const size_t nr_option_keys;

/* Both write the one line to parse->why and return false. */
bool refuse_value(struct parse *parse, const struct key *key, struct span value);
bool refuse_because(struct parse *parse, const struct key *key, struct span value,
                    const char *because);
bool refuse_no_memory(struct parse *parse);

/*
 * Splits a comma-separated value: false when there is no further item. `*cursor` starts
 * at the value and ends NULL. An empty item is an item, of length 0.
 */
bool next_item(const char **cursor, struct span *item);
struct span span_of(const char *text);
bool span_is(struct span span, const char *text);

#endif
