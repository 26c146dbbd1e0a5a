/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/arch.h>

/* CTR_EL0.DminLine: log2 of the words in the smallest data line. */
static size_t line_bytes(void)
{
	uint64_t ctr;

	__asm__("mrs %0, ctr_el0" : "=r"(ctr));
	return 4ul << (ctr >> 16 & 0xf);
}

void arch_cache_flush(const void *from, size_t bytes)
{
	const size_t step = line_bytes();
	const char *line = from;

	for (const char *end = line + bytes; line < end; line += step)
		__asm__ volatile("dc civac, %0" : : "r"(line) : "memory");
	__asm__ volatile("dsb sy" : : : "memory");
}
