/* SPDX-License-Identifier: BSD-2-Clause */
/* hugepagesz=, hugepages= and default_hugepagesz=, one after the other, to pools. */
#include <pagestamp/hugepages.h>

#include "discover/array.h"
#include "discover/hugetlb_log.h"
#include "discover/number.h"

#include <stdio.h>
#include <string.h>

#define KIB 1024ull
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

/* In place of the index of a pool. */
#define NO_POOL SIZE_MAX
#define UNNAMED (SIZE_MAX - 1) /* hugepages= before any size: of the default, whatever that is */

struct setup {
	const struct hugepage_system *system;
	struct hugepages *out; /* its pools: every size met so far (Linux: hstates) */
	struct hugepage_pool unnamed;
	size_t parsed;   /* the size that was added last; hugepages= is of it */
	size_t usual;    /* that of default_hugepagesz= */
	size_t last;     /* the pool that the last good hugepages= spoke of */
	bool valid_size; /* may hugepages= follow? */
	bool no_memory;
	const char *refused_key, *refused; /* the first size that is none */
};

struct hugepage_sizes hugepage_sizes(const char *arch, unsigned page_shift)
{
	static const struct hugepage_sizes x86_64 = {{2 * MIB, GIB}, 2, 2 * MIB};
	/* of the contiguous PTEs, a PMD, the contiguous PMDs, and with 4 KiB a PUD */
	static const struct hugepage_sizes arm64[] = {
		{{64 * KIB, 2 * MIB, 32 * MIB, GIB}, 4, 2 * MIB},
		{{2 * MIB, 32 * MIB, GIB}, 3, 32 * MIB},
		{{2 * MIB, 512 * MIB, 16 * GIB}, 3, 512 * MIB},
	};

	return strcmp(arch, "arm64") == 0 ? arm64[(page_shift - 12) / 2] : x86_64;
}

static size_t find_pool(const struct hugepages *pools, uint64_t page_bytes)
{
	for (size_t i = 0; i < pools->nr; i++)
		if (pools->pool[i].page_bytes == page_bytes)
			return i;
	return NO_POOL;
}

/* NO_POOL for want of memory. A size that is there already does not become the parsed one. */
static size_t add_pool(struct setup *setup, uint64_t page_bytes)
{
	struct hugepages *out = setup->out;
	size_t at = find_pool(out, page_bytes);
	struct hugepage_pool *grown;

	if (at != NO_POOL)
		return at;
	grown = array_grow(out->pool, out->nr, sizeof(*grown));
	if (!grown) {
		setup->no_memory = true;
		return NO_POOL;
	}
	out->pool = grown;
	grown[out->nr].page_bytes = page_bytes;
	return setup->parsed = out->nr++;
}

static void forget(struct hugepage_pool *pool)
{
	free(pool->node);
	*pool = (struct hugepage_pool){.page_bytes = pool->page_bytes};
}

/* The pool takes over what was asked of the default size before that was known. */
static void take_unnamed(struct setup *setup, size_t at)
{
	struct hugepage_pool *pool = &setup->out->pool[at];

	forget(pool);
	setup->unnamed.page_bytes = pool->page_bytes;
	*pool = setup->unnamed;
	setup->unnamed = (struct hugepage_pool){0};
}

static bool supported(struct setup *setup, const char *key, const char *value, uint64_t page_bytes)
{
	const struct hugepage_sizes *sizes = &setup->system->sizes;

	for (size_t i = 0; i < sizes->nr; i++)
		if (sizes->size[i] == page_bytes)
			return true;
	hugetlb_say(&setup->out->log, "unsupported %s=%s", key, value);
	if (!setup->refused) {
		setup->refused_key = key;
		setup->refused = value;
	}
	return false;
}

static void take_hugepagesz(struct setup *setup, const char *value)
{
	const uint64_t page_bytes = memparse(value);
	size_t at;

	setup->valid_size = false;
	if (!supported(setup, "hugepagesz", value, page_bytes))
		return;
	at = find_pool(setup->out, page_bytes);
	if (at == NO_POOL) {
		setup->valid_size = add_pool(setup, page_bytes) != NO_POOL;
		return;
	}
	/* only the default may be named again, and only before it has pages */
	if (at != setup->usual || setup->out->pool[at].count) {
		hugetlb_say(&setup->out->log, "hugepagesz=%s specified twice, ignoring", value);
		return;
	}
	setup->parsed = at;
	setup->valid_size = true;
}

