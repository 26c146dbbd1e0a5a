/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Persistent memory is only ever read here, in the window, through a mapping that cannot
 * write. A line of it may be poisoned (an uncorrectable error): the window catches what its
 * reading raises, and the range that has one counts as holding something.
 */
#include <inttypes.h>
#include <pagestamp/bench.h>
#include <pagestamp/content.h>
#include <pagestamp/window.h>
#include <stdio.h>

struct view {
	struct results *results;
	struct pmem_range *range;
	const uint8_t *from;
	uint8_t *to; /* NULL = only judge whether all is zero */
	uint64_t size;
	volatile uint64_t at; /* the byte that is being read; the reading may end at any */
	bool zero;
};

/* What an error poisons: both architectures' CPUs report and read whole lines of this. */
#define LINE 64ull

static void look(void *arg)
{
	struct view *view = arg;

	view->zero = true;
	for (uint64_t i = 0; i < view->size; i++) {
		view->at = i;
		if (view->from[i])
			view->zero = false;
		if (view->to)
			view->to[i] = view->from[i];
		else if (!view->zero)
			return;
	}
}

/*
 * The range's line that a memory error is about: the one that the hardware names, by an
 * address of the memory or of ours; where it names none, the one that the reading stood at.
 * 0: it names one that was not read here. [begin, end) is what was mapped.
 */
static uint64_t poisoned_line(const struct view *view, uint64_t begin, uint64_t end,
                              const struct window_fault *fault)
{
	const uint64_t physical = view->range->base + begin, address = fault->address;
	uint64_t in_view = (uintptr_t)view->from - window_base() + view->at;

	if (address - window_base() < end - begin)
		in_view = address - window_base();
	else if (address - physical < end - begin)
		in_view = address - physical;
	else if (address)
		return 0;
	return (physical + in_view) & ~(LINE - 1);
}

/*
 * Is the poisoned line that is known in [begin, end), whole pages? They are not touched
 * again: each touch is one more error for the CPU and the firmware to survive, and an error
 * may be larger than a line.
 */
static bool known_poison(const struct pmem_range *range, uint64_t begin, uint64_t end)
{
	return range->poisoned && range->poisoned - range->base - begin < end - begin;
}

/* False when the bytes cannot be mapped or reading them faults. */
static bool view_bytes(struct view *view, uint64_t offset)
{
	const uint64_t begin = offset & ~(WINDOW_PAGE - 1);
	const uint64_t end = (offset + view->size + WINDOW_PAGE - 1) & ~(WINDOW_PAGE - 1);
	struct window_fault fault;
	bool ok;

	if (known_poison(view->range, begin, end))
		return false;
	if (!window_map_readonly(window_base(), view->range, begin, end - begin))
		return false;
	view->from = (const uint8_t *)window_base() + (offset - begin);
	ok = window_run(look, view, &fault);
	window_unmap(window_base(), end - begin);
	if (!ok && fault.memory_error)
		view->range->poisoned = poisoned_line(view, begin, end, &fault);
	if (!ok && !(fault.memory_error && view->range->poisoned)) {
		printf("fault while reading %s at 0x%" PRIx64 ": %s at 0x%" PRIx64
		       ", address 0x%" PRIx64 "\n%s\n",
		       view->range->id, offset, fault.what, fault.pc, fault.address,
		       fault.registers);
		results_fail(view->results, "%s while reading %s at 0x%" PRIx64, fault.what,
		             view->range->id, offset);
	}
	return ok;
}

static bool read_bytes(void *context, uint64_t offset, void *out, size_t size)
{
	struct view view = *(const struct view *)context;

	view.to = out;
	view.size = size;
	return view_bytes(&view, offset);
}

static bool is_zero(void *context, uint64_t offset, uint64_t size)
{
	struct view view = *(const struct view *)context;

	view.size = size;
	return view_bytes(&view, offset) && view.zero;
}

void bench_look_at_ranges(struct results *results)
{
	for (size_t i = 0; i < results->ranges.nr; i++) {
		struct pmem_range *range = &results->ranges.item[i];
		struct view of = {.results = results, .range = range};
		const struct content_reader reader = {
			.read = read_bytes, .zero = is_zero, .ctx = &of};

		content_judge(range, &reader);
		if (range->poisoned)
			results_skip(results, NULL, range->holds, "reading all of %s", range->id);
	}
}
