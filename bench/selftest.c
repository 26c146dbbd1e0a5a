/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/kind.h"
#include "bench/oracle.h"
#include "mm/hugetlb_boot.h"
#include "mm/memmap.h"
#include "mm/pageblock.h"
#include "mm/stamp.h"
#include "mm/template.h"
#include <pagestamp/memcpy_nt.h>
#include <pagestamp/selftest.h>
#include <pagestamp/window.h>
#include <stdio.h>
#include <stdlib.h>

/* A compound before a section boundary: the second one begins a section. */
#define FIRST_PFN  0x187e00ull
#define COMPOUNDS  3
#define GUARD      64 /* bytes before and after that nobody may touch */
#define GUARD_BYTE 0xc3

static selftest_report report;

static void check(bool ok, const char *what, const char *which)
{
	char name[160];

	snprintf(name, sizeof(name), "%s %s", what, which);
	report(ok, name);
}

/* ---- in the window ---------------------------------------------------------------- */

struct trial {
	bool (*holds)(void *arg);
	void *arg;
	bool held;
};

static void try_it(void *arg)
{
	struct trial *trial = arg;

	trial->held = trial->holds(trial->arg);
}

/*
 * Where copies are measured, and the only place where vector units are sure to be on. A
 * fault in there is one failed test.
 */
static bool in_window(bool (*holds)(void *arg), void *arg)
{
	struct trial trial = {.holds = holds, .arg = arg};
	struct window_fault fault;

	if (window_run(try_it, &trial, &fault))
		return trial.held;
	report(false, fault.what);
	return false;
}

/* ---- copies -------------------------------------------------------------------- */

static bool bytes_are(const unsigned char *from, size_t n, unsigned char value)
{
	for (size_t i = 0; i < n; i++)
		if (from[i] != value)
			return false;
	return true;
}

struct copy_trial {
	const struct copy_backend *backend;
	const uint64_t *delta;
	unsigned size; /* of a descriptor */
};

/* Steps of dst from line to line, as fine as the backend takes them. */
static size_t step_of(const struct copy_backend *backend)
{
	return backend->align ? backend->align : 8;
}

static bool copies(void *arg)
{
	const struct copy_backend *backend = ((struct copy_trial *)arg)->backend;
	_Alignas(64) unsigned char src[64], buffer[256];

	for (unsigned i = 0; i < 64; i++)
		src[i] = (unsigned char)(i * 7 + 1);
	for (size_t at = 64; at < 128; at += step_of(backend)) {
		memset(buffer, GUARD_BYTE, sizeof(buffer));
		backend->copy(buffer + at, src);
		backend->drain();
		if (memcmp(buffer + at, src, 64) != 0 || !bytes_are(buffer, at, GUARD_BYTE) ||
		    !bytes_are(buffer + at + 64, sizeof(buffer) - at - 64, GUARD_BYTE))
			return false;
	}
	return true;
}

static bool stamp_is_exact(const struct copy_trial *trial, size_t n, size_t at)
{
	static const uint64_t image[MAX_DESCRIPTOR_WORDS] = {
		1, ~0ull, 3, 0xdead000000000400ull, 5, 0, 1ull << 63, 8, 9, 1ull << 32, 11, 12};
	_Alignas(64) unsigned char buffer[8 * MAX_DESCRIPTOR_WORDS * 18 + 64 * 4];
	const uint64_t *dst = (const uint64_t *)(buffer + at);
	const size_t end = at + trial->size * n;

	memset(buffer, GUARD_BYTE, sizeof(buffer));
	if (trial->size == 64)
		trial->backend->stamp(buffer + at, image, trial->delta, n);
	else
		trial->backend->stamp_sized(buffer + at, image, trial->delta, trial->size, n);
	trial->backend->drain();
	for (size_t i = 0; i < n; i++)
		for (unsigned w = 0; w < trial->size / 8; w++)
			if (*dst++ != image[w] + (trial->delta ? i * trial->delta[w] : 0))
				return false;
	return bytes_are(buffer, at, GUARD_BYTE) &&
	       bytes_are(buffer + end, sizeof(buffer) - end, GUARD_BYTE);
}