static void take_default_hugepagesz(struct setup *setup, const char *value)
{
	const uint64_t page_bytes = memparse(value);

	setup->valid_size = false;
	if (setup->usual != NO_POOL) {
		hugetlb_say(&setup->out->log,
		            "default_hugepagesz previously specified, ignoring %s", value);
		return;
	}
	if (!supported(setup, "default_hugepagesz", value, page_bytes))
		return;
	setup->usual = add_pool(setup, page_bytes);
	if (setup->usual == NO_POOL)
		return;
	setup->valid_size = true;
	if (setup->unnamed.count)
		take_unnamed(setup, setup->usual);
}

/* Decimal digits, a leading 0 among them (Linux: sscanf("%lu")); how many, 0 = no number. */
static size_t leading_number(const char *text, uint64_t *out)
{
	const size_t digits = strspn(text, "0123456789");

	return digits_parse((struct span){text, digits}, 10, out) ? digits : 0;
}

static bool online(const struct hugepage_system *system, uint64_t node)
{
	for (size_t i = 0; i < system->nr_nodes; i++)
		if (system->node[i] == node)
			return true;
	return false;
}

static bool set_on_node(struct hugepage_pool *pool, uint32_t node, uint64_t count)
{
	struct hugepage_on_node *grown;
	size_t at = 0;

	while (at < pool->nr_nodes && pool->node[at].node < node)
		at++;
	if (at == pool->nr_nodes || pool->node[at].node != node) {
		grown = array_grow(pool->node, pool->nr_nodes, sizeof(*grown));
		if (!grown)
			return false;
		pool->node = grown;
		memmove(grown + at + 1, grown + at, (pool->nr_nodes++ - at) * sizeof(*grown));
	}
	pool->node[at] = (struct hugepage_on_node){node, count};
	return true;
}

enum counts { COUNTS_READ, COUNTS_INVALID, COUNTS_NO_NODES };

/*
 * N, or node:N and more of those behind commas. What follows a count and continues neither
 * is not looked at. `*at` is left where the reading ended.
 */
static enum counts read_counts(struct setup *setup, struct hugepage_pool *pool, const char **at)
{
	const char *const first = *at;

	while (**at) {
		uint64_t number, count;
		size_t digits = leading_number(*at, &number);

		if (!digits)
			return COUNTS_INVALID;
		if ((*at)[digits] != ':') {
			if (*at != first)
				return COUNTS_INVALID;
			pool->count = number;
			return COUNTS_READ;
		}
		if (!setup->system->node_alloc)
			return COUNTS_NO_NODES;
		if (!online(setup->system, number))
			return COUNTS_INVALID;
		*at += digits + 1;
		digits = leading_number(*at, &count);
		if (!digits || count > UINT64_MAX - pool->count)
			return COUNTS_INVALID;
		if (!set_on_node(pool, (uint32_t)number, count))
			setup->no_memory = true;
		pool->count += count;
		if ((*at)[digits] != ',')
			return COUNTS_READ;
		*at += digits + 1;
	}
	return COUNTS_READ;
}

static void take_hugepages(struct setup *setup, const char *value)
{
	const size_t at = setup->out->nr ? setup->parsed : UNNAMED;
	struct hugepage_pool *pool = at == UNNAMED ? &setup->unnamed : &setup->out->pool[at];
	struct hugetlb_log *log = &setup->out->log;
	const char *rest = value;

	if (!setup->valid_size) {
		hugetlb_say(log, "hugepages=%s does not follow a valid hugepagesz, ignoring",
		            value);
		setup->valid_size = true;
		return;
	}
	if (at == setup->last) {
		hugetlb_say(log,
		            "hugepages= specified twice without interleaving hugepagesz=, "
		            "ignoring hugepages=%s",
		            value);
		return;
	}
	switch (read_counts(setup, pool, &rest)) {
	case COUNTS_READ:
		setup->last = at;
		break;
	case COUNTS_INVALID:
		hugetlb_say(log, "Invalid hugepages parameter %s", rest);
		forget(pool);
		break;
	case COUNTS_NO_NODES:
		hugetlb_say(log, "architecture can't support node specific alloc, ignoring!");
		break;
	}
}

