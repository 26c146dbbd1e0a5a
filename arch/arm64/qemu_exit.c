/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/arch_exit.h>
#include <stdint.h>

#define SYS_EXIT                     0x18u
#define ADP_STOPPED_APPLICATION_EXIT 0x20026u

/* -semihosting-config enable=on,target=native: QEMU ends with the code. */
void arch_qemu_exit(unsigned code)
{
	const uint64_t block[2] = {ADP_STOPPED_APPLICATION_EXIT, code};
	register uint64_t operation __asm__("x0") = SYS_EXIT;
	register const uint64_t *parameters __asm__("x1") = block;

	__asm__ volatile("hlt #0xf000" : "+r"(operation) : "r"(parameters) : "memory");
}
