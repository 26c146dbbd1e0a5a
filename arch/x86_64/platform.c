/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/arch.h>

const bool arch_stall_is_counter = false;

bool arch_port_read32(uint16_t port, uint32_t *value)
{
	__asm__ volatile("inl %1, %0" : "=a"(*value) : "Nd"(port));
	return true;
}
