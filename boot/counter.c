/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/efi.h"
#include "boot/pm_timer.h"

#include <pagestamp/arch.h>
#include <pagestamp/counter_setup.h>
#include <stdio.h>
#include <string.h>

#define WINDOW_US        15000u
#define NR_STALLS        6u /* in a window */
#define NR_WINDOWS       5u
#define ONE_PERCENT      10000u /* in ppm */
#define OVERHEAD_SAMPLES 10000u

/* ---- two clocks to measure the counter by ---------------------------------- */

/* A read of both at once: of several, the one that took least. */
static void read_both(const struct pm_timer *timer, uint64_t *ticks, uint32_t *pm)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < 4; i++) {
		uint64_t before = counter_begin();
		uint32_t value = pm_timer_read(timer);
		uint64_t took = counter_begin() - before;

		if (took >= least)
			continue;
		least = took;
		*ticks = before + took / 2;
		*pm = value;
	}
}

/* The counter's Hz over one window, 0 when the timer stands still. */
static uint64_t hz_by_pm_timer(const struct pm_timer *timer)
{
	const uint32_t window = (uint64_t)PM_TIMER_HZ * WINDOW_US / 1000000;
	unsigned patience = 4000000; /* reads; a second or more */
	uint64_t begin = 0, end = 0;
	uint32_t pm_begin = 0, pm_end = 0;

	read_both(timer, &begin, &pm_begin);
	while (((pm_timer_read(timer) - pm_begin) & timer->mask) < window)
		if (!--patience)
			return 0;
	read_both(timer, &end, &pm_end);
	return (end - begin) * PM_TIMER_HZ / ((pm_end - pm_begin) & timer->mask);
}

static EFI_STATUS stall_status;

/* Stall() may wait longer than asked, never less: of several, the shortest. */
static uint64_t hz_by_stall(const struct pm_timer *unused)
{
	const uint32_t us = WINDOW_US / NR_STALLS;
	uint64_t least = UINT64_MAX;

	(void)unused;
	for (unsigned i = 0; i < NR_STALLS; i++) {
		uint64_t begin = counter_begin();
		uint64_t took;

		stall_status |= efi_bs->Stall(us);
		took = counter_end() - begin;
		if (took < least)
			least = took;
	}
	return least * 1000000 / us;
}

static uint64_t apart_ppm(uint64_t a, uint64_t b)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;

	return low ? (uint64_t)((double)(high - low) * 1e6 / (double)low) : UINT64_MAX;
}

/*
 * The median of several windows, 0 when they scatter by more than 1 %: such a clock
 * is too coarse. What comes first is dropped: it pays for cold code and data.
 */
static uint64_t measure(uint64_t (*window)(const struct pm_timer *), const struct pm_timer *timer)
{
	uint64_t hz[NR_WINDOWS];

	window(timer);
	for (unsigned i = 0; i < NR_WINDOWS; i++) {
		EFI_TPL tpl = efi_bs->RaiseTPL(TPL_HIGH_LEVEL);
		uint64_t value = window(timer);
		unsigned at = i;

		efi_bs->RestoreTPL(tpl);
		for (; at && hz[at - 1] > value; at--)
			hz[at] = hz[at - 1];
		hz[at] = value;
	}
	/* One window may have been stolen by whoever runs us: the ends do not count. */
	if (apart_ppm(hz[1], hz[NR_WINDOWS - 2]) > ONE_PERCENT)
		return 0;
	return hz[NR_WINDOWS / 2];
}

/* ---- which to believe ------------------------------------------------------ */

static uint64_t ask_cpu(char *name, size_t size)
{
	return arch_counter_declared_hz(name, size);
}

static uint64_t ask_pm_timer(char *name, size_t size)
{
	struct pm_timer timer;

	snprintf(name, size, "acpi pm timer");
	return pm_timer_find(&timer) ? measure(hz_by_pm_timer, &timer) : 0;
}

static uint64_t ask_stall(char *name, size_t size)
{
	uint64_t hz;

	snprintf(name, size, "stall");
	hz = arch_stall_is_counter ? 0 : measure(hz_by_stall, NULL);
	if (stall_status == EFI_SUCCESS)
		return hz;
	efi_note("Stall", stall_status);
	return 0;
}

static uint64_t ask_data_sheet(char *name, size_t size)
{
	return arch_counter_nominal_hz(name, size);
}

/* The best first. */
static uint64_t (*const sources[])(char *name, size_t size) = {
	ask_cpu,
	ask_pm_timer,
	ask_stall,
	ask_data_sheet,
};

/* From *next on, the first source that has an answer: 0 and "none" when there is none. */
static uint64_t ask(unsigned *next, char *name, size_t size)
{
	while (*next < sizeof(sources) / sizeof(sources[0])) {
		uint64_t hz = sources[(*next)++](name, size);

		if (hz)
			return hz;
	}
	snprintf(name, size, "none");
	return 0;
}

static uint64_t smallest_overhead(void)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < OVERHEAD_SAMPLES; i++) {
		uint64_t begin = counter_begin();
		uint64_t took = counter_end() - begin;

		if (took < least)
			least = took;
	}
	return least;
}

void counter_setup(struct counter *out)
{
	unsigned next = 0;
	uint64_t second;

	memset(out, 0, sizeof(*out));
	out->name = arch_counter_name;
	out->overhead_ticks = smallest_overhead();
	out->hz = ask(&next, out->source, sizeof(out->source));
	second = ask(&next, out->cross_check, sizeof(out->cross_check));
	if (out->hz && second)
		out->disagreement_ppm = apart_ppm(out->hz, second);
	if (out->disagreement_ppm > ONE_PERCENT)
		out->hz = 0;
	if (out->hz)
		out->resolution_ns = 1e9 / (double)out->hz;
}
