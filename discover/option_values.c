/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of options, and the reading of each value. */
#include "discover/option_keys.h"
#include "discover/array.h"

#include <pagestamp/range.h>

#include <stdlib.h>
#include <string.h>

/* Index of the value among key->accepted, or -1 with the refusal written. */
static int choose(struct parse *parse, const struct key *key, const char *value)
{
	const char *cursor = key->accepted;
	struct span choice;

	for (int i = 0; next_item(&cursor, &choice); i++)
		if (span_is(choice, value))
			return i;
	refuse_value(parse, key, span_of(value));
	return -1;
}

/* The only value of this build, or a synonym of it: nothing to keep. */
static bool set_nothing(struct parse *parse, const struct key *key, const char *value)
{
	return choose(parse, key, value) >= 0;
}

static bool set_bool(struct parse *parse, const struct key *key, const char *value, bool first,
                     bool *out)
{
	int i = choose(parse, key, value);

	*out = i == 0 ? first : !first;
	return i >= 0;
}

/* A list of names into bits; `all` stands alone. */
static bool set_bits(struct parse *parse, const struct key *key, const char *value,
                     const char *(*name)(unsigned), unsigned nr, unsigned *bits)
{
	const char *cursor = value;
	struct span item;

	if (strcmp(value, "all") == 0) {
		*bits = (1u << nr) - 1;
		return true;
	}
	*bits = 0;
	while (next_item(&cursor, &item)) {
		unsigned i = 0;

		while (i < nr && !span_is(item, name(i)))
			i++;
		if (i == nr)
			return refuse_value(parse, key, item);
		if (*bits & 1u << i)
			return refuse_because(parse, key, item, "named twice");
		*bits |= 1u << i;
	}
	return true;
}

const char *experiment_name(enum experiment_id id)
{
	static const char *const names[EXP_NR] = {"fsdax",   "devdax-2m", "devdax-1g",
	                                          "hugetlb", "memmap",    "pte"};

	return names[id];
}

const char *method_name(enum method_id id)
{
	static const char *const names[] = {"base", "template", "stamp", "page", "run", "call"};

	return names[id];
}

static const char *experiment_name_of(unsigned i)
{
	return experiment_name((enum experiment_id)i);
}

static const char *method_name_of(unsigned i)
{
	return method_name((enum method_id)i);
}

static bool set_experiment(struct parse *parse, const struct key *key, const char *value)
{
	parse->out->experiments_explicit = strcmp(value, "all") != 0;
	return set_bits(parse, key, value, experiment_name_of, EXP_NR, &parse->out->experiments);
}

