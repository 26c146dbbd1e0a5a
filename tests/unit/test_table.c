/* SPDX-License-Identifier: BSD-2-Clause */
/* links: report/table.c report/simple.c report/text.c report/figures.c report/results.c */
/* links: report/pte_table.c */
/* links: discover/option_values.c discover/console.c discover/options.c discover/number.c */
#include "tests/unit/report_sample.h"

#include "report/text.h"

#include <pagestamp/report.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

/* What a writer wrote; every line of it fits an 80-column console and is plain ASCII. */
static char *written(void (*writer)(FILE *, const struct results *), const struct results *results)
{
	char *text;
	size_t size, column = 0;
	FILE *out = open_memstream(&text, &size);

	writer(out, results);
	fclose(out);
	for (const char *c = text; *c; c++) {
		assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
		column = *c == '\n' ? 0 : column + 1;
		if (column > TEXT_COLUMNS)
			fail_msg("wider than %d columns: ...%.30s", TEXT_COLUMNS, c - 29);
	}
	return text;
}

#define assert_has(text, part)   assert_non_null(strstr(text, part))
#define assert_lacks(text, part) assert_null(strstr(text, part))

static const struct cell dropped;

static void a_table(void **state)
{
	struct results results = sample_results();
	struct limit limit = {"fill-streaming", 134217728, 90e6};
	char *text;

	(void)state;
	results_add_limit(&results, &limit);
	answer_cite(&results, results_answer(&results, "Does it pay?", "Yes."), &results.run[0]);
	results_skip(&results, NULL, "no AVX-512F", "copy movntdq-zmm");
	for (int i = 0; i < 13; i++)
		results_skip(&results, &dropped, "the budget was used up", "devdax-2m pmem0");
	text = written(report_table, &results);
	assert_lacks(text, "silicon");
	assert_has(text,
	           "\nfsdax pmem0 map=mem align=4 KiB page_size=4 KiB\n"
	           "2,097,152 descriptors of 64 bytes, 2,097,152 written, 128 MiB; 30 rebinds\n");
	assert_has(text, "\nfsdax pmem0 map=dev align=4 KiB page_size=4 KiB\n");
	assert_has(text,
	           "\n"
	           "method   copy             first    mean  median    mad      ns vs base    vs\n"
	           "                             ms      ms      ms     ms  a page       %  fill "
	           "ok\n"
	           "base     -              1221.40  305.35  244.28  0.001  116.48       - 1.020 "
	           "ok\n"
	           "template movnti          483.95  120.99   96.79  0.001   46.15   -60.4 1.020 "
	           "ok\n");
	assert_has(text,
	           "base                    |########################################  244.28 "
	           "ms\n"
	           "template movnti         |################                           96.79 "
	           "ms\n");
	assert_has(text, "  fill-streaming              128 MiB     90.00 ms    1.491 GB/s\n");
	assert_has(text, "- Does it pay?\n  Yes. (30 rebinds)\n");
	assert_has(text, "- copy movntdq-zmm: no AVX-512F\n"
	                 "- devdax-2m pmem0 (13 cells): the budget was used up\n");
	assert_has(text, "\n3 rows: 3 verified against the slow path, 0 wrong, 0 not asked\n");
	free(text);
	sample_free(&results);
}

static void an_emulator_is_no_silicon(void **state)
{
	struct results results = sample_results();
	char *text;

	(void)state;
	strcpy(results.machine.accel, "tcg");
	text = written(report_table, &results);
	assert_true(strstr(text, "silicon") && strstr(text, "silicon") < strstr(text, "machine"));
	assert_has(text, "     ns vs base");
	free(text);

	strcpy(results.machine.accel, "");
	strcpy(results.machine.hypervisor, "TCG");
	text = written(report_table, &results);
	assert_has(text, "silicon");
	free(text);

	strcpy(results.machine.accel, "tcg-icount");
	results.machine.icount_shift = 1;
	results.run[0].ticks.median = 2097152 * 49.25 * 2;
	text = written(report_table, &results);
	assert_has(text, "silicon");
	assert_has(text, "   insn vs base");
	assert_has(text, "   49.25 ");
	free(text);
	sample_free(&results);
}

static void without_a_frequency(void **state)
{
	struct results results = sample_results();
	char *text;

	(void)state;
	results.counter.hz = 0;
	text = written(report_table, &results);
	assert_has(text, "ticks only");
	assert_has(text, "  Mtick   Mtick");
	assert_lacks(text, " ms ");
	assert_lacks(text, "nan");
	free(text);
	sample_free(&results);
}

