/* SPDX-License-Identifier: BSD-2-Clause */
/* make bench: the same experiments as a Linux process, on this very CPU. */
#include "host/limits.h"
#include "host/machine.h"

#include <pagestamp/arch.h>
#include <pagestamp/bench.h>
#include <pagestamp/copy.h>
#include <pagestamp/counter_setup.h>
#include <pagestamp/pools.h>
#include <pagestamp/report.h>
#include <pagestamp/version.h>
#include <pagestamp/window.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The published size, and the largest that a quarter of the free memory has descriptors for. */
#define PUBLISHED_SIZE (100ull << 30)
#define RANGE_BASE     (1ull << 40)
/* Ordinary memory: for the matrix; where hugepages= asks for more. */
#define MATRIX_MEMORY (16ull << 30)
#define LARGE_MEMORY  (1ull << 40)
#define MATRIX_POOLS  "hugepagesz=1G hugepages=12"

static struct options options;
static struct results results;

static int refuse(const char *why)
{
	fprintf(stderr, "pagestamp: FAIL %s\n", why);
	return 1;
}

/* argv joined by blanks: the text that a loader would hand over. */
static char *options_text(int argc, char **argv, bool *asks_for_pools)
{
	size_t size = sizeof(MATRIX_POOLS);
	char *text;

	for (int i = 2; i < argc; i++)
		size += strlen(argv[i]) + 1;
	text = calloc(1, size);
	*asks_for_pools = false;
	for (int i = 2; text && i < argc; i++) {
		*asks_for_pools |= strstr(argv[i], "hugepage") != NULL;
		strcat(text, argv[i]);
		strcat(text, " ");
	}
	if (text && !*asks_for_pools)
		strcat(text, MATRIX_POOLS);
	return text;
}

static bool read_options(int argc, char **argv, bool *asks_for_pools, char *why, size_t size)
{
	const char *names[nr_copy_backends + 1];
	char *text = options_text(argc, argv, asks_for_pools);
	bool ok;

	for (size_t i = 0; i < nr_copy_backends; i++)
		names[i] = copy_backends[i]->name;
	names[nr_copy_backends] = "auto";
	ok = text && options_parse(text, OPTIONS_TYPED, &options, why, size) &&
	     options_check_names(&options, names, nr_copy_backends + 1, why, size);
	free(text);
	return ok;
}

/*
 * A process has no persistent memory. Its ranges are addresses alone: pmem0 of the
 * published size, then one for each size of memmap that bench/matrix.c sweeps.
 */
static bool make_ranges(void)
{
	static const uint64_t sweep[] = {BENCH_SWEEP_BYTES};
	const size_t nr = 1 + sizeof(sweep) / sizeof(sweep[0]);
	struct pmem_range *range = calloc(nr, sizeof(*range));
	uint64_t size = PUBLISHED_SIZE;

	if (!range)
		return false;
	while (size / 64 > results.machine.memory_bytes / 4)
		size /= 2;
	for (size_t i = 0; i < nr; i++) {
		range[i] = (struct pmem_range){
			.kind = RANGE_PERSISTENT,
			.source = "none",
			.base = RANGE_BASE * (i + 1),
			.size = i ? sweep[i - 1] * 64
		                  : size, /* 4 KiB for each 64-byte descriptor */
			.content = CONTENT_BLANK,
			.holds = "nothing: addresses alone",
		};
		snprintf(range[i].id, sizeof(range[i].id), "pmem%zu", i);
	}
	results.ranges = (struct pmem_ranges){.item = range, .nr = nr};
	return true;
}

/*
 * A process has no RAM of its own to make huge pages of, either: addresses again, for 12
 * huge pages of 1 GiB unless hugepages= asks for others.
 */
static bool make_memory(bool asked)
{
	return memory_pieces_add(&results.memory, RANGE_BASE * 64,
	                         asked ? LARGE_MEMORY : MATRIX_MEMORY, 0);
}

static void pin_to_this_cpu(void)
{
	cpu_set_t set;
	int cpu = sched_getcpu();

	CPU_ZERO(&set);
	CPU_SET(cpu < 0 ? 0 : cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		results_skip(&results, NULL, "the kernel refuses", "pinning to one CPU");
}

static bool write_file(const char *directory, const char *name, const char *text, size_t length)
{
	char path[4096];
	FILE *file;
	bool ok;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	ok = file && fwrite(text, 1, length, file) == length;
	if (file && fclose(file))
		ok = false;
	if (!ok)
		fprintf(stderr, "pagestamp: cannot write %s\n", path);
	return ok;
}

/* Where `text` is NULL the table itself goes to the file. */
static bool tell(const char *directory)
{
	char path[4096], *json;
	size_t length;
	FILE *report;

	if (options.format_simple)
		report_simple(stdout, &results);
	else
		report_table(stdout, &results);
	report_verdict(stdout, &results);
	snprintf(path, sizeof(path), "%s/report.txt", directory);
	report = fopen(path, "w");
	if (!report || !report_json(&results, &json, &length))
		return false;
	report_table(report, &results);
	report_verdict(report, &results);
	fclose(report);
	length = strlen(json);
	return write_file(directory, "results.json", json, length);
}

static volatile sig_atomic_t interrupts;

/* The second one ends the process. */
static void on_interrupt(int number)
{
	interrupts = 1;
	signal(number, SIG_DFL);
}

static bool interrupted(void)
{
	return interrupts;
}

int main(int argc, char **argv)
{
	struct window_error error;
	char why[OPTIONS_WHY_SIZE];
	bool asks_for_pools;

	if (argc < 2) {
		fprintf(stderr, "usage: %s RESULTS-DIRECTORY [option ...]\n", argv[0]);
		return 2;
	}
	signal(SIGINT, on_interrupt);
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("pagestamp %s %s: alive\n", pagestamp_version, arch_name);
	results = (struct results){
		.version = pagestamp_version,
		.compiler = pagestamp_compiler,
		.arch = arch_name,
		.build_flags = pagestamp_build_flags,
		.options = &options,
		.pass = true,
	};
	if (!read_options(argc, argv, &asks_for_pools, why, sizeof(why)))
		return refuse(why);
	if (options.selftest || options.nr_memmaps || options.nr_writes || options.map != MAP_MEM)
		return refuse("a process has no persistent memory: map=dev, write=, memmap= and "
		              "selftest are for the firmware's program");
	options.auto_rebinds_min = 3;
	host_machine_describe(&results.machine);
	pin_to_this_cpu();
	counter_setup(&results.counter);
	if (!window_init(&error))
		return refuse(error.why);
	if (!make_ranges() || !make_memory(asks_for_pools))
		return refuse("no memory for the ranges");
	if (!options_check_ranges(&options, &results.ranges, why, sizeof(why)) ||
	    !pools_find(&results, why, sizeof(why)))
		return refuse(why);
	if (!options.list)
		host_measure_limits(&results, results.ranges.item[0].size / 64);
	bench_run_matrix(&results, interrupted);
	results.window_page = window_page_name();
	if (!tell(argv[1]))
		return refuse("results not written");
	return results.pass ? 0 : 1;
}
