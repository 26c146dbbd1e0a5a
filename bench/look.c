/* SPDX-License-Identifier: BSD-2-Clause */
/* Persistent memory is only ever read here, in the window, through a mapping that cannot write. */
#include <inttypes.h>
#include <pagestamp/bench.h>
#include <pagestamp/content.h>
#include <pagestamp/window.h>
#include <stdio.h>

struct view {
	struct results *results;
	const struct pmem_range *range;
	const uint8_t *from;
	uint8_t *to; /* NULL = only judge whether all is zero */
	uint64_t size;
	bool zero;
};

static void look(void *arg)
{
	struct view *view = arg;

	view->zero = true;
	for (uint64_t i = 0; i < view->size; i++) {
		if (view->from[i])
			view->zero = false;
		if (view->to)
			view->to[i] = view->from[i];
		else if (!view->zero)
			return;
	}
}

/* False when the bytes cannot be mapped or reading them faults. */
static bool view_bytes(struct view *view, uint64_t offset)
{
	const uint64_t begin = offset & ~(WINDOW_PAGE - 1);
	const uint64_t end = (offset + view->size + WINDOW_PAGE - 1) & ~(WINDOW_PAGE - 1);
	struct window_fault fault;
	bool ok;

	if (!window_map_readonly(window_base(), view->range, begin, end - begin))
		return false;
	view->from = (const uint8_t *)window_base() + (offset - begin);
	ok = window_run(look, view, &fault);
	window_unmap(window_base(), end - begin);
	if (!ok) {
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
	}
}