static void a_slice_for_the_first_bind(void **state)
{
	struct results results = sample_results();
	char *text;

	(void)state;
	results.run[0].first_pages = results.run[0].first_written = 1048576;
	results.run[0].first_ticks = 104857600;
	text = written(report_table, &results);
	assert_has(text, " first* ");
	assert_has(text, "* first bind: ns a page, on a fresh slice of 1,048,576 descriptors");
	assert_has(text, "base     -               100.00 ");
	free(text);
	sample_free(&results);
}

static void what_is_wrong_stands_out(void **state)
{
	struct results results = sample_results();
	char *text;

	(void)state;
	results.run[1].verified = 0;
	strcpy(results.run[1].why_not, "pfn 0x180001 word 0");
	results.run[2].verified = -1;
	text = written(report_table, &results);
	assert_has(text, "1.020 NO\n");
	assert_has(text, "WRONG: template movnti: pfn 0x180001 word 0\n");
	assert_has(text, "1 verified against the slow path, 1 wrong, 1 not asked");
	free(text);
	sample_free(&results);
}

/* Everything as long as its field allows, figures out of all proportion. */
static void nothing_is_wider_than_the_console(void **state)
{
	static struct copy_backend long_name = {.name = "a-name-far-longer-than-any-column-is",
	                                        .instruction = "an instruction"};
	struct results results = sample_results();
	struct limit limit = {"a-limit-with-a-name-that-is-much-too-long", 1ull << 40, 1e18};
	char *text, words[512];

	(void)state;
	memset(words, 'w', sizeof(words) - 1);
	words[sizeof(words) - 1] = '\0';
	results_add_limit(&results, &limit);
	results_answer(&results, words, "%s and %s", words, words);
	results_skip(&results, NULL, words, "%s", words);
	memset(results.machine.features, 'f', sizeof(results.machine.features) - 1);
	memset(results.machine.firmware, '\xe4', sizeof(results.machine.firmware) - 1);
	sample_options.list = true;
	for (size_t i = 0; i < results.nr_runs; i++) {
		struct run *run = &results.run[i];

		run->cell.backend = &long_name;
		run->cell.geometry.nr_pages = UINT64_MAX;
		run->cell.optimised = true;
		run->ticks.mean = 1e300;
		run->ticks.mad = -1e17;
		run->first_ticks = UINT64_MAX;
		run->vs_base_pct = 1e12;
		run->vs_fill = 1e9;
		run->verified = 0;
		memset(run->why_not, 'x', sizeof(run->why_not) - 1);
	}
	text = written(report_table, &results);
	assert_has(text, "movntdq-zmm: vmovntdq zmm, 64 bytes, streaming; not here: no AVX-512F");
	free(text);
	free(written(report_simple, &results));
	sample_free(&results);
}

static void nothing_at_all(void **state)
{
	struct results results = {0};
	char *text = written(report_table, &results);

	(void)state;
	assert_has(text, "unknown");
	assert_has(text, "ranges    none\n");
	assert_lacks(text, "nan");
	free(text);
	text = written(report_simple, &results);
	assert_string_equal(
		text,
		"# experiment range map vmemmap method copy ms ns/page base% fill verified\n");
	free(text);
}

static void one_line_a_cell(void **state)
{
	struct results results = sample_results();
	char *text;

	(void)state;
	text = written(report_simple, &results);
	assert_string_equal(
		text, "# experiment range map vmemmap method copy ms ns/page base% fill verified\n"
		      "fsdax pmem0 mem full base none 244.28 116.48 - 1.020 ok\n"
		      "fsdax pmem0 mem full template movnti 96.79 46.15 -60.40 1.020 ok\n"
		      "fsdax pmem0 dev full stamp movnti 90.00 42.92 -60.40 1.020 ok\n");
	free(text);
	sample_free(&results);
}

static void one_mapping(struct results *results, enum method_id method, bool contiguous,
                        double median)
{
	static struct phase phases[] = {{"look", 8192}, {"entries", 4 * 8192}};
	struct run *run = results_add_run(results);

	run->cell = (struct cell){
		.experiment = EXP_PTE,
		.range = &sample_range[0],
		.method = method,
		.geometry = {.order = 9, .align = 2 << 20, .nr_pages = 16384},
		.window_pages = 16,
		.holes = HOLES_EVERY_2ND,
		.contiguous = contiguous,
	};
	run->written = 8192;
	run->ticks = (struct statistics){2, median, median, median, median, 8192};
	run->vs_base_pct = (median / (20 * 8192) - 1) * 100;
	run->phase = phases;
	run->nr_phases = contiguous ? 0 : 2;
	run->verified = 1;
}

