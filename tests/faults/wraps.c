/* SPDX-License-Identifier: BSD-2-Clause */
/* What the linker puts before functions of our own: --wrap in tests/faults.mk. */
#include "tests/faults/faults.h"
#include "tests/faults/poison.h"

#include <pagestamp/arch.h>
#include <pagestamp/arch_exit.h>
#include <stdint.h>
#include <sys/reent.h>

/* ---- the heap -------------------------------------------------------------- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t nr, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real__malloc_r(struct _reent *reent, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap__malloc_r(struct _reent *reent, size_t size);

/*
 * stdio's first request, out of 32 MiB that nobody used yet, cannot fail; newlib does not
 * expect it to.
 */
static bool started;

bool __real_libc_init(void);
bool __wrap_libc_init(void);

bool __wrap_libc_init(void)
{
	started = __real_libc_init();
	return started;
}

/* The library's own requests are counted too, but none twice. */
static unsigned inside;

void *__wrap_malloc(size_t size)
{
	void *got;

	if (started && FAULT(malloc))
		return NULL;
	inside++;
	got = __real_malloc(size);
	inside--;
	return got;
}

void *__wrap_calloc(size_t nr, size_t size)
{
	void *got;

	if (started && FAULT(malloc))
		return NULL;
	inside++;
	got = __real_calloc(nr, size);
	inside--;
	return got;
}

void *__wrap_realloc(void *old, size_t size)
{
	void *got;

	if (started && FAULT(malloc))
		return NULL;
	inside++;
	got = __real_realloc(old, size);
	inside--;
	return got;
}

void *__wrap__malloc_r(struct _reent *reent, size_t size)
{
	if (started && !inside && FAULT(malloc))
		return NULL;
	return __real__malloc_r(reent, size);
}

/* ---- the window ------------------------------------------------------------ */

bool __real_arch_window_run(uint64_t root, void (*fn)(void *arg), void *arg,
                            struct window_fault *fault);
bool __wrap_arch_window_run(uint64_t root, void (*fn)(void *arg), void *arg,
                            struct window_fault *fault);

/* Before there is a window's space, an address that no firmware maps. */
#define NOWHERE (1ull << 46)

/* The middle of the window's space: what is mapped lies at its ends. */
static void touch_nothing(void *arg)
{
	const uintptr_t middle = window_base() + window_size() / 2;

	(void)arg;
	*(volatile uint64_t *)(middle ? middle : NOWHERE) = 0;
}

bool __wrap_arch_window_run(uint64_t root, void (*fn)(void *arg), void *arg,
                            struct window_fault *fault)
{
	return __real_arch_window_run(root, FAULT(window) ? touch_nothing : fn, arg, fault);
}

/* ---- poison ---------------------------------------------------------------- */

bool __real_window_map_readonly(uintptr_t va, const struct pmem_range *range, uint64_t offset,
                                uint64_t size);
bool __wrap_window_map_readonly(uintptr_t va, const struct pmem_range *range, uint64_t offset,
                                uint64_t size);
void __real_window_unmap(uintptr_t va, uint64_t size);
void __wrap_window_unmap(uintptr_t va, uint64_t size);
bool __real_window_run(void (*fn)(void *arg), void *arg, struct window_fault *fault);
bool __wrap_window_run(void (*fn)(void *arg), void *arg, struct window_fault *fault);

/* The view of a range that is mapped; size 0 = none. */
static struct {
	uintptr_t va;
	const struct pmem_range *range;
	uint64_t offset, size;
} view;

bool __wrap_window_map_readonly(uintptr_t va, const struct pmem_range *range, uint64_t offset,
                                uint64_t size)
{
	const bool ok = __real_window_map_readonly(va, range, offset, size);

	if (ok) {
		view.va = va;
		view.range = range;
		view.offset = offset;
		view.size = size;
	}
	return ok;
}

void __wrap_window_unmap(uintptr_t va, uint64_t size)
{
	if (va == view.va)
		view.size = 0;
	__real_window_unmap(va, size);
}

bool __wrap_window_run(void (*fn)(void *arg), void *arg, struct window_fault *fault)
{
	if (view.size && FAULT(poison) &&
	    !poison_view(view.va, view.range, view.offset, view.size, &fn))
		faults_say("no way to poison");
	return __real_window_run(fn, arg, fault);
}

/* ---- the end --------------------------------------------------------------- */

void __real_arch_qemu_exit(unsigned code);
void __wrap_arch_qemu_exit(unsigned code);

void __wrap_arch_qemu_exit(unsigned code)
{
	faults_tell();
	__real_arch_qemu_exit(code);
}
