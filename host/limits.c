/* SPDX-License-Identifier: BSD-2-Clause */
#include "host/limits.h"

#include <pagestamp/statistics.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGEST (256ull << 20)
#define ROUNDS  7
#define LINE    64

/* memcpy as a function that nobody can inline, one descriptor a call. */
static void *(*volatile call_memcpy)(void *, const void *, size_t) = memcpy;

/* Signatures of libpmem (pmem_memcpy(3)); the library is looked for at run time. */
static void *(*pmem_memcpy)(void *, const void *, size_t, unsigned);
static void (*pmem_drain)(void);
#define PMEM_F_MEM_NODRAIN     1u
#define PMEM_F_MEM_NONTEMPORAL 2u

static size_t bytes = LARGEST;

static void fill_memset(char *memory)
{
	memset(memory, 0x5a, bytes);
}

static void fill_widest(char *memory)
{
	fill_ordinary(memory, 0xffff888100002001ull, bytes);
}

static void fill_dense_streaming(char *memory)
{
	fill_streaming(memory, 0xffff888100002001ull, bytes);
	fill_streaming_drain();
}

static void read_lines(char *memory)
{
	uint64_t sum = 0;

	for (size_t at = 0; at < bytes; at += LINE)
		sum += *(volatile uint64_t *)(memory + at);
	__asm__ volatile("" : : "r"(sum));
}

static void modify_lines(char *memory)
{
	for (size_t at = 0; at < bytes; at += LINE)
		++*(volatile uint64_t *)(memory + at);
}

static const uint64_t descriptor[LINE / 8] = {
	0x0027ffffc0002000, 0xffff888100002001, 0, 0, 0, 0, 0x00000001ffffffff, 0};

static void copy_libc(char *memory)
{
	for (size_t at = 0; at < bytes; at += LINE)
		call_memcpy(memory + at, descriptor, LINE);
}

static void copy_libpmem(char *memory)
{
	for (size_t at = 0; at < bytes; at += LINE)
		pmem_memcpy(memory + at, descriptor, LINE,
		            PMEM_F_MEM_NODRAIN | PMEM_F_MEM_NONTEMPORAL);
	pmem_drain();
}

static bool find_libpmem(struct results *results)
{
	void *library = dlopen("libpmem.so.1", RTLD_NOW);

	if (library) {
		*(void **)&pmem_memcpy = dlsym(library, "pmem_memcpy");
		*(void **)&pmem_drain = dlsym(library, "pmem_drain");
	}
	if (!pmem_memcpy || !pmem_drain)
		results_skip(results, NULL, "libpmem.so.1 is not installed (package libpmem1)",
		             "peer libpmem");
	return pmem_memcpy && pmem_drain;
}

static void measure(struct results *results, const char *name, char *memory, void (*run)(char *))
{
	struct limit limit = {.name = name, .bytes = bytes};
	double ticks[ROUNDS];

	for (unsigned i = 0; i < ROUNDS; i++) {
		const uint64_t begin = counter_begin();

		run(memory);
		ticks[i] = (double)(counter_end() - begin);
	}
	limit.ticks = median_of(ticks, ROUNDS);
	results_add_limit(results, &limit);
}

/*
 * Memory that this process has not touched yet, twice. The first time it may be new to the
 * whole machine: then a hypervisor gives it its pages, too, and no table's first bind
 * should pay for that.
 */
static void measure_first_touch(struct results *results, uint64_t all)
{
	static const char *const names[] = {"first touch", "first touch, again"};

	for (unsigned i = 0; i < 2; i++) {
		struct limit limit = {.name = names[i], .bytes = all};
		char *memory = mmap(NULL, all, PROT_READ | PROT_WRITE,
		                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		uint64_t begin;

		if (memory == MAP_FAILED) {
			results_skip(results, NULL, "no memory", "%s", names[i]);
			return;
		}
		madvise(memory, all, MADV_HUGEPAGE);
		begin = counter_begin();
		memset(memory, 1, all);
		limit.ticks = (double)(counter_end() - begin);
		munmap(memory, all);
		results_add_limit(results, &limit);
	}
}

static void measure_all(struct results *results, char *memory)
{
	static const size_t sizes[] = {LARGEST, 16ull << 20, 1ull << 20};

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		bytes = sizes[i];
		measure(results, "memset", memory, fill_memset);
		measure(results, "ordinary fill", memory, fill_widest);
		measure(results, "streaming fill", memory, fill_dense_streaming);
		measure(results, "read a word a line", memory, read_lines);
		measure(results, "modify a word a line", memory, modify_lines);
	}
	bytes = LARGEST;
	measure(results, "peer memcpy, 64 each", memory, copy_libc);
	if (find_libpmem(results))
		measure(results, "peer libpmem nt, 64 each", memory, copy_libpmem);
}

void host_measure_limits(struct results *results, uint64_t memmap_bytes)
{
	char *memory, *aligned;

	measure_first_touch(results, memmap_bytes);
	memory = mmap(NULL, LARGEST + (2 << 20), PROT_READ | PROT_WRITE,
	              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED) {
		results_skip(results, NULL, "no memory", "limits of this machine");
		return;
	}
	aligned = (char *)(((uintptr_t)memory + (2 << 20) - 1) & ~(uintptr_t)((2 << 20) - 1));
	madvise(aligned, LARGEST, MADV_HUGEPAGE);
	memset(aligned, 1, LARGEST);
	measure_all(results, aligned);
	munmap(memory, LARGEST + (2 << 20));
}