static bool set_method(struct parse *parse, const struct key *key, const char *value)
{
	return set_bits(parse, key, value, method_name_of, METHOD_NR, &parse->out->methods);
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "pmem0": letters, then digits, short enough for pmem_range.id. */
static bool is_range_id(struct span text)
{
	size_t i = 0;

	while (i < text.len && is_lower(text.at[i]))
		i++;
	if (i == 0 || i == text.len || text.len >= sizeof(((struct pmem_range *)0)->id))
		return false;
	while (i < text.len && is_digit(text.at[i]))
		i++;
	return i == text.len;
}

static bool is_copy_name(struct span text)
{
	size_t i = 0;

	while (i < text.len && (is_lower(text.at[i]) || is_digit(text.at[i]) || text.at[i] == '-'))
		i++;
	return i == text.len && text.len && !span_is(text, "all");
}

static bool set_names(struct parse *parse, const struct key *key, const char *value,
                      bool (*well_formed)(struct span), char ***names, size_t *nr)
{
	const char *cursor = value;
	struct span item;

	if (strcmp(value, "all") == 0)
		return true;
	while (next_item(&cursor, &item)) {
		char **grown;

		if (!well_formed(item))
			return refuse_value(parse, key, item);
		for (size_t i = 0; i < *nr; i++)
			if (span_is(item, (*names)[i]))
				return refuse_because(parse, key, item, "named twice");
		grown = array_grow(*names, *nr, sizeof(*grown));
		if (!grown)
			return refuse_no_memory(parse);
		*names = grown;
		grown[*nr] = calloc(1, item.len + 1);
		if (!grown[*nr])
			return refuse_no_memory(parse);
		memcpy(grown[(*nr)++], item.at, item.len);
	}
	return true;
}

static bool set_range(struct parse *parse, const struct key *key, const char *value)
{
	return set_names(parse, key, value, is_range_id, &parse->out->range_names,
	                 &parse->out->nr_range_names);
}

static bool set_copy(struct parse *parse, const struct key *key, const char *value)
{
	return set_names(parse, key, value, is_copy_name, &parse->out->copies,
	                 &parse->out->nr_copies);
}

/* Both sides of the first `mark` as sizes, the sum within 64 bits. */
static bool two_sizes(struct span text, char mark, uint64_t *left, uint64_t *right)
{
	const char *at = memchr(text.at, mark, text.len);

	return at && size_parse((struct span){text.at, (size_t)(at - text.at)}, left) &&
	       size_parse((struct span){at + 1, (size_t)(text.at + text.len - at - 1)}, right) &&
	       *left <= UINT64_MAX - *right;
}

static bool set_memmap(struct parse *parse, const struct key *key, const char *value)
{
	const char *cursor = value;
	struct span item;

	while (next_item(&cursor, &item)) {
		struct memmap_arg arg, *grown;

		if (!two_sizes(item, '!', &arg.size, &arg.base) || arg.size == 0)
			return refuse_value(parse, key, item);
		grown = array_grow(parse->out->memmaps, parse->out->nr_memmaps, sizeof(*grown));
		if (!grown)
			return refuse_no_memory(parse);
		parse->out->memmaps = grown;
		grown[parse->out->nr_memmaps++] = arg;
	}
	return true;
}

static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* 8-4-4-4-12 as ndctl prints it; the bytes in that order, as in the superblock. */
static bool uuid_parse(struct span text, uint8_t uuid[16])
{
	size_t nr = 0;

	if (text.len != 36)
		return false;
	for (size_t i = 0; i < text.len;) {
		int high, low;

		if (i == 8 || i == 13 || i == 18 || i == 23) {
			if (text.at[i++] != '-')
				return false;
			continue;
		}
		high = hex_digit(text.at[i]);
		low = hex_digit(text.at[i + 1]);
		if (high < 0 || low < 0)
			return false;
		uuid[nr++] = (uint8_t)(high << 4 | low);
		i += 2;
	}
	return true;
}

static bool same_write_name(const struct write_name *a, const struct write_name *b)
{
	if (a->by != b->by)
		return false;
	switch (a->by) {
	case WRITE_BY_ID:
		return strcmp(a->id, b->id) == 0;
	case WRITE_BY_EXTENT:
		return a->base == b->base && a->size == b->size;
	case WRITE_BY_UUID:
		return memcmp(a->uuid, b->uuid, sizeof(a->uuid)) == 0;
	}
	return false;
}

static bool set_write(struct parse *parse, const struct key *key, const char *value)
{
	struct options *out = parse->out;
	const char *cursor = value;
	struct span item;

	while (next_item(&cursor, &item)) {
		struct write_name name = {0}, *grown;
		struct span bare = item;

		name.destroy = item.len && item.at[item.len - 1] == '!';
		bare.len -= name.destroy;
		if (uuid_parse(bare, name.uuid)) {
			name.by = WRITE_BY_UUID;
		} else if (two_sizes(bare, '+', &name.base, &name.size) && name.size) {
			name.by = WRITE_BY_EXTENT;
		} else if (is_range_id(bare)) {
			if (out->source == OPTIONS_FILE)
				return refuse_because(
					parse, key, item,
					"an ordinal in a file names another device on "
					"the next machine");
			name.by = WRITE_BY_ID;
			memcpy(name.id, bare.at, bare.len);
		} else {
			return refuse_value(parse, key, item);
		}
		for (size_t i = 0; i < out->nr_writes; i++)
			if (same_write_name(&out->writes[i], &name))
				return refuse_because(parse, key, item, "named twice");
		grown = array_grow(out->writes, out->nr_writes, sizeof(*grown));
		if (!grown)
			return refuse_no_memory(parse);
		out->writes = grown;
		grown[out->nr_writes++] = name;
	}
	return true;
}

static bool set_map(struct parse *parse, const struct key *key, const char *value)
{
	static const enum map_choice maps[] = {MAP_MEM, MAP_DEV, MAP_BOTH};
	int i = choose(parse, key, value);

	if (i >= 0)
		parse->out->map = maps[i];
	return i >= 0;
}

static bool set_exit(struct parse *parse, const struct key *key, const char *value)
{
	static const enum exit_way ways[] = {EXIT_AUTO, EXIT_RETURN, EXIT_RESET, EXIT_SHUTDOWN,
	                                     EXIT_QEMU};
	int i = choose(parse, key, value);

	if (i >= 0)
		parse->out->exit = ways[i];
	return i >= 0;
}

static bool set_console(struct parse *parse, const struct key *key, const char *value)
{
	struct console_choice choice;

	if (!console_parse(value, &choice))
		return refuse_value(parse, key, span_of(value));
	parse->out->console = choice;
	return true;
}

static bool set_number(struct parse *parse, const struct key *key, const char *value, uint64_t min,
                       uint64_t max, unsigned *out)
{
	uint64_t number;

	if (!number_parse(span_of(value), max, &number) || number < min)
		return refuse_value(parse, key, span_of(value));
	*out = (unsigned)number;
	return true;
}

static bool set_rebinds(struct parse *parse, const struct key *key, const char *value)
{
	if (strcmp(value, key->usual) == 0)
		return true;
	return set_number(parse, key, value, 1, 10000, &parse->out->rebinds);
}

static bool set_budget(struct parse *parse, const struct key *key, const char *value)
{
	return set_number(parse, key, value, 1, 86400, &parse->out->budget);
}

static bool set_dump(struct parse *parse, const struct key *key, const char *value)
{
	return set_number(parse, key, value, 0, 100000, &parse->out->dump);
}

static bool set_dax_vmemmap(struct parse *parse, const struct key *key, const char *value)
{
	return set_bool(parse, key, value, false, &parse->out->dax_vmemmap_full);
}

static bool keep_hugepage_arg(struct parse *parse, enum hugepage_key key, const char *value)
{
	struct options *out = parse->out;
	struct hugepage_arg *grown = array_grow(out->hugepages, out->nr_hugepages, sizeof(*grown));

	if (!grown)
		return refuse_no_memory(parse);
	out->hugepages = grown;
	grown += out->nr_hugepages;
	grown->key = key;
	grown->value = malloc(strlen(value) + 1);
	if (!grown->value)
		return refuse_no_memory(parse);
	strcpy(grown->value, value);
	out->nr_hugepages++;
	return true;
}

static bool set_hugepagesz(struct parse *parse, const struct key *key, const char *value)
{
	(void)key;
	return keep_hugepage_arg(parse, KEY_HUGEPAGESZ, value);
}

static bool set_hugepages(struct parse *parse, const struct key *key, const char *value)
{
	(void)key;
	return keep_hugepage_arg(parse, KEY_HUGEPAGES, value);
}

static bool set_default_hugepagesz(struct parse *parse, const struct key *key, const char *value)
{
	(void)key;
	return keep_hugepage_arg(parse, KEY_DEFAULT_HUGEPAGESZ, value);
}

static bool set_hugetlb_free_vmemmap(struct parse *parse, const struct key *key, const char *value)
{
	return set_bool(parse, key, value, false, &parse->out->hugetlb_free_vmemmap);
}

static bool set_hvo_fail(struct parse *parse, const struct key *key, const char *value)
{
	return set_number(parse, key, value, 0, 1000000, &parse->out->hvo_fail);
}

static bool set_trace(struct parse *parse, const struct key *key, const char *value)
{
	return set_bool(parse, key, value, false, &parse->out->variant.trace_page_ref);
}

static bool set_model(struct parse *parse, const struct key *key, const char *value)
{
	return set_bool(parse, key, value, false, &parse->out->variant.sparse);
}

static bool set_tail(struct parse *parse, const struct key *key, const char *value)
{
	return set_bool(parse, key, value, false, &parse->out->variant.mask);
}

static bool set_page_size(struct parse *parse, const struct key *key, const char *value)
{
	int i = choose(parse, key, value);

	if (i >= 0)
		parse->out->variant.page_shift = 12 + 2 * (unsigned)i;
	return i >= 0;
}

static bool set_descriptor(struct parse *parse, const struct key *key, const char *value)
{
	static const unsigned sizes[] = {64, 56, 72, 80, 88, 96};
	int i = choose(parse, key, value);

	if (i >= 0)
		parse->out->variant.size = sizes[i];
	return i >= 0;
}

static bool set_state(struct parse *parse, const struct key *key, const char *value)
{
	return set_bool(parse, key, value, false, &parse->out->cold);
}

static bool set_touch(struct parse *parse, const struct key *key, const char *value)
{
	static const struct {
		const char *name;
		enum touch_kind touch;
	} kinds[] = {{"none", TOUCH_NONE}, {"read", TOUCH_READ}, {"whole", TOUCH_WHOLE}};
	static const char batch[] = "batch:";
	struct span size = span_of(value);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(value, kinds[i].name) == 0) {
			parse->out->touch = kinds[i].touch;
			return true;
		}
	}
	if (strncmp(value, batch, strlen(batch)) != 0)
		return refuse_value(parse, key, size);
	size.at += strlen(batch);
	size.len -= strlen(batch);
	parse->out->touch = TOUCH_BATCH;
	if (!size_parse(size, &parse->out->touch_bytes) || parse->out->touch_bytes < 4096 ||
	    parse->out->touch_bytes > 1ull << 40)
		return refuse_value(parse, key, span_of(value));
	return true;
}

