/* SPDX-License-Identifier: BSD-2-Clause */
/* DC ZVA, which clears a line without reading it, then the words that are not zero. */
#include "arch/arm64/sysreg.h"
#include "mm/template.h"
#include "mm/zero_words.h"

static ALWAYS_INLINE void clear_line(void *line)
{
	__asm__ volatile("dc zva, %0" : : "r"(line) : "memory");
}

static ALWAYS_INLINE void copy_dc_zva(void *dst, const void *src)
{
	clear_then_words(dst, src, clear_line);
}

static void stamp_dc_zva(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_over_zeros(dst, image, delta, n, clear_line);
}

static ALWAYS_INLINE void drain_dc_zva(void)
{
}

/* What it clears differs: a line on real cores, up to 2 KiB elsewhere. */
static const char *missing_dc_zva(void)
{
	static const char *const clears[] = {
		"DC ZVA clears 4 bytes",
		"DC ZVA clears 8 bytes",
		"DC ZVA clears 16 bytes",
		"DC ZVA clears 32 bytes",
		NULL,
		"DC ZVA clears 128 bytes",
		"DC ZVA clears 256 bytes",
		"DC ZVA clears 512 bytes",
		"DC ZVA clears 1024 bytes",
		"DC ZVA clears 2048 bytes",
	};
	uint64_t dczid = READ_SYSREG(dczid_el0);
	uint64_t size = bits(dczid, 0, 4);

	if (bits(dczid, 4, 1))
		return "DC ZVA is prohibited";
	return size < sizeof(clears) / sizeof(clears[0]) ? clears[size] : "no DC ZVA";
}

DEFINE_COPY_BACKEND(dc_zva, .name = "dc-zva", .instruction = "dc zva, str x", .block_bytes = 64,
                    .align = 64, .missing = missing_dc_zva);
