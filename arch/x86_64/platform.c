/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/x86_64/cpuid.h"

#include <pagestamp/arch.h>
#include <stdio.h>

const bool arch_stall_is_counter = false;

bool arch_port_read32(uint16_t port, uint32_t *value)
{
	__asm__ volatile("inl %1, %0" : "=a"(*value) : "Nd"(port));
	return true;
}

bool arch_port_read8(uint16_t port, uint8_t *value)
{
	__asm__ volatile("inb %1, %0" : "=a"(*value) : "Nd"(port));
	return true;
}

bool arch_port_write8(uint16_t port, uint8_t value)
{
	__asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
	return true;
}

/* The base frequency in whole MHz. The counter's own may be a few tenths of a percent off. */
uint64_t arch_counter_nominal_hz(char *source, size_t size)
{
	uint64_t mhz = cpuid(0x16, 0).eax & 0xffff;

	snprintf(source, size, "cpuid 0x16");
	return mhz * 1000000;
}
