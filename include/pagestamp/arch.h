/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All that an architecture must supply, besides its copy backends (copy.h) and
 * its counter reads (counter.h). A missing piece fails to link. Everything is
 * declared here once and lives under arch/<arch>/ in files of the same names:
 * cpu.c, counter.c, platform.c, paging.c, vectors.S, window.c, copy/.
 */
#ifndef PAGESTAMP_ARCH_H
#define PAGESTAMP_ARCH_H

#include <pagestamp/machine.h>
#include <pagestamp/window.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern const char arch_name[]; /* "x86_64", "arm64" */

/* cpu.c: the fields of `machine` that the CPU itself knows. */
void arch_cpu_describe(struct machine *machine);

/*
 * counter.c: name, and the frequency that the CPU or hypervisor declares in Hz with
 * its source named; 0 when it declares none (boot/ then calibrates).
 */
extern const char arch_counter_name[];
uint64_t arch_counter_declared_hz(char *source, size_t size);

/*
 * platform.c: one access to an I/O port, false where the architecture has none; and
 * whether firmware's Stall() is known to wait by the very counter of counter.c,
 * so that it proves nothing about it.
 */
bool arch_port_read32(uint16_t port, uint32_t *value);
bool arch_port_read8(uint16_t port, uint8_t *value);
bool arch_port_write8(uint16_t port, uint8_t value);
extern const bool arch_stall_is_counter;
/* A rounded frequency from the data sheet, to fall back on: 0 when there is none. */
uint64_t arch_counter_nominal_hz(char *source, size_t size);

/*
 * paging.c: the firmware's translation as it stands. All tables have 4 KiB pages of
 * 512 8-byte entries; levels count from the leaf: 0 = 4 KiB page, 1 = 2 MiB block,
 * top = levels - 1.
 */
struct arch_paging {
	uint64_t root;        /* physical address of the top table */
	unsigned levels;      /* 3..5 */
	unsigned top_entries; /* of the firmware's top table, at most 512; ours has 512 */
	unsigned hole_first;  /* slots of the top table in which a hole may be looked for: */
	unsigned hole_last;   /* [hole_first, hole_last] */
	unsigned pa_bits;     /* what an entry can address */
	/*
	 * [level][writable]: attribute bits of a WB, never-execute leaf. Here and in
	 * table_bits the bits that hardware would set by itself (accessed, dirty) are
	 * set already: entries stay as written, so that one with exactly table_bits
	 * is a table and any other is a leaf.
	 */
	uint64_t leaf_bits[2][2];
	uint64_t table_bits; /* attribute bits of a table entry */
	uint64_t address_mask;
	/* Memory encryption: set in the bits above, taken out for a device. 0 = none. */
	uint64_t encryption;
};

/*
 * Fills `out` from the live registers. False with a reason that names the register's
 * value: a granule other than 4 KiB, an E2H=1 layout, memory encryption that cannot
 * be carried over, no WB attribute to be had.
 */
bool arch_paging_probe(struct arch_paging *out, char *why, size_t why_size);

/* paging.c: whether the translation now in force lets the address be read. */
bool arch_address_mapped(uint64_t va);

static inline bool arch_pte_present(uint64_t pte)
{
	return pte & 1; /* P on x86-64, VALID on arm64 */
}

/* The virtual address of a top-table slot, sign-extended where the architecture wants it. */
uintptr_t arch_slot_address(const struct arch_paging *paging, unsigned slot);

/*
 * window.c: interrupts off, our vectors, translation through `root` (a top table like
 * the firmware's plus our slots; every change made to its tables before the call is
 * seen), run fn(arg), put everything back. A fault in fn abandons it: false with
 * `*fault` filled. Never returns with firmware state changed.
 *
 * Within fn the vector units that the CPU has are switched on (x86-64: CR4.OSXSAVE
 * and XCR0; arm64: FP, SVE), also where firmware leaves them off.
 */
bool arch_window_run(uint64_t root, void (*fn)(void *arg), void *arg, struct window_fault *fault);

/* Makes table changes of addresses that were never or no longer mapped visible. */
void arch_tlb_flush(void);

/* cache.c: writes back and drops every line of [from, from + bytes), from all levels. */
void arch_cache_flush(const void *from, size_t bytes);

#endif
