/* SPDX-License-Identifier: BSD-2-Clause */
/* links: report/json.c report/json_text.c report/figures.c report/results.c */
/* links: discover/option_values.c discover/console.c discover/options.c discover/number.c */
#include "tests/unit/json_read.h"
#include "tests/unit/report_sample.h"

#include <pagestamp/report.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

static char *write_json(const struct results *results)
{
	char *text;
	size_t len;

	assert_true(report_json(results, &text, &len));
	assert_int_equal(strlen(text), len);
	assert_true(json_valid(text));
	assert_int_equal(text[len - 1], '\n');
	return text;
}

#define assert_at(text, path, value) assert_string_equal(json_at(text, path), value)

/* Parsers that accept nonsense prove nothing. */
static void reader_is_strict(void **state)
{
	static const char *const bad[] = {"",        "{",         "{\"a\":}", "[1,]",      "[nan]",
	                                  "[1 2]",   "{a:1}",     "[\"\n\"]", "[\"\\x\"]", "[01]",
	                                  "[1.]",    "[inf]",     "{} {}",    "[1e]",      "[-]",
	                                  "{\"a\"}", "[\"\xe4\"]"};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(json_valid(bad[i]));
	assert_true(json_valid("{\"a\": [1, -2.5e+10, \"\\u00e4\\\"\", null, {}], \"b\": true}"));
	assert_at("{\"a\": [1, {\"b\": 7}]}", "a/1/b", "7");
	assert_at("{\"a\": [1, {\"b\": 7}]}", "a/2", "");
}

static void every_figure(void **state)
{
	struct results results = sample_results();
	struct limit limit = {"fill-streaming", 134217728, 90e6};
	char *text, cell[256];

	(void)state;
	results_add_limit(&results, &limit);
	answer_cite(&results, results_answer(&results, "Does it pay?", "Yes, %d times.", 2),
	            &results.run[1]);
	results_skip(&results, NULL, "no AVX-512F", "copy %s", "movntdq-zmm");
	results_skip(&results, &results.run[1].cell, "budget", "fsdax");
	text = write_json(&results);

	assert_at(text, "schema", "\"pagestamp/1\"");
	assert_at(text, "accel", "null");
	assert_at(text, "options", "\"map=both\"");
	assert_at(text, "result", "\"pass\"");
	assert_at(text, "fail_why", "null");
	assert_at(text, "machine/features/2", "\"erms\"");
	assert_at(text, "machine/secure_boot", "false");
	assert_at(text, "machine/midr", "null");
	assert_at(text, "machine/el", "null");
	assert_at(text, "machine/hypervisor", "null");
	assert_at(text, "machine/llc_bytes", "33554432");
	assert_at(text, "counter/hz", "1000000000");
	assert_at(text, "counter/disagreement_ppm", "12");
	assert_at(text, "backends/0/available", "true");
	assert_at(text, "backends/0/why", "null");
	assert_at(text, "backends/1/available", "false");
	assert_at(text, "backends/1/why", "\"no AVX-512F\"");
	assert_at(text, "limits/0/gb_per_s", "1.49130808889");
	assert_at(text, "answers/0/answer", "\"Yes, 2 times.\"");
	snprintf(cell, sizeof(cell), "%s", json_at(text, "runs/1/cell"));
	assert_at(text, "answers/0/runs/0", cell);
	assert_at(text, "skipped/0/what", "\"copy movntdq-zmm\"");
	assert_at(text, "skipped/0/cell", "null");
	assert_at(text, "skipped/1/why", "\"budget\"");
	assert_at(text, "skipped/1/method", "\"template\"");
	assert_at(text, "pools", "[]");

	assert_at(text, "runs/1/cell",
	          "\"fsdax/pmem0/mem/4096/template/movnti/vmemmap/pointer/warm/none/ascending/0/"
	          "full/1/4096/64\"");
	assert_at(text, "runs/0/copy", "null");
	assert_at(text, "runs/1/copy", "\"movnti\"");
	assert_at(text, "runs/2/map", "\"dev\"");
	assert_at(text, "runs/1/chosen", "null");
	assert_at(text, "runs/1/model", "\"vmemmap\"");
	assert_at(text, "runs/1/tail", "\"pointer\"");
	assert_at(text, "runs/1/page_size", "4096");
	assert_at(text, "runs/1/descriptor_bytes", "64");
	assert_at(text, "runs/1/pages", "2097152");
	assert_at(text, "runs/1/first_ns", "483950000");
	assert_at(text, "runs/1/rebind_ns/n", "30");
	assert_at(text, "runs/1/rebind_ns/median", "96790000");
	assert_at(text, "runs/1/rebind_ns/mad", "500");
	assert_at(text, "runs/1/samples_ticks/29", "96790029");
	assert_at(text, "runs/1/ns_per_page", "46.1530685425");
	assert_at(text, "runs/1/instructions_per_page", "null");
	assert_at(text, "runs/0/vs_base_pct", "null");
	assert_at(text, "runs/1/vs_base_pct", "-60.4");
	assert_at(text, "runs/1/touch_ns", "null");
	assert_at(text, "runs/1/phases", "[]");
	assert_at(text, "runs/1/counters", "{}");
	assert_at(text, "runs/1/saved_bytes", "0");
	assert_at(text, "runs/1/verified", "true");
	assert_at(text, "runs/1/why_not", "null");
	free(text);
	sample_free(&results);
}

