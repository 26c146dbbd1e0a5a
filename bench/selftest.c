/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/oracle.h"
#include "mm/memmap.h"
#include "mm/pageblock.h"
#include "mm/stamp.h"
#include "mm/template.h"
#include <pagestamp/memcpy_nt.h>
#include <pagestamp/selftest.h>
#include <stdio.h>
#include <stdlib.h>

#define FIRST_PFN  0x180000ull
#define COMPOUNDS  3
#define GUARD      1 /* descriptors before and after that nobody may touch */
#define GUARD_BYTE 0xc3

static selftest_report report;

static void check(bool ok, const char *what, const char *which)
{
	char name[96];

	snprintf(name, sizeof(name), "%s %s", what, which);
	report(ok, name);
}

/* ---- copies -------------------------------------------------------------------- */

static bool bytes_are(const unsigned char *from, size_t n, unsigned char value)
{
	for (size_t i = 0; i < n; i++)
		if (from[i] != value)
			return false;
	return true;
}

static bool copy_is_exact(const struct copy_backend *backend)
{
	_Alignas(64) unsigned char src[64], dst[192];

	for (unsigned i = 0; i < 64; i++)
		src[i] = (unsigned char)(i * 7 + 1);
	memset(dst, GUARD_BYTE, sizeof(dst));
	backend->copy(dst + 64, src);
	backend->drain();
	return !memcmp(dst + 64, src, 64) && bytes_are(dst, 64, GUARD_BYTE) &&
	       bytes_are(dst + 128, 64, GUARD_BYTE);
}

static bool stamp_is_exact(const struct copy_backend *backend, size_t n, const uint64_t *delta)
{
	static const uint64_t image[8] = {1, ~0ull, 3, 0xdead000000000400ull, 5, 0, 1ull << 63, 8};
	_Alignas(64) uint64_t dst[8 * 20];

	memset(dst, GUARD_BYTE, sizeof(dst));
	backend->stamp(dst + 8, image, delta, n);
	backend->drain();
	for (size_t i = 0; i < n; i++)
		for (unsigned w = 0; w < 8; w++)
			if (dst[8 + 8 * i + w] != image[w] + (delta ? i * delta[w] : 0))
				return false;
	return bytes_are((unsigned char *)dst, 64, GUARD_BYTE) &&
	       bytes_are((unsigned char *)(dst + 8 + 8 * n), sizeof(dst) - 64 - 64 * n, GUARD_BYTE);
}

static void test_copies(void)
{
	static const uint64_t delta[8] = {0, 64, 64, 0, 1, ~0ull, 1ull << 45, 4096};

	for (size_t i = 0; i < nr_copy_backends; i++) {
		const struct copy_backend *backend = copy_backends[i];
		bool constant = true, advancing = true;

		if (backend->missing && backend->missing())
			continue;
		for (size_t n = 0; n <= 18; n++) {
			constant &= stamp_is_exact(backend, n, NULL);
			advancing &= stamp_is_exact(backend, n, delta);
		}
		check(copy_is_exact(backend), "copy:", backend->name);
		check(constant, "stamp of a constant, 0 to 18 descriptors:", backend->name);
		check(advancing, "stamp with deltas, 0 to 18 descriptors:", backend->name);
	}
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
	struct page *allocated; /* guard, memmap, guard */
	struct dev_pagemap pgmap;
	uint8_t blocks[COMPOUNDS];
	struct pageblock_map pageblocks;
	struct memmap_job job;
	size_t bytes; /* of the memmap */
};

static bool fixture_make(struct fixture *f, enum memory_type type, unsigned order, bool optimised)
{
	const uint64_t nr = (uint64_t)COMPOUNDS << (order ? order : 9);
	const size_t guard = GUARD * sizeof(struct page);

	*f = (struct fixture){
		.pgmap = {.type = type, .vmemmap_shift = order, .optimised = optimised},
		.bytes = nr * sizeof(struct page),
	};
	f->allocated = malloc(f->bytes + 2 * guard + 64);
	if (!f->allocated)
		return false;
	f->pageblocks =
		(struct pageblock_map){.bits = f->blocks, .start_pfn = FIRST_PFN, .nr = COMPOUNDS};
	f->job = (struct memmap_job){
		.memmap = (void *)(((uintptr_t)f->allocated + guard + 63) & ~(uintptr_t)63),
		.first_pfn = FIRST_PFN,
		.start_pfn = FIRST_PFN,
		.nr_pages = nr,
		.zone = ZONE_DEVICE,
		.nid = 1,
		.pgmap = &f->pgmap,
		.pageblocks = &f->pageblocks,
	};
	memset((char *)f->job.memmap - guard, GUARD_BYTE, f->bytes + 2 * guard);
	return true;
}

static bool guards_intact(const struct fixture *f)
{
	const unsigned char *memmap = f->job.memmap;
	const size_t guard = GUARD * sizeof(struct page);

	return bytes_are(memmap - guard, guard, GUARD_BYTE) &&
	       bytes_are(memmap + f->bytes, guard, GUARD_BYTE);
}

