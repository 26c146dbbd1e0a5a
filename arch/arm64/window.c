/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The quiet window.
 *
 * The switch of TTBR0 runs with the MMU on and without a change of ASID. That is safe
 * because the two top tables agree in every entry that firmware has: for an address
 * that it maps, whichever table a walk or a TLB entry comes from, the translation is
 * the same, so there is nothing to break before it is made. For our slots the
 * firmware's table has invalid entries, and those are never held in a TLB; what a walk
 * through our table left behind for them is invalidated after we have gone back.
 *
 * A narrow T0SZ is widened (paging.h) while our table is in place and not longer: its
 * slots behind the firmware's are ours, the firmware's table may end there. Firmware's
 * addresses have zeros in the bits that T0SZ adds, so they translate alike before,
 * between and after the two writes.
 */
#include "context.h"
#include "paging.h"
#include "sysreg.h"

#include <arch/pte_hardware.h>
#include <pagestamp/arch.h>

#define TTBR_ASID (0xffffull << 48)

#define ISR_A (1ull << 8)

#define TCR_EL1_HA (1ull << 39)
#define TCR_EL2_HA (1ull << 21)

#define CPACR_FPEN  (3ull << 20)
#define CPACR_ZEN   (3ull << 16)
#define CPTR_TFP    (1ull << 10)
#define CPTR_TZ     (1ull << 8)
#define ZCR_LONGEST 0xf

struct firmware_state {
	uint64_t daif, vbar, ttbr0, tcr, tpidr, tpidrro, vector_control, zcr;
};

void arch_tlb_flush(void)
{
	__asm__ volatile("dsb ishst" ::: "memory");
	if (current_el() == 2)
		__asm__ volatile("tlbi alle2" ::: "memory");
	else
		__asm__ volatile("tlbi vmalle1" ::: "memory");
	__asm__ volatile("dsb ish\n\tisb" ::: "memory");
}

static bool has_sve(void)
{
	return bits(READ_SYSREG(id_aa64pfr0_el1), 32, 4);
}

/* By encoding: ZCR's name needs an assembler that was told of SVE. */
static uint64_t read_zcr(void)
{
	return own_is_el2() ? READ_SYSREG(S3_4_C1_C2_0) : READ_SYSREG(S3_0_C1_C2_0);
}

static void write_zcr(uint64_t value)
{
	if (own_is_el2())
		WRITE_SYSREG(S3_4_C1_C2_0, value);
	else
		WRITE_SYSREG(S3_0_C1_C2_0, value);
}

/* FP, and SVE at its longest vectors where there is one. */
static void vectors_on(struct firmware_state *saved)
{
	if (own_is_el2()) {
		saved->vector_control = READ_SYSREG(cptr_el2);
		WRITE_SYSREG(cptr_el2,
		             saved->vector_control & ~(CPTR_TFP | (has_sve() ? CPTR_TZ : 0)));
	} else {
		saved->vector_control = READ_SYSREG(cpacr_el1);
		WRITE_SYSREG(cpacr_el1,
		             saved->vector_control | CPACR_FPEN | (has_sve() ? CPACR_ZEN : 0));
	}
	isb();
	if (has_sve()) {
		saved->zcr = read_zcr();
		write_zcr(ZCR_LONGEST);
		isb();
	}
}

static void vectors_back(const struct firmware_state *saved)
{
	if (has_sve())
		write_zcr(saved->zcr);
	if (own_is_el2())
		WRITE_SYSREG(cptr_el2, saved->vector_control);
	else
		WRITE_SYSREG(cpacr_el1, saved->vector_control);
	isb();
}

/* As Linux, where the CPU can: an old entry that is used becomes young by itself. */
static uint64_t tcr_hardware_young(void)
{
	if (!arch_hardware_sets_young())
		return 0;
	return own_is_el2() ? TCR_EL2_HA : TCR_EL1_HA;
}

static void enter(struct firmware_state *saved, struct window_context *context, uint64_t root)
{
	saved->daif = READ_SYSREG(daif);
	__asm__ volatile("msr daifset, #0xf" ::: "memory");
	saved->vbar = READ_OWN(vbar);
	saved->ttbr0 = READ_OWN(ttbr0);
	saved->tcr = READ_OWN(tcr);
	saved->tpidr = READ_SYSREG(tpidr_el1);
	saved->tpidrro = READ_SYSREG(tpidrro_el0);

	WRITE_SYSREG(tpidr_el1, (uintptr_t)context);
	WRITE_OWN(vbar, (uintptr_t)window_vectors);
	vectors_on(saved);
	/* Ours is shared with no other CPU: CnP stays clear. */
	WRITE_OWN(ttbr0, root | (saved->ttbr0 & TTBR_ASID));
	isb();
	WRITE_OWN(tcr, window_tcr(saved->tcr) | tcr_hardware_young());
	isb();
	arch_tlb_flush();
}

static void leave(const struct firmware_state *saved)
{
	__asm__ volatile("msr daifset, #0xf" ::: "memory");
	WRITE_OWN(tcr, saved->tcr);
	isb();
	WRITE_OWN(ttbr0, saved->ttbr0);
	isb();
	arch_tlb_flush();
	vectors_back(saved);
	WRITE_OWN(vbar, saved->vbar);
	WRITE_SYSREG(tpidr_el1, saved->tpidr);
	WRITE_SYSREG(tpidrro_el0, saved->tpidrro);
	isb();
	WRITE_SYSREG(daif, saved->daif);
}

struct call {
	void (*fn)(void *arg);
	void *arg;
};

/*
 * SErrors are let through, so that one that fn causes (an uncorrectable error of the
 * memory it writes) is reported as its fault. But one that is pending already is not
 * ours: some firmware runs with them masked and leaves one from probing its buses.
 * The barrier at the end has them arrive while fn can still be blamed.
 */
static void call_with_serrors(void *argument)
{
	const struct call *call = argument;

	if (!(READ_SYSREG(isr_el1) & ISR_A))
		__asm__ volatile("msr daifclr, #4" ::: "memory");
	call->fn(call->arg);
	__asm__ volatile("dsb sy\n\tisb\n\tmsr daifset, #4" ::: "memory");
}

bool arch_window_run(uint64_t root, void (*fn)(void *arg), void *arg, struct window_fault *fault)
{
	struct firmware_state saved = {0};
	struct window_context context;
	struct call call = {fn, arg};
	bool faulted;

	enter(&saved, &context, root);
	faulted = window_call(&context, call_with_serrors, &call);
	leave(&saved);
	if (faulted)
		window_fault_describe(&context, fault);
	return !faulted;
}