static bool set_order_of_stores(struct parse *parse, const struct key *key, const char *value)
{
	return set_bool(parse, key, value, false, &parse->out->descending);
}

static bool set_dest_offset(struct parse *parse, const struct key *key, const char *value)
{
	return set_number(parse, key, value, 0, 56, &parse->out->dest_offset) &&
	       (parse->out->dest_offset % 8 == 0 || refuse_value(parse, key, span_of(value)));
}

static bool set_verify(struct parse *parse, const struct key *key, const char *value)
{
	return set_bool(parse, key, value, true, &parse->out->verify);
}

static bool set_format(struct parse *parse, const struct key *key, const char *value)
{
	return set_bool(parse, key, value, false, &parse->out->format_simple);
}

static bool set_selftest(struct parse *parse, const struct key *key, const char *value)
{
	(void)key, (void)value;
	return parse->out->selftest = true;
}

static bool set_list(struct parse *parse, const struct key *key, const char *value)
{
	(void)key, (void)value;
	return parse->out->list = true;
}

static bool set_quick(struct parse *parse, const struct key *key, const char *value)
{
	(void)key, (void)value;
	return parse->out->quick = true;
}

#define EXPERIMENTS "all, or a list of fsdax,devdax-2m,devdax-1g,hugetlb,memmap,pte"
#define WRITES                                                                                     \
	"a list of range ids (typed only), BASE+SIZE or namespace UUIDs, each with or without !"
