/* SPDX-License-Identifier: BSD-2-Clause */
#include <arch/memcpy_nt.h>
#include <cpuid.h>
#include <string.h>

/* CLWB keeps the line; CLFLUSH, which every x86-64 has, drops it. */
static void clean_line(const void *line)
{
	unsigned a, b, c, d;

	if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_CLWB))
		__asm__ volatile("clwb %0" : : "m"(*(const char *)line) : "memory");
	else
		__asm__ volatile("clflush %0" : : "m"(*(const char *)line) : "memory");
}

/* At most 7 bytes, through the cache; they may straddle two lines. */
static void copy_and_clean(char *dst, const char *src, size_t n)
{
	if (!n)
		return;
	memcpy(dst, src, n);
	clean_line(dst);
	if (((uintptr_t)dst ^ (uintptr_t)(dst + n - 1)) & ~(uintptr_t)63)
		clean_line(dst + n - 1);
}

void memcpy_flushcache_slow(void *dst, const void *src, size_t n)
{
	char *to = dst;
	const char *from = src;
	size_t head = -(uintptr_t)to & 7;

	if (head > n)
		head = n;
	copy_and_clean(to, from, head);
	to += head;
	from += head;
	n -= head;
	for (; n >= 8; n -= 8, to += 8, from += 8)
		movnti8(to, from);
	if (n >= 4) {
		movnti4(to, from);
		n -= 4;
		to += 4;
		from += 4;
	}
	copy_and_clean(to, from, n);
}