static bool stamps(void *arg)
{
	struct copy_trial trial = *(const struct copy_trial *)arg;
	const size_t step = trial.size == 64 ? step_of(trial.backend) : 8;

	for (size_t at = 64; at < 128; at += step)
		for (size_t n = 0; n <= 18; n++)
			if (!stamp_is_exact(&trial, n, at))
				return false;
	return true;
}

/* Every size that is not 64, with deltas or without. */
static bool stamps_sized(struct copy_trial trial)
{
	for (trial.size = 56; trial.size <= 8 * MAX_DESCRIPTOR_WORDS; trial.size += 8)
		if (trial.size != 64 && !in_window(stamps, &trial))
			return false;
	return true;
}

/* Longer than any block that a stamp may work in. */
static bool stamps_many(void *arg)
{
	static _Alignas(64) uint64_t dst[8 * 300];
	const struct copy_trial *trial = arg;
	const uint64_t image[8] = {7};

	memset(dst, GUARD_BYTE, sizeof(dst));
	trial->backend->stamp(dst, image, trial->delta, 300);
	trial->backend->drain();
	for (size_t i = 0; i < 300; i++)
		for (unsigned w = 0; w < 8; w++)
			if (dst[8 * i + w] != image[w] + (trial->delta ? i * trial->delta[w] : 0))
				return false;
	return true;
}

/* The limit beside every figure must have stored all of what it was timed for, no more. */
static bool fills(void *arg)
{
	_Alignas(64) unsigned char buffer[64 * 12];
	const uint64_t word = 0x0123456789abcdef;

	(void)arg;
	for (size_t at = 64; at < 128; at += 8) {
		for (size_t bytes = 0; bytes <= 576; bytes += 64) {
			memset(buffer, GUARD_BYTE, sizeof(buffer));
			fill_streaming(buffer + at, word, bytes);
			fill_streaming_drain();
			for (size_t i = 0; i < bytes; i += 8)
				if (memcmp(buffer + at + i, &word, 8) != 0)
					return false;
			if (!bytes_are(buffer, at, GUARD_BYTE) ||
			    !bytes_are(buffer + at + bytes, sizeof(buffer) - at - bytes,
			               GUARD_BYTE))
				return false;
		}
	}
	return true;
}

static void test_copies(void)
{
	static const uint64_t delta[MAX_DESCRIPTOR_WORDS] = {0,          64,   64, 0, 1, ~0ull,
	                                                     1ull << 45, 4096, 0,  3, 0, 5};

	for (size_t i = 0; i < nr_copy_backends; i++) {
		const struct copy_backend *backend = copy_backends[i];
		struct copy_trial constant = {backend, NULL, 64}, advancing = {backend, delta, 64};

		if (backend->missing && backend->missing())
			continue;
		check(in_window(copies, &constant), "copy:", backend->name);
		check(in_window(stamps, &constant) && in_window(stamps_many, &constant),
		      "stamp of a constant, 0 to 18 and 300 descriptors:", backend->name);
		check(in_window(stamps, &advancing) && in_window(stamps_many, &advancing),
		      "stamp with deltas, 0 to 18 and 300 descriptors:", backend->name);
		if (backend->stamp_sized)
			check(stamps_sized(constant) && stamps_sized(advancing),
			      "stamp of 56 to 96 bytes:", backend->name);
	}
	report(in_window(fills, NULL), "the streaming fill stores all of its lines, no more");
}

