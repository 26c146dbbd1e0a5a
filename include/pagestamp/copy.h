/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The contract of a copy backend. A new one is one file under arch/<arch>/copy/
 * and one row in arch/<arch>/copy/table.c: see docs/add-a-backend.md.
 */
#ifndef PAGESTAMP_COPY_H
#define PAGESTAMP_COPY_H

#include <pagestamp/memmap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct copy_backend {
	const char *name;        /* column name, the same idea has the same name everywhere */
	const char *instruction; /* as an assembler prints it */
	bool streaming;          /* bypasses the cache */
	unsigned block_bytes;    /* bytes per store instruction */

	/* NULL = every CPU of the architecture has it; else returns NULL or why not ("no
	 * AVX-512F"). */
	const char *(*missing)(void);

	/* One 64-byte descriptor; dst and src 8-byte aligned. */
	void (*copy)(void *dst, const void *src);
	/*
	 * `image` held in registers and written to n consecutive descriptors from dst;
	 * word w advances by delta[w] from one to the next; delta NULL = a constant.
	 */
	void (*stamp)(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n);
	/* Orders the stores of copy and stamp before anything later. Empty for cached ones. */
	void (*drain)(void);

	/* memmap_init_zone_device() by template with copy and drain inlined (mm/template.h). */
	memmap_builder template_builder;
};

/* The architecture's table, in the report's order. */
extern const struct copy_backend *const copy_backends[];
extern const size_t nr_copy_backends;

/*
 * The limit beside every figure: `word` streamed over `bytes` (a multiple of 64) from
 * dst, as fast as plain streaming stores go; drain before the clock is read.
 */
void fill_streaming(void *dst, uint64_t word, size_t bytes);
void fill_streaming_drain(void);

const struct copy_backend *copy_backend_find(const char *name);

#endif
