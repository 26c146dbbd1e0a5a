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

/*
 * Each of the n descriptors from `page` on, that of `pfn`: the words that depend on the PFN
 * refreshed in the template, then one whole copy. No drain.
 */
typedef void (*template_loop)(struct page *page, uint64_t pfn, struct page *template, uint64_t n);

struct template_instance {
	struct memmap_variant variant;
	template_loop loop;
	template_loop listed; /* the same with self-pointing list heads, as ordinary pages have */
};

struct copy_backend {
	const char *name;        /* column name, the same idea has the same name everywhere */
	const char *instruction; /* as an assembler prints it */
	bool streaming;          /* bypasses the cache */
	unsigned block_bytes;    /* bytes per store instruction */
	unsigned align;          /* of every dst, in bytes; 0 = 8 will do */
	bool slow;               /* hundreds of ns a descriptor: for small sizes only */
	bool never_run;          /* no test executes it, only its encoding is checked */

	/* NULL = every CPU of the architecture has it; else returns NULL or why not ("no
	 * AVX-512F"). */
	const char *(*missing)(void);

	/* One 64-byte descriptor; src 8-byte aligned. */
	void (*copy)(void *dst, const void *src);
	/*
	 * `image` held in registers and written to n consecutive descriptors from dst;
	 * word w advances by delta[w] from one to the next; delta NULL = a constant.
	 */
	void (*stamp)(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n);
	/*
	 * A constant image to n consecutive descriptors from dst, the last one first. NULL:
	 * this copy has no such loop.
	 */
	void (*stamp_down)(void *dst, const uint64_t image[8], size_t n);
	/* Orders the stores of copy and stamp before anything later. Empty for cached ones. */
	void (*drain)(void);

	/*
	 * The same for descriptors of `size` bytes, 56 to 96 but not 64: size / 8 words of
	 * image and delta; dst 8-byte aligned. NULL: this copy is for 64 bytes only.
	 */
	void (*stamp_sized)(void *dst, const uint64_t *image, const uint64_t *delta, unsigned size,
	                    size_t n);

	/* The template path's loop with the copy inlined, per variant (mm/template.h). */
	const struct template_instance *templates;
	size_t nr_templates;
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
/* The same by the widest ordinary stores: the limit of memmaps that stay in a cache. */
void fill_ordinary(void *dst, uint64_t word, size_t bytes);

const struct copy_backend *copy_backend_find(const char *name);

/* The backend's template loops for a variant; NULL when it has none. */
const struct template_instance *copy_backend_template(const struct copy_backend *backend,
                                                      const struct memmap_variant *variant);

#endif
