/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CXL early discovery table (CXL 3.1, 9.18.1): the fixed memory windows, which are the
 * addresses where CXL memory may appear. A window is no memory: it is often larger than
 * what is in it.
 */
#ifndef PAGESTAMP_CEDT_H
#define PAGESTAMP_CEDT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the window may hold. */
enum cedt_restrictions {
	CEDT_TYPE_2 = 1 << 0, /* device-coherent (HDM-D) */
	CEDT_TYPE_3 = 1 << 1, /* host-only coherent (HDM-H) */
	CEDT_VOLATILE = 1 << 2,
	CEDT_PERSISTENT = 1 << 3,
	CEDT_FIXED = 1 << 4,
};

struct cedt_window {
	uint64_t base, size;   /* bytes, multiples of 256 MiB */
	unsigned ways;         /* host bridges it is interleaved over: 1, 2, 3, 4, 6, 8, 12, 16 */
	uint64_t granularity;  /* bytes, 256 to 16384 */
	uint16_t restrictions; /* cedt_restrictions */
};

struct cedt {
	struct cedt_window *window; /* in the table's order */
	size_t nr;
	size_t refused; /* windows that cannot be */
};

/*
 * A window whose base or size is no multiple of 256 MiB, that wraps or is empty, or whose
 * interleave cannot be or has fewer targets than ways is refused alone and counted (Linux:
 * cxl_acpi_cfmws_verify()). The table is refused whole, with one reason, as nfit_parse()
 * does. Structures of other types are stepped over.
 */
bool cedt_parse(const void *bytes, size_t size, struct cedt *out, char *why, size_t why_size);
void cedt_free(struct cedt *cedt);

/*
 * Names the windows that [base, base + size) touches, by their number in the table:
 * "CXL window 0", "CXL window 0 and 1 more". False, and "", when it touches none.
 */
bool cedt_describe(const struct cedt *cedt, uint64_t base, uint64_t size, char *out,
                   size_t out_size);

#endif