static void test_memcpy_nt(void)
{
	_Alignas(64) unsigned char src[256], dst[320];
	bool equal = true, contained = true;

	for (unsigned i = 0; i < sizeof(src); i++)
		src[i] = (unsigned char)(i * 13 + 5);
	for (size_t offset = 0; offset < 16; offset++) {
		for (size_t n = 0; n <= 200; n++) {
			memset(dst, GUARD_BYTE, sizeof(dst));
			memcpy_nt(dst + 32 + offset, src + offset / 2, n);
			memcpy_nt_drain();
			equal &= !memcmp(dst + 32 + offset, src + offset / 2, n);
			contained &= bytes_are(dst, 32 + offset, GUARD_BYTE) &&
			             bytes_are(dst + 32 + offset + n, sizeof(dst) - 32 - offset - n,
			                       GUARD_BYTE);
		}
	}
	report(equal, "memcpy_nt copies as memcpy does, every length to 200 and alignment to 16");
	report(contained, "memcpy_nt writes nothing else");
	report(memcpy_nt_streams(dst, 64) && memcpy_nt_streams(dst + 8, 4),
	       "memcpy_nt streams to 8-aligned destinations in multiples of 4");
	report(!memcpy_nt_streams(dst + 4, 64) && !memcpy_nt_streams(dst, 0) &&
	               !memcpy_nt_streams(dst, 66),
	       "memcpy_nt is memcpy for misaligned, empty and odd lengths");
}

/* ---- builders ------------------------------------------------------------------ */

struct fixture {
	void *allocated; /* guard, memmap, guard */
	const struct memmap_kind *kind;
	struct memmap_variant variant;
	struct dev_pagemap pgmap;
	uint8_t blocks[COMPOUNDS];
	struct pageblock_map pageblocks;
	struct memmap_job job;
	size_t bytes; /* of the memmap */
};

static const struct memmap_variant v64 = {.size = 64, .page_shift = 12};

static bool fixture_make(struct fixture *f, const struct memmap_kind *kind,
                         const struct memmap_variant *variant, enum memory_type type,
                         unsigned order, bool optimised)
{
	const uint64_t nr = (uint64_t)COMPOUNDS << (order ? order : 9);

	*f = (struct fixture){
		.kind = kind,
		.variant = *variant,
		.pgmap = {.type = type, .vmemmap_shift = order, .optimised = optimised},
		.bytes = nr * variant->size,
	};
	f->allocated = malloc(f->bytes + 2 * GUARD + 64);
	if (!f->allocated)
		return false;
	f->pageblocks = (struct pageblock_map){
		.bits = f->blocks, .start_pfn = FIRST_PFN, .nr = COMPOUNDS, .order = 9};
	f->job = (struct memmap_job){
		.variant = &f->variant,
		.memmap = (void *)(((uintptr_t)f->allocated + GUARD + 63) & ~(uintptr_t)63),
		.first_pfn = FIRST_PFN,
		.start_pfn = FIRST_PFN,
		.nr_pages = nr,
		.order = order,
		.stored = optimised ? 128 : 1ull << order,
		.zone = kind->zone,
		.nid = 1,
		.pgmap = kind->zone == ZONE_DEVICE ? &f->pgmap : NULL,
		.pageblocks = kind == memmap_kind_of(EXP_HUGETLB) ? NULL : &f->pageblocks,
	};
	memset((char *)f->job.memmap - GUARD, GUARD_BYTE, f->bytes + 2 * GUARD);
	return true;
}

static uint64_t build_base(const struct fixture *f)
{
	return f->kind->base(&f->variant)(&f->job, NULL);
}

static bool guards_intact(const struct fixture *f)
{
	const unsigned char *memmap = f->job.memmap;

	return bytes_are(memmap - GUARD, GUARD, GUARD_BYTE) &&
	       bytes_are(memmap + f->bytes, GUARD, GUARD_BYTE);
}