/* All windows of a range are one table, with what each step adds below it. */
static void mappings(void **state)
{
	struct results results = sample_results();
	char *text;

	(void)state;
	one_mapping(&results, METHOD_PAGE, false, 20 * 8192);
	one_mapping(&results, METHOD_RUN, false, 25 * 8192);
	one_mapping(&results, METHOD_RUN, true, 10 * 8192);
	results.run[results.nr_runs - 1].verified = 0;
	strcpy(results.run[results.nr_runs - 1].why_not, "entry of page 7 is 0x0, not 0x1");
	text = written(report_table, &results);
	assert_has(text, "\npte pmem0: 16,384 pages in folios of 2 MiB, mapped window by window; "
	                 "2 passes\n");
	assert_has(text,
	           "\n64 KiB   every-2nd  page               20.00    20.00   1.000        - ok\n"
	           "64 KiB   every-2nd  run                25.00    25.00   1.000    +25.0 ok\n"
	           "64 KiB   every-2nd  run contiguous     10.00    10.00   1.000    -50.0 NO\n");
	assert_has(text, "\nwhere it goes, ns a page\n");
	assert_has(text, "\n64 KiB   every-2nd  run        1.000      3.000\n");
	assert_has(text, "\nWRONG: run: entry of page 7 is 0x0, not 0x1\n");
	assert_null(strstr(strstr(text, "\npte pmem0:") + 1, "\npte pmem0:"));
	free(text);
	strcpy(results.machine.accel, "tcg-icount");
	results.machine.icount_shift = 1;
	text = written(report_table, &results);
	assert_has(text,
	           "\n64 KiB   every-2nd  page               10.00    10.00   0.500        - ok\n");
	assert_has(text, "\nwhere it goes, insn a page\n");
	free(text);
	text = written(report_simple, &results);
	assert_has(text, "\npte pmem0 mem full run 16/every-2nd/contiguous ");
	free(text);
	sample_free(&results);
}

static void the_last_line(void **state)
{
	struct results results = {.pass = true};
	char *text = written(report_verdict, &results);

	(void)state;
	assert_string_equal(text, "pagestamp: pass\n");
	free(text);
	results_fail(&results, "fsdax was asked for and cannot run");
	text = written(report_verdict, &results);
	assert_string_equal(text, "pagestamp: FAIL fsdax was asked for and cannot run\n");
	free(text);
	memset(results.fail_why, 'y', sizeof(results.fail_why) - 1);
	text = written(report_verdict, &results);
	assert_has(text, "failed because: ");
	assert_has(text, "\npagestamp: FAIL yyyyy");
	free(text);
	strcpy(results.fail_why, "one two three four five six seven eight nine ten eleven twelve "
	                         "thirteen fourteen");
	text = written(report_verdict, &results);
	assert_has(text, "failed because: one two");
	assert_has(text, " fourteen\n");
	assert_has(
		text,
		"\npagestamp: FAIL one two three four five six seven eight nine ten eleven ...\n");
	free(text);
}

static void numbers(void **state)
{
	(void)state;
	assert_string_equal(text_grouped(0).text, "0");
	assert_string_equal(text_grouped(999).text, "999");
	assert_string_equal(text_grouped(1000).text, "1,000");
	assert_string_equal(text_grouped(UINT64_MAX).text, "18,446,744,073,709,551,615");
	assert_string_equal(text_bytes(0).text, "0 B");
	assert_string_equal(text_bytes(130ull << 20).text, "130 MiB");
	assert_string_equal(text_bytes((1ull << 30) + 4096).text, "1048580 KiB");
	assert_string_equal(text_fixed(1.23456, 7).text, "1.235");
	assert_string_equal(text_fixed(1456, 7).text, "1456.00");
	assert_string_equal(text_fixed(123456.7, 7).text, "123457");
	assert_string_equal(text_fixed(-9.5, 7).text, "-9.500");
	assert_string_equal(text_fixed(NAN, 7).text, "-");
	assert_string_equal(text_fixed(INFINITY, 7).text, "-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table),
		cmocka_unit_test(an_emulator_is_no_silicon),
		cmocka_unit_test(without_a_frequency),
		cmocka_unit_test(a_slice_for_the_first_bind),
		cmocka_unit_test(what_is_wrong_stands_out),
		cmocka_unit_test(nothing_is_wider_than_the_console),
		cmocka_unit_test(nothing_at_all),
		cmocka_unit_test(one_line_a_cell),
		cmocka_unit_test(mappings),
		cmocka_unit_test(the_last_line),
		cmocka_unit_test(numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