static void ranges(void **state)
{
	struct results results = sample_results();
	char *text = write_json(&results);

	(void)state;
	assert_at(text, "ranges/0/base", "\"0x180000000\"");
	assert_at(text, "ranges/0/node_by", "\"nfit 0, srat 1\"");
	assert_at(text, "ranges/0/about", "\"2 NVDIMMs, 2 ways\"");
	assert_at(text, "ranges/1/node_by", "null");
	assert_at(text, "ranges/1/about", "null");
	assert_at(text, "ranges/0/namespace", "\"fsdax map=dev align=2M\"");
	assert_at(text, "ranges/0/namespace_size", "8453619712");
	assert_at(text, "ranges/0/dataoff", "136314880");
	assert_at(text, "ranges/0/usable_2m", "8589934592");
	assert_at(text, "ranges/0/usable_1g", "8589934592");
	assert_at(text, "ranges/1/namespace", "null");
	assert_at(text, "ranges/1/dataoff", "null");
	assert_at(text, "ranges/1/usable_2m", "4194304");
	assert_at(text, "ranges/1/usable_1g", "0");
	assert_at(text, "ranges/1/lost_head", "1048576");
	assert_at(text, "ranges/1/lost_tail", "1048576");
	free(text);
	sample_free(&results);
}

/* A row of experiment=pte: its window in the cell's name, its steps in the phases. */
static void windows_and_phases(void **state)
{
	struct results results = sample_results();
	struct phase phases[] = {{"look", 7}, {"entries", 1000}};
	struct run *run = &results.run[1];
	char *text;

	(void)state;
	run->cell = (struct cell){
		.experiment = EXP_PTE,
		.range = &sample_range[0],
		.method = METHOD_CALL,
		.geometry = {.order = 9, .align = 2 << 20, .nr_pages = 16384},
		.window_pages = 16,
		.holes = HOLES_EVERY_2ND,
		.contiguous = true,
	};
	run->written = 8192;
	run->phase = phases;
	run->nr_phases = 2;
	text = write_json(&results);
	assert_at(text, "runs/1/cell",
	          "\"pte/pmem0/mem/2097152/call/none/vmemmap/pointer/warm/none/ascending/0/full/1/"
	          "4096/64/16/every-2nd/contiguous\"");
	assert_at(text, "runs/1/method", "\"call\"");
	assert_at(text, "runs/1/copy", "null");
	assert_at(text, "runs/1/window_pages", "16");
	assert_at(text, "runs/1/holes", "\"every-2nd\"");
	assert_at(text, "runs/1/contiguous", "true");
	assert_at(text, "runs/1/phases/0/name", "\"look\"");
	assert_at(text, "runs/1/phases/1/ticks", "1000");
	assert_at(text, "runs/1/phases/1/ns", "1000");
	assert_at(text, "runs/1/gb_per_s", "null"); /* entries are not bytes of descriptors */
	assert_at(text, "runs/0/window_pages", "null");
	assert_at(text, "runs/0/holes", "null");
	assert_at(text, "runs/0/contiguous", "null");
	free(text);
	sample_free(&results);
}