/* hugepages= before any size is of the default size, and there it comes before any other. */
static void give_unnamed_its_size(struct setup *setup)
{
	const uint64_t page_bytes = setup->system->sizes.usual;
	size_t at;

	if (setup->usual != NO_POOL || !setup->unnamed.count)
		return;
	at = add_pool(setup, page_bytes);
	if (at == NO_POOL)
		return;
	if (setup->out->pool[at].count) {
		char size[16];

		hugepage_size_text(page_bytes, size, sizeof(size));
		hugetlb_say(&setup->out->log,
		            "Ignoring hugepages=%llu associated with %s page size",
		            (unsigned long long)setup->out->pool[at].count, size);
		hugetlb_say(&setup->out->log,
		            "Using hugepages=%llu for number of default huge pages",
		            (unsigned long long)setup->unnamed.count);
	}
	take_unnamed(setup, at);
}

/* Where nodes have counts, those are what is asked; what asks for nothing goes. */
static void tidy(struct hugepages *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < out->nr; i++) {
		struct hugepage_pool pool = out->pool[i];
		uint64_t sum = 0;
		size_t nodes = 0;

		for (size_t j = 0; j < pool.nr_nodes; j++) {
			const uint64_t count = pool.node[j].count;

			sum = count > UINT64_MAX - sum ? UINT64_MAX : sum + count;
			if (count)
				pool.node[nodes++] = pool.node[j];
		}
		if (nodes == 0) {
			free(pool.node);
			pool.node = NULL;
		} else {
			pool.count = sum;
		}
		pool.nr_nodes = nodes;
		if (pool.count)
			out->pool[kept++] = pool;
	}
	out->nr = kept;
}

static void refuse(const struct setup *setup, char *why, size_t why_size)
{
	const struct hugepage_sizes *sizes = &setup->system->sizes;
	int used = snprintf(why, why_size,
	                    "HugeTLB: unsupported %s=%.80s; accepted:", setup->refused_key,
	                    setup->refused);

	for (size_t i = 0; i < sizes->nr && (size_t)used < why_size; i++) {
		char size[24];

		size_text(sizes->size[i], size, sizeof(size));
		used += snprintf(why + used, why_size - (size_t)used, "%s%s", i ? "," : " ", size);
	}
}

bool hugepages_setup(const struct hugepage_arg *arg, size_t nr,
                     const struct hugepage_system *system, struct hugepages *out, char *why,
                     size_t why_size)
{
	struct setup setup = {
		.system = system,
		.out = out,
		.parsed = NO_POOL,
		.usual = NO_POOL,
		.last = NO_POOL,
		.valid_size = true,
	};

	*out = (struct hugepages){0};
	for (size_t i = 0; i < nr && !setup.no_memory; i++) {
		switch (arg[i].key) {
		case KEY_HUGEPAGESZ:
			take_hugepagesz(&setup, arg[i].value);
			break;
		case KEY_HUGEPAGES:
			take_hugepages(&setup, arg[i].value);
			break;
		case KEY_DEFAULT_HUGEPAGESZ:
			take_default_hugepagesz(&setup, arg[i].value);
			break;
		}
	}
	give_unnamed_its_size(&setup);
	forget(&setup.unnamed);
	tidy(out);
	if (setup.no_memory || out->log.lost) {
		snprintf(why, why_size, "hugepages: out of memory");
		return false;
	}
	if (setup.refused)
		refuse(&setup, why, why_size);
	return !setup.refused;
}

void hugepages_free(struct hugepages *hugepages)
{
	for (size_t i = 0; i < hugepages->nr; i++)
		free(hugepages->pool[i].node);
	free(hugepages->pool);
	hugetlb_log_free(&hugepages->log);
	*hugepages = (struct hugepages){0};
}
