/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/arch.h>

/* CLFLUSH is on every x86-64; its order among itself and the fence do the rest. */
void arch_cache_flush(const void *from, size_t bytes)
{
	const char *line = from;

	for (const char *end = line + bytes; line < end; line += 64)
		__asm__ volatile("clflush %0" : : "m"(*line) : "memory");
	__asm__ volatile("mfence" : : : "memory");
}
