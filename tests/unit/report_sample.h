/* SPDX-License-Identifier: BSD-2-Clause */
/* Results as a machine could give them, for the tests of the writers. */
#ifndef TESTS_REPORT_SAMPLE_H
#define TESTS_REPORT_SAMPLE_H

#include <pagestamp/result.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *sample_missing(void)
{
	return "no AVX-512F";
}

static const struct copy_backend sample_movnti = {
	.name = "movnti", .instruction = "movnti r64", .streaming = true, .block_bytes = 8};
static const struct copy_backend sample_zmm = {.name = "movntdq-zmm",
                                               .instruction = "vmovntdq zmm",
                                               .streaming = true,
                                               .block_bytes = 64,
                                               .missing = sample_missing};
const struct copy_backend *const copy_backends[] = {&sample_movnti, &sample_zmm};
const size_t nr_copy_backends = 2;

static struct pmem_range sample_range[2];
static struct options sample_options;

/* One experiment, three methods, 1 GHz. */
static void sample_run(struct results *results, bool map_dev, enum method_id method,
                       const struct copy_backend *backend, double median)
{
	struct run *run = results_add_run(results);

	run->cell = (struct cell){
		.experiment = EXP_FSDAX,
		.range = &sample_range[0],
		.map_dev = map_dev,
		.method = method,
		.backend = backend,
		.geometry = {.order = 0, .align = 4096, .nr_pages = 2097152},
	};
	run->written = 2097152;
	run->samples = malloc(30 * sizeof(*run->samples));
	for (unsigned i = 0; i < 30; i++)
		run->samples[i] = (uint64_t)median + i;
	run->nr_samples = 30;
	run->ticks = (struct statistics){30, median, median, median * 1.25, median * 2, 500};
	run->first_known = true;
	run->first_ticks = (uint64_t)median * 5;
	run->first_pages = run->first_written = 2097152;
	run->vs_base_pct = method == METHOD_BASE ? NAN : -60.4;
	run->vs_fill = 1.02;
	run->verified = 1;
}

static struct results sample_results(void)
{
	struct results results = {
		.version = "v1",
		.compiler = "gcc 12",
		.arch = "x86_64",
		.build_flags = "-O2",
		.options = &sample_options,
		.machine = {.cpu = "AMD EPYC 9575F 64-Core Processor",
	                    .family_model_stepping = "26/2/1",
	                    .llc_bytes = 32 << 20,
	                    .features = "avx avx2 erms",
	                    .firmware = "EDK II 2022.11",
	                    .secure_boot = 0,
	                    .el = -1,
	                    .memory_bytes = 4ull << 30,
	                    .nodes = 1},
		.counter = {.name = "tsc",
	                    .hz = 1000000000,
	                    .source = "cpuid 0x15",
	                    .cross_check = "acpi pm timer",
	                    .disagreement_ppm = 12,
	                    .resolution_ns = 1,
	                    .overhead_ticks = 20},
		.window_page = "2M",
		.ranges = {sample_range, 2},
		.pass = true,
	};

	sample_options = (struct options){.effective = (char *)"map=both"};
	sample_range[0] = (struct pmem_range){
		.id = "pmem0",
		.kind = RANGE_PERSISTENT,
		.source = "nfit",
		.base = 0x180000000,
		.size = 8ull << 30,
		.nodes = "nfit 0, srat 1",
		.about = "2 NVDIMMs, 2 ways",
		.content = CONTENT_NAMESPACE,
		.holds = "fsdax map=dev align=2M",
		.ns = {.size = 8453619712, .dataoff = 136314880, .npfns = 2063872}};
	/* 1 MiB before and after whole 2 MiB compounds */
	sample_range[1] = (struct pmem_range){.id = "pmem1",
	                                      .kind = RANGE_MEMMAP,
	                                      .source = "memmap=",
	                                      .base = 0x100000,
	                                      .size = 6 << 20,
	                                      .content = CONTENT_BLANK,
	                                      .holds = "nothing (blank)"};
	sample_run(&results, false, METHOD_BASE, NULL, 244.28e6);
	sample_run(&results, false, METHOD_TEMPLATE, &sample_movnti, 96.79e6);
	sample_run(&results, true, METHOD_STAMP, &sample_movnti, 90e6);
	return results;
}

static void sample_free(struct results *results)
{
	for (size_t i = 0; i < results->nr_runs; i++)
		free(results->run[i].samples);
	free(results->run);
	free(results->limit);
	for (size_t i = 0; i < results->nr_answers; i++)
		free(results->answer[i].run);
	free(results->answer);
	free(results->skipped);
}

#endif