/* Bytes that an optimised build must leave alone: all but the first two pages a compound. */
static bool unwritten_intact(const struct fixture *f)
{
	const size_t step = (size_t)f->variant.size << f->pgmap.vmemmap_shift;
	const unsigned char *memmap = f->job.memmap;

	if (!f->pgmap.optimised)
		return true;
	for (size_t at = 0; at < f->bytes; at += step)
		if (!bytes_are(memmap + at + 8192, step - 8192, GUARD_BYTE))
			return false;
	return true;
}

static uint64_t expected_written(const struct fixture *f)
{
	const uint64_t compounds = f->job.nr_pages >> f->pgmap.vmemmap_shift;

	return f->pgmap.optimised ? compounds * 128 : f->job.nr_pages;
}

struct build_trial {
	struct fixture *fixture;
	const void *reference;
	memmap_builder build;
	const struct copy_backend *backend;
};

/* Words that hold nothing are made those of the reference. */
static void bury_dead_words(const struct fixture *f, const void *reference)
{
	const unsigned words = f->variant.size / 8;
	const uint64_t in_compound = (1ull << f->job.order) - 1;
	uint64_t *built = f->job.memmap;
	const uint64_t *right = reference;

	if (f->kind->dead_word < 0)
		return;
	for (uint64_t i = 0; i < f->job.nr_pages; i++)
		if ((i & in_compound) > 1)
			built[words * i + (unsigned)f->kind->dead_word] =
				right[words * i + (unsigned)f->kind->dead_word];
}

static bool is_reference(const struct fixture *f, const void *reference)
{
	bury_dead_words(f, reference);
	return !memcmp(f->job.memmap, reference, f->bytes) && guards_intact(f) &&
	       unwritten_intact(f);
}

/* A huge page's other tails, then its reserved part, which the first call leaves alone. */
static bool builds_in_parts(const struct build_trial *trial)
{
	struct fixture *f = trial->fixture;
	const uint64_t reserved = hugetlb_reserved_pages(&f->variant, f->job.order);
	const size_t step = (size_t)f->variant.size << f->job.order;
	struct memmap_job first = f->job, rest = f->job;
	uint64_t written;

	memset(f->job.memmap, GUARD_BYTE, f->bytes);
	first.stored = rest.from = reserved;
	written = trial->build(&rest, trial->backend);
	for (size_t at = 0; at < f->bytes; at += step)
		if (!bytes_are((unsigned char *)f->job.memmap + at, reserved * f->variant.size,
		               GUARD_BYTE))
			return false;
	written += trial->build(&first, trial->backend);
	return written == expected_written(f) && is_reference(f, trial->reference);
}

/* Builds afresh, and compares with the ordinary path's result in `reference`. */
static bool builds(void *arg)
{
	const struct build_trial *trial = arg;
	struct fixture *f = trial->fixture;

	memset(f->job.memmap, GUARD_BYTE, f->bytes);
	memset(f->blocks, 0, sizeof(f->blocks));
	if (trial->build(&f->job, trial->backend) != expected_written(f))
		return false;
	for (unsigned i = 0; f->job.pageblocks && i < COMPOUNDS; i++)
		if (get_pageblock_migratetype(&f->pageblocks, FIRST_PFN + 512 * i) !=
		    MIGRATE_MOVABLE)
			return false;
	return is_reference(f, trial->reference) &&
	       (f->kind != memmap_kind_of(EXP_HUGETLB) || builds_in_parts(trial));
}

static bool builds_like(struct fixture *f, const void *reference, memmap_builder build,
                        const struct copy_backend *backend)
{
	struct build_trial trial = {f, reference, build, backend};

	return in_window(builds, &trial);
}