static void without_a_frequency_only_ticks(void **state)
{
	struct results results = sample_results();
	struct limit limit = {"fill-streaming", 134217728, 90e6};
	char *text;

	(void)state;
	results_add_limit(&results, &limit);
	results.counter.hz = 0;
	text = write_json(&results);
	assert_at(text, "counter/hz", "null");
	assert_at(text, "counter/resolution_ns", "null");
	assert_at(text, "runs/1/first_ticks", "483950000");
	assert_at(text, "runs/1/first_ns", "null");
	assert_at(text, "runs/1/rebind_ns/n", "30");
	assert_at(text, "runs/1/rebind_ns/min", "null");
	assert_at(text, "runs/1/rebind_ns/median", "null");
	assert_at(text, "runs/1/rebind_ns/mean", "null");
	assert_at(text, "runs/1/rebind_ns/max", "null");
	assert_at(text, "runs/1/rebind_ns/mad", "null");
	assert_at(text, "runs/1/ns_per_page", "null");
	assert_at(text, "runs/1/gb_per_s", "null");
	assert_at(text, "runs/1/vs_base_pct", "-60.4");
	assert_at(text, "limits/0/gb_per_s", "null");
	free(text);
	sample_free(&results);
}

static void unknown_is_null(void **state)
{
	struct results results = {.machine = {.secure_boot = -1}};
	struct run *run = results_add_run(&results);
	char *text;

	(void)state;
	run->cell = (struct cell){.experiment = EXP_DEVDAX_2M};
	results_fail(&results, "first %d", 1);
	results_fail(&results, "second");
	text = write_json(&results);
	assert_at(text, "version", "null");
	assert_at(text, "options", "null");
	assert_at(text, "result", "\"fail\"");
	assert_at(text, "fail_why", "\"first 1\"");
	assert_at(text, "machine/cpu", "null");
	assert_at(text, "machine/llc_bytes", "null");
	assert_at(text, "machine/secure_boot", "null");
	assert_at(text, "machine/el", "null");
	assert_at(text, "machine/nodes", "null");
	assert_at(text, "machine/features", "[]");
	assert_at(text, "counter/name", "null");
	assert_at(text, "counter/cross_check", "null");
	assert_at(text, "counter/disagreement_ppm", "null");
	assert_at(text, "ranges", "[]");
	assert_at(text, "runs/0/range", "null");
	assert_at(text, "runs/0/first_ticks", "null");
	assert_at(text, "runs/0/first_pages", "null");
	assert_at(text, "runs/0/rebind_ns/n", "0");
	assert_at(text, "runs/0/rebind_ns/median", "null");
	assert_at(text, "runs/0/samples_ticks", "[]");
	assert_at(text, "runs/0/ns_per_page", "null");
	assert_at(text, "runs/0/vs_base_pct", "null");
	assert_at(text, "runs/0/vs_fill", "null");
	assert_at(text, "runs/0/verified", "null");
	free(text);

	/* Samples, but nothing written: no division by zero. */
	results.counter.hz = 1;
	run->ticks = (struct statistics){1, 0, 0, 0, 0, 0};
	run->vs_fill = INFINITY;
	text = write_json(&results);
	assert_at(text, "runs/0/rebind_ns/median", "0");
	assert_at(text, "runs/0/ns_per_page", "null");
	assert_at(text, "runs/0/gb_per_s", "null");
	assert_at(text, "runs/0/vs_fill", "null");
	free(text);
	sample_free(&results);
}

static void no_second_source(void **state)
{
	struct results results = sample_results();
	char *text;

	(void)state;
	strcpy(results.counter.cross_check, "none");
	text = write_json(&results);
	assert_at(text, "counter/cross_check", "\"none\"");
	assert_at(text, "counter/disagreement_ppm", "null");
	assert_at(text, "counter/hz", "1000000000");
	free(text);
	sample_free(&results);
}

