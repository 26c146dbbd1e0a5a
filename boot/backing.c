/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which memory becomes a backing. Fresh memory comes from the firmware while it has
 * enough; what is given back is kept and given out again only then, because the
 * figures of a first bind want memory that nobody wrote to in this boot.
 */
#include "boot/memory.h"

#include <stdlib.h>

#define FOUR_GIB          (4ull << 30)
#define LOWEST            (1ull << 20)  /* below it live things that predate UEFI */
#define LEFT_FOR_FIRMWARE (32ull << 20) /* it allocates while we run */

struct extents {
	struct backing_extent *item;
	size_t nr, room;
	uint64_t size;
};

/* Ours, and in nobody's use. */
static struct extents kept;

/* Addresses that stand for huge pages: ascending, apart from one another. */
static struct extents aside;

/* ---- lists ----------------------------------------------------------------- */

static bool add(struct extents *list, uint64_t begin, uint64_t end)
{
	if (begin >= end)
		return true;
	if (list->nr == list->room) {
		size_t room = list->room ? 2 * list->room : 64;
		void *larger = realloc(list->item, room * sizeof(*list->item));

		if (!larger)
			return false;
		list->item = larger;
		list->room = room;
	}
	list->item[list->nr++] = (struct backing_extent){begin, end - begin};
	list->size += end - begin;
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct backing_extent *x = a, *y = b;

	return (x->phys > y->phys) - (x->phys < y->phys);
}

/* Above 4 GiB first, where the firmware has little to do; then the largest first. */
static int by_preference(const void *a, const void *b)
{
	const struct backing_extent *x = a, *y = b;
	bool x_high = x->phys >= FOUR_GIB, y_high = y->phys >= FOUR_GIB;

	if (x_high != y_high)
		return x_high ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return by_address(a, b);
}

static void sort(struct extents *list, int (*order)(const void *, const void *))
{
	if (list->nr)
		qsort(list->item, list->nr, sizeof(*list->item), order);
}

/* Neighbours become one, so that a list does not grow by being used. */
static void merge(struct extents *list)
{
	size_t last = 0;

	sort(list, by_address);
	for (size_t i = 1; i < list->nr; i++) {
		struct backing_extent *before = &list->item[last];

		if (before->phys + before->size == list->item[i].phys)
			before->size += list->item[i].size;
		else
			list->item[++last] = list->item[i];
	}
	if (list->nr)
		list->nr = last + 1;
}

/* ---- what the firmware has ------------------------------------------------- */

static uint64_t round_up(uint64_t bytes)
{
	return (bytes + WINDOW_BLOCK - 1) / WINDOW_BLOCK * WINDOW_BLOCK;
}

bool backing_set_aside(uint64_t base, uint64_t size)
{
	if (!add(&aside, base, base + size))
		return false;
	merge(&aside);
	return true;
}

/* What of [begin, end) is not set aside, in whole blocks; `*whole` grows by all of it. */
static bool add_fresh(struct extents *fresh, uint64_t begin, uint64_t end, uint64_t *whole)
{
	bool ok = true;

	for (size_t i = 0; i <= aside.nr && begin < end; i++) {
		const struct backing_extent *a = i < aside.nr ? &aside.item[i] : NULL;
		uint64_t stop = a && a->phys < end ? a->phys : end;

		if (a && a->phys + a->size <= begin)
			continue;
		if (begin < stop) {
			*whole += stop - begin;
			ok = add(fresh, round_up(begin), stop / WINDOW_BLOCK * WINDOW_BLOCK) && ok;
		}
		begin = a ? a->phys + a->size : end;
	}
	return ok;
}

/* In whole blocks; `*spare` = how much of it may be had, the firmware keeping its share. */
static bool find_fresh(struct extents *fresh, uint64_t *spare)
{
	struct memory_free all;
	uint64_t whole = 0, share;
	bool ok = true;

	*fresh = (struct extents){0};
	*spare = 0;
	if (!memory_free_list(&all))
		return false;
	for (size_t i = 0; i < all.nr; i++) {
		uint64_t begin = all.item[i].phys, end = begin + all.item[i].size;

		if (begin < LOWEST)
			begin = LOWEST;
		ok = add_fresh(fresh, begin, end, &whole) && ok;
	}
	free(all.item);
	sort(fresh, by_preference);
	/* The odd ends that are cut off count as its share. */
	share = whole - fresh->size;
	share = share < LEFT_FOR_FIRMWARE ? round_up(LEFT_FOR_FIRMWARE - share) : 0;
	*spare = fresh->size > share ? fresh->size - share : 0;
	return ok;
}

/* ---- taking ---------------------------------------------------------------- */

static bool take_fresh(struct extents *taken, const struct extents *fresh, uint64_t bytes)
{
	for (size_t i = 0; i < fresh->nr && taken->size < bytes; i++) {
		uint64_t phys = fresh->item[i].phys, size = fresh->item[i].size;

		if (size > bytes - taken->size)
			size = bytes - taken->size;
		/* The map is a moment old: what somebody took meanwhile is passed over. */
		if (!memory_reserve(phys, size))
			continue;
		if (!add(taken, phys, phys + size)) {
			memory_release(phys, size);
			return false;
		}
	}
	return true;
}

static bool take_kept(struct extents *taken, uint64_t bytes)
{
	while (kept.nr && taken->size < bytes) {
		struct backing_extent *last = &kept.item[kept.nr - 1];
		uint64_t size = last->size;

		if (size > bytes - taken->size)
			size = bytes - taken->size;
		if (!add(taken, last->phys, last->phys + size))
			return false;
		last->phys += size;
		last->size -= size;
		kept.size -= size;
		kept.nr -= last->size == 0;
	}
	return true;
}

static void keep(const struct backing_extent *extent)
{
	if (!add(&kept, extent->phys, extent->phys + extent->size))
		memory_release(extent->phys, extent->size);
}

bool backing_alloc(uint64_t bytes, enum backing_use use, struct backing *out, uint64_t *available)
{
	struct extents fresh, taken = {0};
	uint64_t spare;
	bool ok = find_fresh(&fresh, &spare);

	(void)use; /* our own tables map 4 KiB and 2 MiB alike */
	*out = (struct backing){0};
	*available = spare + kept.size;
	ok = ok && bytes <= *available;
	if (ok) {
		bool all_fresh = bytes <= spare;

		bytes = round_up(bytes);
		ok = (all_fresh || take_kept(&taken, bytes)) && take_fresh(&taken, &fresh, bytes) &&
		     taken.size == bytes;
		*out = (struct backing){taken.item, taken.nr, taken.size, all_fresh};
		if (!ok) {
			backing_free(out);
			*available = kept.size;
		}
	}
	free(fresh.item);
	return ok;
}

void backing_free(struct backing *backing)
{
	for (size_t i = 0; i < backing->nr; i++)
		keep(&backing->extent[i]);
	merge(&kept);
	free(backing->extent);
	*backing = (struct backing){0};
}

void backing_give_back(void)
{
	for (size_t i = 0; i < kept.nr; i++)
		memory_release(kept.item[i].phys, kept.item[i].size);
	free(kept.item);
	free(aside.item);
	kept = aside = (struct extents){0};
}
