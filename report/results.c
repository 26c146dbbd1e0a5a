/* SPDX-License-Identifier: BSD-2-Clause */
/* The growing arrays of struct results. */
#include <pagestamp/result.h>

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * `array` with room for one more, zeroed, element at [nr]; NULL = out of memory, the
 * array is as it was. The capacity is not stored: it is the next power of two, so
 * the array grows exactly when nr has reached one.
 */
static void *grow(void *array, size_t nr, size_t element_size)
{
	if ((nr & (nr - 1)) == 0)
		array = realloc(array, (nr ? nr * 2 : 1) * element_size);
	if (array)
		memset((char *)array + nr * element_size, 0, element_size);
	return array;
}

static bool same_variant(const struct memmap_variant *a, const struct memmap_variant *b)
{
	if (!a || !b)
		return a == b;
	return a->size == b->size && a->sparse == b->sparse && a->mask == b->mask &&
	       a->page_shift == b->page_shift;
}

bool cells_side_by_side(const struct cell *a, const struct cell *b)
{
	return a->experiment == b->experiment && a->range == b->range && a->map_dev == b->map_dev &&
	       a->optimised == b->optimised && a->cold == b->cold && a->touch == b->touch &&
	       a->touch_bytes == b->touch_bytes && a->descending == b->descending &&
	       a->dest_offset == b->dest_offset && a->window_pages == b->window_pages &&
	       a->holes == b->holes && same_variant(a->variant, b->variant);
}

bool results_skip(struct results *results, const struct cell *cell, const char *why,
                  const char *what, ...)
{
	struct skipped *grown =
		grow(results->skipped, results->nr_skipped, sizeof(*results->skipped));
	struct skipped *skipped;
	va_list args;

	if (!grown) {
		results_fail(results, "no memory for the list of what was skipped");
		return false;
	}
	results->skipped = grown;
	skipped = &grown[results->nr_skipped];
	skipped->cell = cell;
	snprintf(skipped->why, sizeof(skipped->why), "%s", why);
	va_start(args, what);
	vsnprintf(skipped->what, sizeof(skipped->what), what, args);
	va_end(args);
	/* What holds of the whole run is said once, however many plans find it. */
	for (size_t i = 0; !cell && i < results->nr_skipped; i++)
		if (!grown[i].cell && !strcmp(grown[i].what, skipped->what) &&
		    !strcmp(grown[i].why, skipped->why))
			return true;
	results->nr_skipped++;
	return true;
}

struct run *results_add_run(struct results *results)
{
	struct run *grown = grow(results->run, results->nr_runs, sizeof(*results->run));
	struct run *run;

	if (!grown)
		return NULL;
	results->run = grown;
	run = &grown[results->nr_runs++];
	run->vs_base_pct = NAN;
	run->touch_ticks = NAN;
	run->vs_fill = NAN;
	run->vs_ordinary_fill = NAN;
	run->vs_best.median = NAN;
	run->verified = -1;
	return run;
}

bool results_add_limit(struct results *results, const struct limit *limit)
{
	struct limit *grown = grow(results->limit, results->nr_limits, sizeof(*results->limit));

	if (!grown)
		return false;
	results->limit = grown;
	grown[results->nr_limits++] = *limit;
	return true;
}

struct answer *results_answer(struct results *results, const char *question, const char *answer,
                              ...)
{
	struct answer *grown = grow(results->answer, results->nr_answers, sizeof(*results->answer));
	struct answer *added;
	va_list args;

	if (!grown) {
		results_fail(results, "no memory for the answers");
		return NULL;
	}
	results->answer = grown;
	added = &grown[results->nr_answers++];
	snprintf(added->question, sizeof(added->question), "%s", question);
	va_start(args, answer);
	vsnprintf(added->answer, sizeof(added->answer), answer, args);
	va_end(args);
	return added;
}

bool answer_cite(struct results *results, struct answer *answer, const struct run *run)
{
	size_t *grown;

	if (!answer || !run)
		return true;
	grown = grow(answer->run, answer->nr_runs, sizeof(*answer->run));
	if (!grown) {
		results_fail(results, "no memory for the answers");
		return false;
	}
	answer->run = grown;
	grown[answer->nr_runs++] = (size_t)(run - results->run);
	return true;
}

unsigned answer_rebinds(const struct results *results, const struct answer *answer)
{
	unsigned least = answer->nr_runs ? UINT_MAX : 0;

	for (size_t i = 0; i < answer->nr_runs; i++)
		if (results->run[answer->run[i]].ticks.n < least)
			least = results->run[answer->run[i]].ticks.n;
	return least;
}

void results_fail(struct results *results, const char *why, ...)
{
	va_list args;

	if (!results->fail_why[0]) {
		va_start(args, why);
		vsnprintf(results->fail_why, sizeof(results->fail_why), why, args);
		va_end(args);
	}
	results->pass = false;
}
