/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/ranges.h>

#include "discover/array.h"
#include "discover/number.h"

#include <stdio.h>

struct build {
	const struct range_sources *from;
	struct pmem_ranges *out;
	struct range_notes *notes;
	bool no_memory;
};

static bool overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
	return a < b + b_size && b < a + a_size;
}

static void note(struct build *build, const char *kind, uint64_t base, uint64_t size,
                 const char *why)
{
	struct range_note *grown = array_grow(build->notes->item, build->notes->nr, sizeof(*grown));
	char text[24];

	if (!grown) {
		build->no_memory = true;
		return;
	}
	build->notes->item = grown;
	grown += build->notes->nr++;
	size_text(size, text, sizeof(text));
	snprintf(grown->what, sizeof(grown->what), "%s 0x%llx+%s", kind, (unsigned long long)base,
	         text);
	snprintf(grown->why, sizeof(grown->why), "%s", why);
}

static void add(struct build *build, const struct pmem_range *range)
{
	struct pmem_range *grown = array_grow(build->out->item, build->out->nr, sizeof(*grown));

	if (!grown) {
		build->no_memory = true;
		return;
	}
	build->out->item = grown;
	grown[build->out->nr++] = *range;
}

static uint32_t node_of(const struct build *build, uint64_t base)
{
	uint32_t domain = 0;

	srat_domain(&build->from->srat, base, &domain);
	return domain;
}

static bool sane_extent(uint64_t base, uint64_t size)
{
	return size && size <= PHYSICAL_LIMIT && base <= PHYSICAL_LIMIT - size &&
	       base % 4096 == 0 && size % 4096 == 0;
}

/*
 * What the memory map may say of addresses that the NFIT calls persistent: nothing, the
 * same, or that they are not RAM. NULL when so, else the type that contradicts.
 */
static const char *contradiction(const struct efi_map *map, uint64_t base, uint64_t size)
{
	for (size_t i = 0; i < map->nr; i++) {
		const struct efi_region *region = &map->region[i];

		if (!overlap(region->base, region->size, base, size))
			continue;
		switch (region->type) {
		case EFI_MAP_PERSISTENT:
		case EFI_MAP_RESERVED:
		case EFI_MAP_MMIO:
			continue;
		default:
			return efi_map_type_name(region->type);
		}
	}
	return NULL;
}

/* Does the memory map call all of it persistent? */
static bool efi_agrees(const struct efi_map *map, uint64_t base, uint64_t size)
{
	uint64_t at = base;

	for (size_t i = 0; i < map->nr && at < base + size; i++) {
		const struct efi_region *region = &map->region[i];

		if (region->base + region->size <= at)
			continue;
		if (region->base > at || region->type != EFI_MAP_PERSISTENT)
			return false;
		at = region->base + region->size;
	}
	return at >= base + size;
}

static bool is_virtual(enum nfit_kind kind)
{
	return kind >= NFIT_VIRTUAL_DISK && kind <= NFIT_PERSISTENT_VIRTUAL_CD;
}

static const char *failure(unsigned state)
{
	if (state & NFIT_SAVE_FAILED)
		return "its NVDIMM reports a failed save";
	if (state & NFIT_RESTORE_FAILED)
		return "its NVDIMM reports a failed restore";
	if (state & NFIT_FLUSH_FAILED)
		return "its NVDIMM reports a failed flush";
	if (state & NFIT_MAP_FAILED)
		return "the firmware could not map its NVDIMM";
	return NULL;
}

