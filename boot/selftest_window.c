/* SPDX-License-Identifier: BSD-2-Clause */
/* What must hold of the window wherever the program runs: nothing of an architecture here. */
#include "boot/selftest_window.h"
#include "boot/efi.h"

#include <pagestamp/counter.h>
#include <pagestamp/window.h>
#include <string.h>

#define SIZE      (2 * WINDOW_BLOCK)
#define NR_WORDS  (SIZE / sizeof(uint64_t))
#define NR_FAULTS 100

/* What a function in the window is told and tells. Volatile: it may end at any access. */
struct visit {
	volatile uint64_t *at;
	uint64_t value;
	volatile uint64_t seen;
	volatile bool went_on; /* past the access */
};

/* ---- in the window --------------------------------------------------------- */

static uint64_t pattern(uint64_t i)
{
	return i * 0x9e3779b97f4a7c15 + 1;
}

static void fill(void *arg)
{
	struct visit *visit = arg;

	for (uint64_t i = 0; i < NR_WORDS; i++)
		visit->at[i] = pattern(i);
}

/* seen = words that are as filled, counted from the pattern's word `value` on, in 4 KiB. */
static void compare_page(void *arg)
{
	struct visit *visit = arg;
	uint64_t same = 0;

	for (uint64_t i = 0; i < WINDOW_PAGE / sizeof(uint64_t); i++)
		same += visit->at[i] == pattern(visit->value + i);
	visit->seen = same;
}

static void load(void *arg)
{
	struct visit *visit = arg;

	visit->seen = *visit->at;
	visit->went_on = true;
}

static void store(void *arg)
{
	struct visit *visit = arg;

	*visit->at = visit->value;
	visit->went_on = true;
}

static void count(void *arg)
{
	struct visit *visit = arg;
	uint64_t last = counter_begin();

	visit->went_on = true;
	for (int i = 0; i < 1000; i++) {
		uint64_t begin = counter_begin(), end = counter_end();

		if (begin < last || end < begin)
			visit->went_on = false;
		last = end;
	}
}

/* ---- memory ---------------------------------------------------------------- */

static bool apart(const struct backing *a, const struct backing *b)
{
	for (size_t i = 0; i < a->nr; i++)
		for (size_t j = 0; j < b->nr; j++)
			if (a->extent[i].phys < b->extent[j].phys + b->extent[j].size &&
			    b->extent[j].phys < a->extent[i].phys + a->extent[i].size)
				return false;
	return true;
}

static void check_supply(void (*report)(bool ok, const char *name))
{
	struct backing a, b;
	uint64_t available, more;
	bool ok;

	report(!backing_alloc(1ull << 62, BACKING_WHOLE, &a, &available) && !a.nr && available &&
	               available % WINDOW_BLOCK == 0,
	       "too much memory is refused with what there is");
	ok = backing_alloc(SIZE - 1, BACKING_WHOLE, &a, &more);
	ok = backing_alloc(SIZE, BACKING_PIECES, &b, &more) && ok;
	report(ok && a.size == SIZE && a.fresh && b.fresh && apart(&a, &b),
	       "memory is fresh and given out once");
	backing_free(&a);
	backing_free(&b);
}

/* ---- around it ------------------------------------------------------------- */

static bool same_page(uintptr_t va, uint64_t first_word)
{
	struct visit visit = {.at = (volatile uint64_t *)va, .value = first_word};
	struct window_fault fault;

	return window_run(compare_page, &visit, &fault) &&
	       visit.seen == WINDOW_PAGE / sizeof(uint64_t);
}

static bool printable(const char *registers)
{
	size_t columns = 0;

	for (const char *c = registers; *c; c++) {
		columns = *c == '\n' ? 0 : columns + 1;
		if (columns > 78 || (*c != '\n' && (*c < ' ' || *c > '~')))
			return false;
	}
	return *registers;
}

static bool in_image(uint64_t pc)
{
	return pc - (uintptr_t)efi_loaded->ImageBase < efi_loaded->ImageSize;
}

/* Does the access fault at its own address, is it told apart, and did nothing run after it? */
static bool faults(void (*access)(void *), uintptr_t va)
{
	struct visit visit = {.at = (volatile uint64_t *)va, .value = 1};
	struct window_fault fault;

	memset(&fault, 0, sizeof(fault));
	return !window_run(access, &visit, &fault) && !visit.went_on && fault.address == va &&
	       fault.write == (access == store) && fault.what[0] && in_image(fault.pc) &&
	       !fault.memory_error && printable(fault.registers);
}

static bool firmware_stalls(void)
{
	uint64_t begin = counter_begin();

	return efi_bs->Stall(1000) == EFI_SUCCESS && counter_end() > begin;
}

static bool at_application_tpl(void)
{
	EFI_TPL tpl = efi_bs->RaiseTPL(TPL_HIGH_LEVEL);

	efi_bs->RestoreTPL(tpl);
	return tpl == TPL_APPLICATION;
}

/* A timer event fires only when the timer's interrupt comes through. */
static bool interrupts_arrive(void)
{
	EFI_EVENT event;
	EFI_STATUS status, closed;

	if (efi_bs->CreateEvent(EVT_TIMER, TPL_CALLBACK, NULL, NULL, &event) != EFI_SUCCESS)
		return false;
	status = efi_bs->SetTimer(event, TimerRelative, 10000); /* 1 ms */
	if (status == EFI_SUCCESS)
		status = EFI_NOT_READY;
	for (int i = 0; i < 1000 && status == EFI_NOT_READY; i++) {
		status = efi_bs->Stall(1000);
		if (status != EFI_SUCCESS)
			efi_note("Stall", status);
		else
			status = efi_bs->CheckEvent(event);
	}
	closed = efi_bs->CloseEvent(event);
	return status == EFI_SUCCESS && closed == EFI_SUCCESS;
}

