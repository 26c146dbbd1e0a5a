/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/x86_64/cpuid.h"
#include "arch/x86_64/paging.h"
#include "arch/x86_64/registers.h"
#include "arch/x86_64/vectors.h"

#include <pagestamp/arch.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct gate {
	uint16_t offset_low, selector, type, offset_middle;
	uint32_t offset_high, reserved;
};

struct __attribute__((packed)) descriptor_register {
	uint16_t limit;
	uint64_t base;
};

/* What the window changes and gives back. */
struct firmware_state {
	struct descriptor_register idt;
	uint64_t flags, cr0, cr3, cr4, xcr0;
};

#define FLAGS_IF       (1ull << 9)
#define GATE_INTERRUPT 0x8e00
#define XCR0_WANTED    0xe7u /* x87, SSE, AVX, AVX-512 */
#define XCR0_AVX       4u

enum { VECTOR_PAGE_FAULT = 14, VECTOR_MACHINE_CHECK = 18 };

static struct gate idt[NR_VECTORS] __attribute__((aligned(16)));

/* Of the last trap, written by trap_record(). */
static struct trap_frame trapped;
static uint64_t trapped_cr2, machine_check_address;
static bool memory_error;

/* ---- enter and leave ------------------------------------------------------- */

static void fill_idt(void)
{
	uint16_t cs;

	__asm__("mov %%cs, %0" : "=r"(cs));
	for (unsigned i = 0; i < NR_VECTORS; i++) {
		uint64_t at = (uint64_t)(uintptr_t)trap_vectors + i * VECTOR_SIZE;

		idt[i] = (struct gate){
			.offset_low = (uint16_t)at,
			.selector = cs,
			.type = GATE_INTERRUPT,
			.offset_middle = (uint16_t)(at >> 16),
			.offset_high = (uint32_t)(at >> 32),
		};
	}
}

static void load_idt(const struct descriptor_register *reg)
{
	__asm__ volatile("lidt %0" : : "m"(*reg) : "memory");
}

static bool has_xsave(void)
{
	return cpuid(1, 0).ecx >> 26 & 1;
}

/* A machine check without CR4.MCE resets the machine. */
static bool has_machine_check(void)
{
	return (cpuid(1, 0).edx & (1u << 7 | 1u << 14)) == (1u << 7 | 1u << 14);
}

/* Inlined, as leave() is: with shadow stacks off no call may return across the switch. */
static inline __attribute__((always_inline)) void enter(struct firmware_state *saved, uint64_t root)
{
	const struct descriptor_register ours = {sizeof(idt) - 1, (uint64_t)(uintptr_t)idt};
	bool xsave = has_xsave();

	__asm__ volatile("pushfq\n\tpop %0\n\tcli" : "=r"(saved->flags) : : "memory");
	__asm__ volatile("sidt %0" : "=m"(saved->idt));
	load_idt(&ours);
	saved->cr0 = read_cr0();
	saved->cr3 = read_cr3();
	saved->cr4 = read_cr4();
	saved->xcr0 = 0;

	/* CET off: abandoning a function would leave its shadow stack behind. */
	write_cr4((saved->cr4 & ~CR4_CET) | (xsave ? CR4_OSXSAVE : 0) |
	          (has_machine_check() ? CR4_MCE : 0));
	/* WP: what is mapped read-only is read-only for us too. */
	write_cr0((saved->cr0 | CR0_WP) & ~CR0_TS);
	if (xsave) {
		saved->xcr0 = xgetbv();
		xsetbv(saved->xcr0 | (cpuid(0xd, 0).eax & XCR0_WANTED));
	}
	write_cr3(root | (saved->cr3 & (~CR3_ADDRESS | paging_encryption())));
}

static inline __attribute__((always_inline)) void leave(const struct firmware_state *saved)
{
	write_cr3(saved->cr3);
	if (saved->xcr0) {
		/* An abandoned function did not clean up; SSE code would pay for it. */
		if (xgetbv() & XCR0_AVX)
			__asm__ volatile("vzeroupper" : : : "memory");
		xsetbv(saved->xcr0);
	}
	write_cr0(saved->cr0);
	write_cr4(saved->cr4);
	load_idt(&saved->idt);
	if (saved->flags & FLAGS_IF)
		__asm__ volatile("sti" : : : "memory");
}

/* ---- a trap ---------------------------------------------------------------- */

/* A bank's status (Intel's SDM 3B, IA32_MCi_STATUS; AMD's APM 2, MCi_STATUS). */
#define MC_VALID       (1ull << 63)
#define MC_UNCORRECTED (1ull << 61)
#define MC_HAS_ADDRESS (1ull << 58)
#define MC_CORRUPT     (1ull << 57)       /* of the processor's context */
#define MC_ADDRESS     ((1ull << 52) - 1) /* AMD has other fields above it */

/*
 * The address that the first uncorrected error names; those banks are cleared, they are
 * reported. It is the memory's error alone while every such bank has an address and none
 * says that the CPU is no longer to be trusted.
 */
