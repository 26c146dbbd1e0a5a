/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The quiet window: our page tables, our vectors, interrupts off, firmware
 * untouched. Entered and left in one place, window_run(). Two implementations:
 * boot/window.c over arch/, host/window.c over a memory file.
 *
 * Outside the window nothing mapped here may be touched. Inside it no firmware
 * call, no stdio, no malloc.
 */
#ifndef PAGESTAMP_WINDOW_H
#define PAGESTAMP_WINDOW_H

#include <pagestamp/consent.h>
#include <pagestamp/range.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WINDOW_PAGE  4096ull
#define WINDOW_BLOCK (2ull << 20)

/* RAM that belongs to the program; 2 MiB aligned pieces, never touched by it before. */
struct backing_extent {
	uint64_t phys, size; /* bytes, multiples of WINDOW_BLOCK */
};
struct backing {
	struct backing_extent *extent;
	size_t nr;
	uint64_t size; /* bytes, the sum */
	bool fresh;    /* no piece was ever given out before in this boot */
};

/* Mapped whole (large entries, where the platform has a choice), or page by page with aliases. */
enum backing_use { BACKING_WHOLE, BACKING_PIECES };

/*
 * Takes `bytes` (rounded up to 2 MiB) of conventional memory. On failure returns
 * false, `out` empty, and `*available` = the most that would have fitted.
 */
bool backing_alloc(uint64_t bytes, enum backing_use use, struct backing *out, uint64_t *available);
void backing_free(struct backing *backing);

/*
 * No backing comes from [base, base + size) any more: it stands for huge pages. The firmware
 * keeps it, for nobody touches what lies there. False = out of memory.
 */
bool backing_set_aside(uint64_t base, uint64_t size);

struct window_error {
	char why[160];
};

/* Builds the tables. False with a reason: an address-space layout that is not supported. */
bool window_init(struct window_error *error);
void window_fini(void);

/* Free virtual space for memmaps and views: [window_base, window_base + window_size). */
uintptr_t window_base(void);
uint64_t window_size(void);

/*
 * Mappings, made and dropped outside window_run(). `va`, `offset` and `size` are
 * multiples of 4 KiB inside the window's space; 2 MiB entries are used where va and
 * physical address allow. False: no memory for tables, or out of bounds.
 */
bool window_map_backing(uintptr_t va, const struct backing *backing, uint64_t offset,
                        uint64_t size);
bool window_map_device(uintptr_t va, const struct consented *device, uint64_t offset,
                       uint64_t size);
bool window_map_readonly(uintptr_t va, const struct pmem_range *range, uint64_t offset,
                         uint64_t size);
/* Every 4 KiB page of [va, va + size) becomes a read-only view of the page at `target`. */
bool window_alias(uintptr_t va, uintptr_t target, uint64_t size);
/* How many calls of the above may stand at once, each alias page counted: UINT64_MAX = any number.
 */
uint64_t window_mapping_limit(void);
/* Also gives back the tables it emptied. */
void window_unmap(uintptr_t va, uint64_t size);

/*
 * A page table of the caller's own: the 4 KiB of the backing at `offset` become the lowest
 * table of the 2 MiB at `va` (whole blocks), as they stand and however they change in the
 * window. An entry is an address in RAM | attributes; `*attributes` are those of a young,
 * read-only page. window_unmap_table() takes it out again, and is harmless without one.
 * False: out of bounds, no memory, or window_table_refused() says why there are none.
 */
bool window_map_table(uintptr_t va, const struct backing *backing, uint64_t offset,
                      uint64_t *attributes);
void window_unmap_table(uintptr_t va);
const char *window_table_refused(void);

struct window_fault {
	char what[48]; /* "page fault", "data abort", "general protection", ... */
	/*
	 * Faulting address, where there is one: a virtual one; of a machine check (x86-64)
	 * the physical one.
	 */
	uint64_t address;
	uint64_t pc;
	uint64_t code; /* error code or ESR */
	bool write;
	/*
	 * The memory could not give its bytes, nothing but what fn did is lost (Intel's SDM
	 * 3B, "Machine-Check Architecture": uncorrected, PCC clear; Arm's ARM, ESR_ELx of
	 * external aborts and SErrors: contained).
	 */
	bool memory_error;
	char registers[1024]; /* printable, lines of at most 78 columns */
};

/*
 * Runs fn(arg) in the window. True, or false with `*fault` filled when fn faulted:
 * it was abandoned there, the firmware's state is restored, the program goes on.
 */
bool window_run(void (*fn)(void *arg), void *arg, struct window_fault *fault);

/* "2M" or "4K": the largest entry the window maps with (machine.window_page). */
const char *window_page_name(void);

#endif