static void check_memory(void (*report)(bool ok, const char *name), const struct backing *backing)
{
	uintptr_t base = window_base(), odd = base + 8 * WINDOW_BLOCK + WINDOW_PAGE;
	uintptr_t end = base + window_size();
	struct visit visit = {.at = (volatile uint64_t *)base};
	struct window_fault fault;

	report(window_map_backing(base, backing, 0, SIZE) && window_run(fill, &visit, &fault) &&
	               same_page(base, 0) &&
	               same_page(base + SIZE - WINDOW_PAGE, (SIZE - WINDOW_PAGE) / 8),
	       "memory holds what was written");
	report(window_map_backing(odd, backing, WINDOW_BLOCK - WINDOW_PAGE, WINDOW_BLOCK) &&
	               same_page(odd, (WINDOW_BLOCK - WINDOW_PAGE) / 8) &&
	               same_page(odd + WINDOW_PAGE, WINDOW_BLOCK / 8),
	       "the same memory by 4 KiB pages");
	report(!window_map_backing(base, backing, WINDOW_BLOCK, SIZE) &&
	               !window_map_backing(base - WINDOW_PAGE, backing, 0, WINDOW_PAGE) &&
	               !window_map_backing(end, backing, 0, WINDOW_PAGE),
	       "mapping out of bounds is refused");
	window_unmap(odd, WINDOW_BLOCK);
	report(faults(load, odd) && faults(store, odd + WINDOW_PAGE), "unmapped pages fault");
}

static void check_alias(void (*report)(bool ok, const char *name))
{
	uintptr_t base = window_base(), alias = base + (1ull << 30);
	uintptr_t target = base + 3 * WINDOW_PAGE;

	report(window_alias(alias, target, 7 * WINDOW_PAGE) &&
	               same_page(alias, 3 * WINDOW_PAGE / 8) &&
	               same_page(alias + 6 * WINDOW_PAGE, 3 * WINDOW_PAGE / 8),
	       "an alias shows its target");
	report(faults(store, alias + 2 * WINDOW_PAGE + 8) && same_page(target, 3 * WINDOW_PAGE / 8),
	       "a store to an alias faults");
	report(window_alias(base + 4 * WINDOW_PAGE, target, WINDOW_PAGE) &&
	               same_page(base + 4 * WINDOW_PAGE, 3 * WINDOW_PAGE / 8) &&
	               same_page(base + 5 * WINDOW_PAGE, 5 * WINDOW_PAGE / 8) &&
	               faults(store, base + 4 * WINDOW_PAGE),
	       "an alias replaces a page inside a block");
	window_unmap(alias, 7 * WINDOW_PAGE);
	report(faults(load, alias), "an unmapped alias faults");
}

/* Our own memory stands in for a device: no machine is asked to have one. */
static void check_readonly(void (*report)(bool ok, const char *name), const struct backing *backing)
{
	const struct pmem_range range = {.base = backing->extent[0].phys, .size = WINDOW_BLOCK};
	const struct pmem_range beyond = {.base = 1ull << 60, .size = WINDOW_BLOCK};
	uintptr_t va = window_base() + 16 * WINDOW_BLOCK;

	report(window_map_readonly(va, &range, 0, WINDOW_BLOCK) && same_page(va, 0) &&
	               same_page(va + WINDOW_PAGE, WINDOW_PAGE / 8),
	       "a range can be read");
	report(faults(store, va) && faults(store, va + WINDOW_BLOCK - 8) && same_page(va, 0),
	       "a store to a range faults");
	report(!window_map_readonly(va, &range, WINDOW_PAGE, WINDOW_BLOCK) &&
	               !window_map_readonly(va, &range, ~0ull - WINDOW_PAGE + 1, WINDOW_PAGE) &&
	               !window_map_readonly(va, &beyond, 0, WINDOW_PAGE),
	       "a range out of bounds is refused");
	window_unmap(va, WINDOW_BLOCK);
	report(faults(load, va), "an unmapped range faults");
}

static void check_firmware(void (*report)(bool ok, const char *name))
{
	struct visit visit = {.went_on = false};
	struct window_fault fault;
	uintptr_t nowhere = window_base() + (3ull << 30);
	int good = 0;

	for (int i = 0; i < NR_FAULTS; i++)
		good += faults(i % 2 ? store : load, nowhere + (uintptr_t)i * 8);
	report(good == NR_FAULTS, "100 faults in a row are each reported");
	report(firmware_stalls(), "firmware is alive after them");
	report(at_application_tpl(), "the task priority is as it was");
	report(interrupts_arrive(), "interrupts arrive again");
	report(window_run(count, &visit, &fault) && visit.went_on,
	       "the counter never goes back in the window");
}

void selftest_window(void (*report)(bool ok, const char *name))
{
	struct backing backing;
	uint64_t available;

	report(window_base() && window_size() >= 64ull << 30, "64 GiB of address space");
	check_supply(report);
	if (!backing_alloc(SIZE, BACKING_WHOLE, &backing, &available)) {
		report(false, "4 MiB of memory");
		return;
	}
	check_memory(report, &backing);
	check_alias(report);
	check_readonly(report, &backing);
	check_firmware(report);
	window_unmap(window_base(), SIZE);
	report(faults(load, window_base()) && faults(store, window_base()),
	       "memory is gone when unmapped");
	backing_free(&backing);
}