static void test_copies_of(struct fixture *f, const void *reference, const char *what)
{
	char name[96];

	for (size_t i = 0; i < nr_copy_backends; i++) {
		const struct copy_backend *backend = copy_backends[i];

		if (backend->missing && backend->missing())
			continue;
		snprintf(name, sizeof(name), "%s, %s", what, backend->name);
		if (copy_backend_template(backend, &f->variant))
			check(builds_like(f, reference, f->kind->template, backend),
			      "template equals base:", name);
		if (f->variant.size == 64 || backend->stamp_sized)
			check(builds_like(f, reference, f->kind->stamp, backend),
			      "stamp equals base:", name);
		if (f->variant.size == 64 && !f->variant.sparse && backend->stamp_down &&
		    f->kind->stamp_down)
			check(builds_like(f, reference, f->kind->stamp_down, backend),
			      "descending stamp equals base:", name);
	}
}

static void test_builders(const struct memmap_kind *kind, const struct memmap_variant *variant,
                          const char *what, enum memory_type type, unsigned order, bool optimised)
{
	struct oracle oracle = {.kind = kind};
	struct fixture f;
	void *reference = NULL;

	if (!fixture_make(&f, kind, variant, type, order, optimised) ||
	    !(reference = malloc(f.bytes))) {
		check(false, "memory for", what);
		free(f.allocated);
		return;
	}
	build_base(&f);
	memcpy(reference, f.job.memmap, f.bytes);
	check(builds_like(&f, reference, kind->base(variant), NULL), "base rebuilds itself:", what);
	test_copies_of(&f, reference, what);
	/* Not with aliases, which only page tables can make. */
	if (!optimised) {
		oracle.scratch = reference;
		check(oracle_set_reference(&oracle, &f.job), "base has Linux's words:", what);
	}
	free(reference);
	free(f.allocated);
}

static void test_variants(void)
{
#define VARIANT(unused, name, ...) {#name, {__VA_ARGS__}},
	static const struct {
		const char *name;
		struct memmap_variant variant;
	} variants[] = {MEMMAP_VARIANTS(VARIANT, )};
	const struct memmap_kind *const device = memmap_kind_of(EXP_FSDAX);
	char what[64];

	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
		struct memmap_variant variant = variants[i].variant;

		variant.page_shift = 12;
		snprintf(what, sizeof(what), "%s fsdax", variants[i].name);
		test_builders(device, &variant, what, MEMORY_DEVICE_FS_DAX, 0, false);
		snprintf(what, sizeof(what), "%s devdax", variants[i].name);
		test_builders(device, &variant, what, MEMORY_DEVICE_GENERIC, 9, false);
		snprintf(what, sizeof(what), "%s hugetlb", variants[i].name);
		test_builders(memmap_kind_of(EXP_HUGETLB), &variant, what, 0, 9, false);
		snprintf(what, sizeof(what), "%s ordinary", variants[i].name);
		test_builders(memmap_kind_of(EXP_MEMMAP), &variant, what, 0, 0, false);
	}
	test_builders(device, &v64, "devdax 4 KiB", MEMORY_DEVICE_GENERIC, 0, false);
	test_builders(device, &v64, "devdax 2 MiB optimised", MEMORY_DEVICE_GENERIC, 9, true);
	test_builders(device, &v64, "private 2 MiB", MEMORY_DEVICE_PRIVATE, 9, false);
}

/* With an altmap the walk begins behind it; when nothing is left it touches nothing. */
static void test_altmap(void)
{
	struct fixture f;

	if (!fixture_make(&f, memmap_kind_of(EXP_FSDAX), &v64, MEMORY_DEVICE_FS_DAX, 0, false)) {
		report(false, "memory for the altmap tests");
		return;
	}
	f.pgmap.has_altmap = true;
	f.pgmap.altmap = (struct vmem_altmap){.base_pfn = FIRST_PFN, .reserve = 2, .free = 510};
	report(build_base(&f) == f.job.nr_pages - 512 &&
	               bytes_are(f.job.memmap, 512 * sizeof(struct page), GUARD_BYTE),
	       "an altmap's own pages get no descriptors");
	memset(f.job.memmap, GUARD_BYTE, f.bytes);
	f.pgmap.altmap.free = f.job.nr_pages;
	report(build_base(&f) == 0 && memmap_template(&f.job, copy_backends[0]) == 0 &&
	               memmap_stamp(&f.job, copy_backends[0]) == 0 &&
	               bytes_are(f.job.memmap, f.bytes, GUARD_BYTE),
	       "an altmap that covers the range: nothing is built, nothing touched");
	free(f.allocated);
}