#define TOUCHES "none,read,whole, or batch:SIZE with SIZE from 4K to 1T"
#define MEMMAPS "nn[KMG]!ss[KMG]"
#define CONSOLES                                                                                   \
	"auto, efi, ttyS0, ttyS0,BAUD (a divisor of 115200), mmio32,0xADDRESS or "                 \
	"pl011,0xADDRESS"
#define HUGEPAGESZ "the size of a huge page such as 2M"
#define HUGEPAGES  "a number, or a list of NODE:number"

const struct key option_keys[] = {
	{"experiment", "all", EXPERIMENTS, .set = set_experiment},
	{"range", "all", "all, or a list of range ids such as pmem0", .set = set_range},
	{"memmap", NULL, MEMMAPS, .set = set_memmap, .repeats = true},
	{"map", "mem", "mem,dev,both", .set = set_map},
	{"write", NULL, WRITES, .set = set_write},
	{"method", "all", "all, or a list of base,template,stamp", .set = set_method},
	{"copy", "all", "all, or a list of backend names and auto", .set = set_copy},
	{"rebinds", "auto", "auto, or 1..10000", .set = set_rebinds},
	{"budget", NULL, "seconds, 1..86400", .set = set_budget},
	{"state", "warm", "warm,cold", .set = set_state},
	{"touch", "none", TOUCHES, .set = set_touch},
	{"order_of_stores", "ascending", "ascending,descending", .set = set_order_of_stores},
	{"dest_offset", "0", "0,8,16,24,32,40,48,56", .set = set_dest_offset},
	{"model", "vmemmap", "vmemmap,sparse", .set = set_model},
	{"tail", "pointer", "pointer,mask", .set = set_tail},
	{"page_size", "4K", "4K,16K,64K", .set = set_page_size},
	{"descriptor", "64", "64,56,72,80,88,96", .set = set_descriptor},
	{"dax_vmemmap", "optimised", "optimised,full", .set = set_dax_vmemmap},
	{"dump", "0", "0..100000", .set = set_dump},
	{"cpus", "1", "1", .later = "all N", .set = set_nothing},
	{"hugepagesz", NULL, HUGEPAGESZ, .set = set_hugepagesz, .repeats = true},
	{"hugepages", NULL, HUGEPAGES, .set = set_hugepages, .repeats = true},
	{"default_hugepagesz", NULL, HUGEPAGESZ, .set = set_default_hugepagesz, .repeats = true},
	{"hugetlb_free_vmemmap", "off", "off,on", .set = set_hugetlb_free_vmemmap},
	{"hvo_fail", "0", "0..1000000", .set = set_hvo_fail},
	{"trace", "none", "none,page_ref_set", .set = set_trace},
	{"verify", "on", "on,off", .set = set_verify},
	{"console", "auto", CONSOLES, .set = set_console},
	{"exit", "auto", "auto,return,reset,shutdown,qemu", .set = set_exit},
	{"mode", "app", "app", .later = "kernel", .set = set_nothing},
	{"selftest", .set = set_selftest, .flag = true},
	{"list", .set = set_list, .flag = true},
	{"quick", .set = set_quick, .flag = true},
	{"format", "table", "table,simple", .set = set_format},
};
const size_t nr_option_keys = sizeof(option_keys) / sizeof(option_keys[0]);
