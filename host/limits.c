/* SPDX-License-Identifier: BSD-2-Clause */
#include "host/limits.h"

#include <pagestamp/statistics.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define BYTES  (256ull << 20)
#define ROUNDS 7
#define LINE   64

/* memcpy as a function that nobody can inline, one descriptor a call. */
static void *(*volatile call_memcpy)(void *, const void *, size_t) = memcpy;

/* Signatures of libpmem (pmem_memcpy(3)); the library is looked for at run time. */
static void *(*pmem_memcpy)(void *, const void *, size_t, unsigned);
static void (*pmem_drain)(void);
#define PMEM_F_MEM_NODRAIN     1u
#define PMEM_F_MEM_NONTEMPORAL 2u

static void fill_memset(char *memory)
{
	memset(memory, 0x5a, BYTES);
}

static void fill_dense_streaming(char *memory)
{
	fill_streaming(memory, 0xffff888100002001ull, BYTES);
	fill_streaming_drain();
}

static void read_lines(char *memory)
{
	uint64_t sum = 0;

	for (size_t at = 0; at < BYTES; at += LINE)
		sum += *(volatile uint64_t *)(memory + at);
	__asm__ volatile("" : : "r"(sum));
}

static void modify_lines(char *memory)
{
	for (size_t at = 0; at < BYTES; at += LINE)
		++*(volatile uint64_t *)(memory + at);
}

static const uint64_t descriptor[LINE / 8] = {
	0x0027ffffc0002000, 0xffff888100002001, 0, 0, 0, 0, 0x00000001ffffffff, 0};

static void copy_libc(char *memory)
{
	for (size_t at = 0; at < BYTES; at += LINE)
		call_memcpy(memory + at, descriptor, LINE);
}

static void copy_libpmem(char *memory)
{
	for (size_t at = 0; at < BYTES; at += LINE)
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
	struct limit limit = {.name = name, .bytes = BYTES};
	double ticks[ROUNDS];

	for (unsigned i = 0; i < ROUNDS; i++) {
		const uint64_t begin = counter_begin();

		run(memory);
		ticks[i] = (double)(counter_end() - begin);
	}
	limit.ticks = median_of(ticks, ROUNDS);
	results_add_limit(results, &limit);
}

void host_measure_limits(struct results *results)
{
	char *memory = mmap(NULL, BYTES + (2 << 20), PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	char *aligned;

	if (memory == MAP_FAILED) {
		results_skip(results, NULL, "no memory", "limits of this machine");
		return;
	}
	aligned = (char *)(((uintptr_t)memory + (2 << 20) - 1) & ~(uintptr_t)((2 << 20) - 1));
	madvise(aligned, BYTES, MADV_HUGEPAGE);
	memset(aligned, 1, BYTES);
	measure(results, "memset", aligned, fill_memset);
	measure(results, "streaming fill", aligned, fill_dense_streaming);
	measure(results, "read, a word of each line", aligned, read_lines);
	measure(results, "modify, a word of each line", aligned, modify_lines);
	measure(results, "peer memcpy, 64 a call", aligned, copy_libc);
	if (find_libpmem(results))
		measure(results, "peer libpmem nt, 64 a call", aligned, copy_libpmem);
	munmap(memory, BYTES + (2 << 20));
}