static unsigned trace_calls;

static void count_trace(const struct page *page, int value)
{
	(void)page;
	(void)value;
	trace_calls++;
}

static void test_gates(void)
{
	struct memmap_variant traced = v64;
	struct fixture f;

	report(!template_refused(&(struct template_gates){0}), "both gates open: template is used");
	report(template_refused(&(struct template_gates){.trace_page_ref_set = true}),
	       "page_ref_set traced: template is refused");
	report(template_refused(&(struct template_gates){.instrumented_stores = true}),
	       "instrumented stores: template is refused");
	traced.trace_page_ref = true;
	if (!fixture_make(&f, memmap_kind_of(EXP_FSDAX), &traced, MEMORY_DEVICE_GENERIC, 9,
	                  false)) {
		report(false, "memory for the hook test");
		return;
	}
	trace_calls = 0;
	trace_page_ref_set = count_trace;
	build_base(&f);
	report(trace_calls == 2 * f.job.nr_pages - COMPOUNDS,
	       "the hook sees every reference-count write");
	free(f.allocated);
}

/* ---- the oracle ---------------------------------------------------------------- */

/* Does the oracle name this flipped bit, in the reference and (but for dead words) in a row? */
static bool finds_flip(struct oracle *oracle, const struct fixture *f, unsigned page, unsigned w,
                       uint64_t bit)
{
	uint64_t *word = (uint64_t *)f->job.memmap + 8 * page + w;
	const bool dead = (int)w == oracle->kind->dead_word && page % 512 > 1;
	bool in_row, in_reference;

	*word ^= bit;
	in_row = !oracle_compare(oracle, &f->job) && oracle->pfn == FIRST_PFN + page &&
	         oracle->word == w;
	in_reference = !oracle_set_reference(oracle, &f->job) && oracle->pfn == FIRST_PFN + page &&
	               oracle->word == w;
	*word ^= bit;
	return in_row != dead && in_reference && oracle_set_reference(oracle, &f->job);
}

static void test_oracle(const struct memmap_kind *kind, const char *what)
{
	static const unsigned victims[] = {0, 1, 2, 300, 511, 512, 1535};
	struct fixture f;
	struct oracle oracle = {.kind = kind};
	bool finds_all = true;

	if (!fixture_make(&f, kind, &v64, MEMORY_DEVICE_GENERIC, 9, false) ||
	    !(oracle.scratch = malloc(f.bytes))) {
		check(false, "memory for the oracle test:", what);
		free(f.allocated);
		return;
	}
	build_base(&f);
	check(oracle_set_reference(&oracle, &f.job) && oracle_compare(&oracle, &f.job),
	      "the oracle accepts the base's memmap:", what);
	for (size_t v = 0; v < sizeof(victims) / sizeof(victims[0]); v++)
		for (unsigned w = 0; w < 8; w++)
			finds_all &= finds_flip(&oracle, &f, victims[v], w, 1ull << (v * 9));
	check(finds_all, "the oracle names every single flipped bit that counts:", what);
	oracle_poison(&f.job);
	check(!oracle_compare(&oracle, &f.job), "poison is not taken for a memmap:", what);
	free(oracle.scratch);
	free(f.allocated);
}

void selftest_mm(selftest_report to)
{
	report = to;
	memmap_set_page_shift(12);
	test_copies();
	test_memcpy_nt();
	test_variants();
	test_altmap();
	test_gates();
	test_oracle(memmap_kind_of(EXP_DEVDAX_2M), "devdax");
	test_oracle(memmap_kind_of(EXP_HUGETLB), "hugetlb");
}