/* Why an NFIT range is not used; NULL = it is. `scratch` may hold the text. */
static const char *unusable(const struct build *build, const struct nfit_range *range,
                            char *scratch, size_t scratch_size)
{
	const char *other;

	if (range->kind != NFIT_PERSISTENT && !is_virtual(range->kind))
		return "not persistent memory";
	if (!sane_extent(range->base, range->length))
		return "no whole 4 KiB pages within 52 bits";
	if (failure(range->state))
		return failure(range->state);
	for (size_t i = 0; i < build->out->nr; i++) {
		const struct pmem_range *there = &build->out->item[i];

		if (overlap(there->base, there->size, range->base, range->length))
			return "overlaps another range of the NFIT";
	}
	other = contradiction(&build->from->efi, range->base, range->length);
	if (other && !is_virtual(range->kind)) {
		snprintf(scratch, scratch_size, "the memory map has %s there", other);
		return scratch;
	}
	return NULL;
}

static void add_nfit(struct build *build)
{
	const struct nfit *nfit = &build->from->nfit;

	for (size_t i = 0; i < nfit->nr; i++) {
		const struct nfit_range *from = &nfit->range[i];
		struct pmem_range range = {
			.kind = is_virtual(from->kind) ? RANGE_VIRTUAL : RANGE_PERSISTENT,
			.base = from->base,
			.size = from->length,
			.attributes = from->attributes,
			.read_only = from->state & NFIT_NOT_ARMED,
		};
		char scratch[64];
		const char *why = unusable(build, from, scratch, sizeof(scratch));

		if (why) {
			note(build, nfit_kind_name(from->kind), from->base, from->length, why);
			continue;
		}
		snprintf(range.source, sizeof(range.source), "%s",
		         efi_agrees(&build->from->efi, range.base, range.size) ? "nfit+efi"
		                                                               : "nfit");
		range.node = from->domain_valid ? from->domain : node_of(build, range.base);
		add(build, &range);
	}
}

static void add_efi_piece(struct build *build, const struct efi_region *region, uint64_t base,
                          uint64_t end)
{
	struct pmem_range range = {
		.kind = region->type == EFI_MAP_PERSISTENT ? RANGE_PERSISTENT : RANGE_SPECIAL,
		.source = "efi",
		.base = base,
		.size = end - base,
		.node = node_of(build, base),
		.attributes = region->attributes,
	};

	add(build, &range);
}

/*
 * Of a persistent region only what no NFIT range speaks of: the NFIT knows better where
 * one range ends and the next begins, and what must not be used.
 */
static void add_efi_rest(struct build *build, const struct efi_region *region)
{
	const struct nfit *nfit = &build->from->nfit;
	uint64_t at = region->base, end = region->base + region->size;

	while (at < end) {
		uint64_t stop = end, next = at;

		for (size_t i = 0; i < nfit->nr; i++) {
			const struct nfit_range *range = &nfit->range[i];

			if (!sane_extent(range->base, range->length))
				continue;
			if (range->base > at) {
				if (range->base < stop)
					stop = range->base;
			} else if (range->base + range->length > next) {
				next = range->base + range->length;
			}
		}
		if (next == at) {
			add_efi_piece(build, region, at, stop);
			next = stop;
		}
		at = next;
	}
}

static void add_efi(struct build *build)
{
	const struct efi_map *map = &build->from->efi;

	for (size_t i = 0; i < map->nr; i++) {
		const struct efi_region *region = &map->region[i];

		if (region->type == EFI_MAP_PERSISTENT)
			add_efi_rest(build, region);
		else if (efi_region_is_special(region) && region->type == EFI_MAP_CONVENTIONAL)
			add_efi_piece(build, region, region->base, region->base + region->size);
		else if (efi_region_is_special(region))
			note(build, "special-purpose memory", region->base, region->size,
			     "the firmware, or this program, lives there");
		else if (region->type == EFI_MAP_UNACCEPTED)
			note(build, efi_map_type_name(region->type), region->base, region->size,
			     "a guest must accept it before it is touched");
	}
}