static void take_machine_check(void)
{
	unsigned banks = rdmsr(MSR_MCG_CAP) & 0xff;
	uint64_t all = ~0ull;

	machine_check_address = 0;
	for (unsigned i = 0; i < banks; i++) {
		uint64_t status = rdmsr(MSR_MC0_STATUS + 4 * i);

		if (~status & (MC_VALID | MC_UNCORRECTED))
			continue;
		all &= status ^ MC_CORRUPT;
		if (status & MC_HAS_ADDRESS && !machine_check_address)
			machine_check_address = rdmsr(MSR_MC0_ADDR + 4 * i) & MC_ADDRESS;
		wrmsr(MSR_MC0_STATUS + 4 * i, 0);
	}
	memory_error = machine_check_address && !(~all & (MC_HAS_ADDRESS | MC_CORRUPT));
	/* While it is set the next machine check is a shutdown. */
	wrmsr(MSR_MCG_STATUS, 0);
}

void trap_record(const struct trap_frame *frame)
{
	trapped = *frame;
	trapped_cr2 = read_cr2();
	if (frame->vector == VECTOR_MACHINE_CHECK)
		take_machine_check();
}

/* By number, from 0 on. One text and no pointers: those would each cost a relocation. */
static const char vector_names[] = "divide error\0"
				   "debug exception\0"
				   "non-maskable interrupt\0"
				   "breakpoint\0"
				   "overflow\0"
				   "bound range\0"
				   "invalid opcode\0"
				   "device not available\0"
				   "double fault\0"
				   "coprocessor overrun\0"
				   "invalid task segment\0"
				   "segment not present\0"
				   "stack fault\0"
				   "general protection\0"
				   "page fault\0"
				   "\0"
				   "x87 error\0"
				   "alignment check\0"
				   "machine check\0"
				   "SIMD exception\0"
				   "virtualization exception\0"
				   "control protection\0"
				   "\0\0\0\0\0\0"
				   "hypervisor injection\0"
				   "VMM communication\0"
				   "security exception";

/* "" = it has none. */
static const char *vector_name(uint64_t vector)
{
	const char *name = vector_names;

	while (vector-- && name < vector_names + sizeof(vector_names))
		name += strlen(name) + 1;
	return name < vector_names + sizeof(vector_names) ? name : "";
}

static void print_registers(char *out, size_t size, uint64_t root)
{
	static const struct {
		char name[4];
		uint8_t at; /* the word of the frame */
	} reg[] = {
#define REGISTER(name, field) {name, offsetof(struct trap_frame, field) / 8}
		REGISTER("rax", rax),    REGISTER("rbx", rbx), REGISTER("rcx", rcx),
		REGISTER("rdx", rdx),    REGISTER("rsi", rsi), REGISTER("rdi", rdi),
		REGISTER("rbp", rbp),    REGISTER("rsp", rsp), REGISTER("r8 ", r8),
		REGISTER("r9 ", r9),     REGISTER("r10", r10), REGISTER("r11", r11),
		REGISTER("r12", r12),    REGISTER("r13", r13), REGISTER("r14", r14),
		REGISTER("r15", r15),    REGISTER("rip", rip), REGISTER("cs ", cs),
		REGISTER("rfl", rflags),
#undef REGISTER
	};
	const size_t nr = sizeof(reg) / sizeof(reg[0]);
	size_t at = 0;

	for (size_t i = 0; i < nr && at < size; i++)
		at += (size_t)snprintf(out + at, size - at, "%s %016llx%s", reg[i].name,
		                       (unsigned long long)((const uint64_t *)&trapped)[reg[i].at],
		                       i % 3 == 2 ? "\n" : "  ");
	if (at < size)
		snprintf(out + at, size - at, "cr2 %016llx  cr3 %016llx\n",
		         (unsigned long long)trapped_cr2, (unsigned long long)root);
}

static void describe_fault(struct window_fault *fault, uint64_t root)
{
	const char *name = vector_name(trapped.vector);

	memset(fault, 0, sizeof(*fault));
	if (name[0])
		snprintf(fault->what, sizeof(fault->what), "%s", name);
	else
		snprintf(fault->what, sizeof(fault->what), "interrupt %u",
		         (unsigned)trapped.vector);
	fault->pc = trapped.rip;
	fault->code = trapped.code;
	if (trapped.vector == VECTOR_PAGE_FAULT) {
		fault->address = trapped_cr2;
		fault->write = trapped.code & 2;
	} else if (trapped.vector == VECTOR_MACHINE_CHECK) {
		fault->address = machine_check_address;
		fault->memory_error = memory_error;
	}
	print_registers(fault->registers, sizeof(fault->registers), root);
}

bool arch_window_run(uint64_t root, void (*fn)(void *arg), void *arg, struct window_fault *fault)
{
	struct firmware_state saved;
	bool abandoned;

	fill_idt();
	enter(&saved, root);
	abandoned = trap_guarded_call(fn, arg);
	leave(&saved);
	if (abandoned)
		describe_fault(fault, root);
	return !abandoned;
}