/* Bytes that an optimised build must leave alone: all but the first two pages a compound. */
static bool unwritten_intact(const struct fixture *f)
{
	const size_t step = sizeof(struct page) << f->pgmap.vmemmap_shift;
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

/* Builds afresh, and compares with the ordinary path's result in `reference`. */
static bool builds_like(struct fixture *f, const void *reference, memmap_builder build,
                        const struct copy_backend *backend)
{
	memset(f->job.memmap, GUARD_BYTE, f->bytes);
	memset(f->blocks, 0, sizeof(f->blocks));
	if (build(&f->job, backend) != expected_written(f))
		return false;
	for (unsigned i = 0; i < COMPOUNDS; i++)
		if (get_pageblock_migratetype(&f->pageblocks, FIRST_PFN + 512 * i) !=
		    MIGRATE_MOVABLE)
			return false;
	return !memcmp(f->job.memmap, reference, f->bytes) && guards_intact(f) &&
	       unwritten_intact(f);
}

static void test_builders(const char *what, enum memory_type type, unsigned order, bool optimised)
{
	struct fixture f;
	void *reference = NULL;
	char name[64];

	if (!fixture_make(&f, type, order, optimised) || !(reference = malloc(f.bytes))) {
		check(false, "memory for", what);
		free(f.allocated);
		return;
	}
	memmap_base(&f.job, NULL);
	memcpy(reference, f.job.memmap, f.bytes);
	check(builds_like(&f, reference, memmap_base, NULL), "base rebuilds itself:", what);
	for (size_t i = 0; i < nr_copy_backends; i++) {
		const struct copy_backend *backend = copy_backends[i];

		if (backend->missing && backend->missing())
			continue;
		snprintf(name, sizeof(name), "%s, %s", what, backend->name);
		check(builds_like(&f, reference, backend->template_builder, backend),
		      "template equals base:", name);
		check(builds_like(&f, reference, memmap_stamp, backend),
		      "stamp equals base:", name);
	}
	free(reference);
	free(f.allocated);
}

/* With an altmap the walk begins behind it; when nothing is left it touches nothing. */
static void test_altmap(void)
{
	struct fixture f;

	if (!fixture_make(&f, MEMORY_DEVICE_FS_DAX, 0, false)) {
		report(false, "memory for the altmap tests");
		return;
	}
	f.pgmap.has_altmap = true;
	f.pgmap.altmap = (struct vmem_altmap){.base_pfn = FIRST_PFN, .reserve = 2, .free = 510};
	report(memmap_base(&f.job, NULL) == f.job.nr_pages - 512 &&
	               bytes_are(f.job.memmap, 512 * sizeof(struct page), GUARD_BYTE),
	       "an altmap's own pages get no descriptors");
	memset(f.job.memmap, GUARD_BYTE, f.bytes);
	f.pgmap.altmap.free = f.job.nr_pages;
	report(memmap_base(&f.job, NULL) == 0 &&
	               copy_backends[0]->template_builder(&f.job, copy_backends[0]) == 0 &&
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
	struct fixture f;

	report(!template_refused(&(struct template_gates){0}), "both gates open: template is used");
	report(template_refused(&(struct template_gates){.trace_page_ref_set = true}),
	       "page_ref_set traced: template is refused");
	report(template_refused(&(struct template_gates){.instrumented_stores = true}),
	       "instrumented stores: template is refused");
	if (!fixture_make(&f, MEMORY_DEVICE_GENERIC, 9, false)) {
		report(false, "memory for the hook test");
		return;
	}
	trace_calls = 0;
	trace_page_ref_set = count_trace;
	memmap_base_traced(&f.job, NULL);
	report(trace_calls == 2 * f.job.nr_pages - COMPOUNDS,
	       "the hook sees every reference-count write");
	free(f.allocated);
}

/* ---- the oracle ---------------------------------------------------------------- */

/* Flips one bit in each word of a few telling descriptors: the oracle must name each. */
static void test_oracle(void)
{
	static const unsigned victims[] = {0, 1, 2, 300, 511, 512, 1535};
	struct fixture f;
	struct oracle oracle = {.base = memmap_base, .check_every = true};
	bool finds_all = true, clean;

	if (!fixture_make(&f, MEMORY_DEVICE_GENERIC, 9, false) ||
	    !(oracle.scratch = malloc(f.bytes))) {
		report(false, "memory for the oracle test");
		free(f.allocated);
		return;
	}
	memmap_base(&f.job, NULL);
	clean = oracle_check_chunk(&oracle, &f.job);
	report(clean, "the oracle accepts the base's memmap");
	for (unsigned every = 0; every < 2; every++) {
		oracle.check_every = every;
		for (size_t v = 0; v < sizeof(victims) / sizeof(victims[0]); v++) {
			for (unsigned w = 0; w < 8; w++) {
				oracle.differs = false;
				((uint64_t *)f.job.memmap)[8 * victims[v] + w] ^= 1ull << (v * 9);
				finds_all &= !oracle_check_chunk(&oracle, &f.job) &&
				             oracle.pfn == FIRST_PFN + victims[v] &&
				             oracle.word == w;
				memmap_base(&f.job, NULL);
			}
		}
	}
	report(finds_all, "the oracle names every single flipped bit");
	free(oracle.scratch);
	free(f.allocated);
}

void selftest_mm(selftest_report to)
{
	report = to;
	test_copies();
	test_memcpy_nt();
	test_builders("fsdax", MEMORY_DEVICE_FS_DAX, 0, false);
	test_builders("devdax 4 KiB", MEMORY_DEVICE_GENERIC, 0, false);
	test_builders("devdax 2 MiB", MEMORY_DEVICE_GENERIC, 9, false);
	test_builders("devdax 2 MiB optimised", MEMORY_DEVICE_GENERIC, 9, true);
	test_builders("private 2 MiB", MEMORY_DEVICE_PRIVATE, 9, false);
	test_altmap();
	test_gates();
	test_oracle();
}