static const char *memmap_objection(const struct build *build, const struct memmap_arg *arg)
{
	if (!sane_extent(arg->base, arg->size))
		return "not whole 4 KiB pages within 52 bits";
	for (size_t i = 0; i < build->out->nr; i++) {
		const struct pmem_range *there = &build->out->item[i];

		if (overlap(there->base, there->size, arg->base, arg->size))
			return there->kind == RANGE_MEMMAP ? "overlaps another memmap="
			                                   : "that is no RAM but a range already";
	}
	if (!efi_map_is_conventional(&build->from->efi, arg->base, arg->size))
		return "not all of it is free RAM in the firmware's map";
	return NULL;
}

/* The largest stretch of free RAM, as help for whoever guessed wrong. */
static void offer_ram(const struct efi_map *map, char *out, size_t out_size)
{
	const struct efi_region *region, *best = NULL;
	size_t cursor = 0;

	while ((region = efi_map_next_conventional(map, &cursor)))
		if (!best || region->size > best->size)
			best = region;
	if (best)
		snprintf(out, out_size, "for example inside 0x%llx+0x%llx",
		         (unsigned long long)best->base, (unsigned long long)best->size);
	else
		snprintf(out, out_size, "none here");
}

static bool add_memmaps(struct build *build, char *why, size_t why_size)
{
	for (size_t i = 0; i < build->from->nr_memmaps; i++) {
		const struct memmap_arg *arg = &build->from->memmaps[i];
		struct pmem_range range = {
			.kind = RANGE_MEMMAP,
			.source = "memmap=",
			.base = arg->base,
			.size = arg->size,
			.node = node_of(build, arg->base),
		};
		const char *no = memmap_objection(build, arg);
		char offer[64];

		if (no) {
			offer_ram(&build->from->efi, offer, sizeof(offer));
			snprintf(why, why_size,
			         "memmap=0x%llx!0x%llx: %s; accepted: whole pages of free RAM, %s",
			         (unsigned long long)arg->size, (unsigned long long)arg->base, no,
			         offer);
			return false;
		}
		add(build, &range);
	}
	return true;
}

static int by_base(const void *a, const void *b)
{
	const struct pmem_range *x = a, *y = b;

	return (x->base > y->base) - (x->base < y->base);
}

static void name_all(struct pmem_ranges *ranges)
{
	unsigned pmem = 0, special = 0, virtual_disk = 0;

	for (size_t i = 0; i < ranges->nr; i++) {
		struct pmem_range *range = &ranges->item[i];

		switch (range->kind) {
		case RANGE_PERSISTENT:
		case RANGE_MEMMAP:
			snprintf(range->id, sizeof(range->id), "pmem%u", pmem++);
			break;
		case RANGE_SPECIAL:
			snprintf(range->id, sizeof(range->id), "special%u", special++);
			break;
		case RANGE_VIRTUAL:
			snprintf(range->id, sizeof(range->id), "virtual%u", virtual_disk++);
			break;
		}
		snprintf(range->holds, sizeof(range->holds), "not looked at");
	}
}

bool ranges_build(const struct range_sources *sources, struct pmem_ranges *out,
                  struct range_notes *notes, char *why, size_t why_size)
{
	struct build build = {sources, out, notes, false};
	bool good;

	*out = (struct pmem_ranges){0};
	*notes = (struct range_notes){0};
	add_nfit(&build);
	add_efi(&build);
	good = add_memmaps(&build, why, why_size);
	if (good && build.no_memory) {
		snprintf(why, why_size, "list of ranges: out of memory");
		good = false;
	}
	if (!good) {
		ranges_free(out, notes);
		return false;
	}
	if (out->nr)
		qsort(out->item, out->nr, sizeof(*out->item), by_base);
	name_all(out);
	for (size_t i = 0; i < out->nr; i++)
		range_about(sources, &out->item[i]);
	return true;
}

void ranges_free(struct pmem_ranges *ranges, struct range_notes *notes)
{
	free(ranges->item);
	free(notes->item);
	*ranges = (struct pmem_ranges){0};
	*notes = (struct range_notes){0};
}
