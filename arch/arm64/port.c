/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/arch.h>

bool arch_port_read32(uint16_t port, uint32_t *value)
{
	(void)port;
	(void)value;
	return false;
}
