/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers that only a kernel may touch. */
#ifndef ARCH_X86_64_REGISTERS_H
#define ARCH_X86_64_REGISTERS_H

#include <stdint.h>

#define CR0_TS      (1ull << 3)
#define CR0_WP      (1ull << 16)
#define CR4_MCE     (1ull << 6)
#define CR4_PGE     (1ull << 7)
#define CR4_LA57    (1ull << 12)
#define CR4_OSXSAVE (1ull << 18)
#define CR4_CET     (1ull << 23)

#define MSR_MICROCODE  0x8b
#define MSR_MCG_CAP    0x179
#define MSR_MCG_STATUS 0x17a
#define MSR_PAT        0x277
#define MSR_MC0_STATUS 0x401
#define MSR_MC0_ADDR   0x402
#define MSR_EFER       0xc0000080
#define EFER_NXE       (1ull << 11)

#define CONTROL_REGISTER(n)                                                                        \
	static inline uint64_t read_cr##n(void)                                                    \
	{                                                                                          \
		uint64_t value;                                                                    \
		__asm__ volatile("mov %%cr" #n ", %0" : "=r"(value) : : "memory");                 \
		return value;                                                                      \
	}                                                                                          \
	static inline void write_cr##n(uint64_t value)                                             \
	{                                                                                          \
		__asm__ volatile("mov %0, %%cr" #n : : "r"(value) : "memory");                     \
	}

CONTROL_REGISTER(0)
CONTROL_REGISTER(2)
CONTROL_REGISTER(3)
CONTROL_REGISTER(4)

static inline uint64_t rdmsr(uint32_t msr)
{
	uint32_t low, high;

	__asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
	return (uint64_t)high << 32 | low;
}

static inline void wrmsr(uint32_t msr, uint64_t value)
{
	__asm__ volatile("wrmsr"
	                 :
	                 : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
	                 : "memory");
}

static inline uint64_t xgetbv(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

static inline void xsetbv(uint64_t value)
{
	__asm__ volatile("xsetbv"
	                 :
	                 : "c"(0), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
	                 : "memory");
}

#endif