static void counted_instructions(void **state)
{
	struct results results = sample_results();
	char *text;

	(void)state;
	strcpy(results.machine.accel, "tcg-icount");
	results.machine.icount_shift = 4;
	results.run[0].ticks.median = 2097152 * 49.25 * 16;
	text = write_json(&results);
	assert_at(text, "accel", "\"tcg-icount\"");
	assert_at(text, "machine/icount_shift", "4");
	assert_at(text, "runs/0/instructions_per_page", "49.25");
	free(text);
	strcpy(results.machine.accel, "tcg");
	text = write_json(&results);
	assert_at(text, "machine/icount_shift", "null");
	assert_at(text, "runs/0/instructions_per_page", "null");
	free(text);
	sample_free(&results);
}

static void a_failed_verification_says_why(void **state)
{
	static const struct memmap_variant wide = {.size = 80, .sparse = true, .page_shift = 14};
	struct results results = sample_results();
	struct dump_words dump = {.compound = 3, .which = "tail1", .word = {1, ~0ull}};
	struct run *run = &results.run[1];
	char *text;

	(void)state;
	run->verified = 0;
	strcpy(run->why_not, "pfn 0x180001 word 0");
	run->dump = &dump;
	run->nr_dump = 1;
	run->cell.optimised = true;
	run->cell.variant = &wide;
	run->written = 128;
	text = write_json(&results);
	assert_at(text, "runs/1/verified", "false");
	assert_at(text, "runs/1/why_not", "\"pfn 0x180001 word 0\"");
	assert_at(text, "runs/1/dax_vmemmap", "\"optimised\"");
	assert_at(text, "runs/1/model", "\"sparse\"");
	assert_at(text, "runs/1/page_size", "16384");
	assert_at(text, "runs/1/descriptor_bytes", "80");
	assert_at(text, "runs/1/saved_bytes", "167761920"); /* (2097152 - 128) * 80 */
	assert_at(text, "runs/1/dump/0/compound", "3");
	assert_at(text, "runs/1/dump/0/which", "\"tail1\"");
	assert_at(text, "runs/1/dump/0/words/1", "\"0xffffffffffffffff\"");
	assert_at(text, "runs/1/dump/0/words/9", "\"0x0\"");
	assert_at(text, "runs/1/dump/0/words/10", "");
	free(text);
	sample_free(&results);
}

/* Firmware vendors write what they like. */
static void strings_are_escaped(void **state)
{
	struct results results = sample_results();
	char *text;

	(void)state;
	strcpy(results.machine.firmware, "\"Acme\\\" \x01\t\n\xe4\x7f</");
	text = write_json(&results);
	assert_at(text, "machine/firmware",
	          "\"\\\"Acme\\\\\\\" \\u0001\\u0009\\u000a\\u00e4\\u007f</\"");
	free(text);
	sample_free(&results);
}

static void lines_are_short(void **state)
{
	struct results results = sample_results();
	char *text;

	(void)state;
	text = write_json(&results);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		/* the stable id is one string and longer than a line */
		assert_true(strcspn(line, "\n") <= 78 || strstr(line, "\"cell\": ") - line < 20);
	free(text);
	sample_free(&results);
}

static void arrays_grow(void **state)
{
	struct results results = {0};

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		struct run *run = results_add_run(&results);

		assert_non_null(run);
		assert_int_equal(run->written, 0);
		assert_true(isnan(run->vs_fill) && run->verified == -1);
		run->written = i;
	}
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(results.run[i].written, i);
	sample_free(&results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reader_is_strict),
		cmocka_unit_test(every_figure),
		cmocka_unit_test(ranges),
		cmocka_unit_test(without_a_frequency_only_ticks),
		cmocka_unit_test(unknown_is_null),
		cmocka_unit_test(no_second_source),
		cmocka_unit_test(counted_instructions),
		cmocka_unit_test(a_failed_verification_says_why),
		cmocka_unit_test(strings_are_escaped),
		cmocka_unit_test(lines_are_short),
		cmocka_unit_test(arrays_grow),
		cmocka_unit_test(windows_and_phases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
