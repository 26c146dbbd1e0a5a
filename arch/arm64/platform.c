/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/arch.h>

/* EDK2 waits by the generic timer, and so does everybody else: there is nothing else. */
const bool arch_stall_is_counter = true;

bool arch_port_read32(uint16_t port, uint32_t *value)
{
	(void)port;
	(void)value;
	return false;
}

bool arch_port_read8(uint16_t port, uint8_t *value)
{
	(void)port;
	(void)value;
	return false;
}

bool arch_port_write8(uint16_t port, uint8_t value)
{
	(void)port;
	(void)value;
	return false;
}

uint64_t arch_counter_nominal_hz(char *source, size_t size)
{
	(void)source;
	(void)size;
	return 0;
}
