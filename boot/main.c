/* SPDX-License-Identifier: BSD-2-Clause */
/* The program from the alive line to the verdict: ask, look, measure, tell. */
#include "boot/main.h"
#include "boot/console.h"
#include "boot/find_ranges.h"
#include "boot/load_options.h"
#include "boot/machine.h"
#include "boot/memory.h"
#include "boot/results_file.h"
#include "boot/selftest.h"
#include "report/text.h"

#include <pagestamp/arch.h>
#include <pagestamp/bench.h>
#include <pagestamp/copy.h>
#include <pagestamp/counter_setup.h>
#include <pagestamp/exit.h>
#include <pagestamp/firmware.h>
#include <pagestamp/load_options.h>
#include <pagestamp/pools.h>
#include <pagestamp/report.h>
#include <pagestamp/version.h>
#include <pagestamp/window.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct options options;
static struct found found;
static struct results results;

/* ---- ending ---------------------------------------------------------------------- */

static _Noreturn void end(void)
{
	static bool ending;
	char why[96];

	/* What fails while it ends ends no further. */
	if (ending)
		program_exit(options.exit, false);
	ending = true;
	/* Who could not be asked for a console is not heard less for it. */
	console_choose(&options.console, why, sizeof(why));
	report_verdict(stdout, &results);
	/* Not before a reset or a power-off: debug firmware overwrites all that it gets back. */
	if (options.exit == EXIT_AUTO || options.exit == EXIT_RETURN) {
		window_fini();
		backing_give_back();
		found_free(&found, &results.ranges);
	}
	program_exit(options.exit, results.pass);
}

_Noreturn void boot_fail(const char *why)
{
	results_fail(&results, "%s", why);
	end();
}

/* ---- asking ---------------------------------------------------------------------- */

/* "" when nobody said anything anywhere. */
static char *options_text(enum options_source *source)
{
	char why[OPTIONS_WHY_SIZE];
	char *text = NULL, *file;
	size_t size;
	const void *raw = load_options_bytes(&size);

	*source = OPTIONS_TYPED;
	switch (load_options_text(raw, size, &text, why, sizeof(why))) {
	case OPTIONS_TEXT_GIVEN:
		return text;
	case OPTIONS_TEXT_NO_MEMORY:
		boot_fail("no memory for the options");
	case OPTIONS_TEXT_NOT_TEXT:
		printf("load options ignored: %s\n", why);
		break;
	case OPTIONS_TEXT_NONE:
		break;
	}

	*source = OPTIONS_FILE;
	file = config_file_text(why, sizeof(why));
	if (!file && why[0])
		boot_fail(why);
	if (!file)
		return strdup("");
	switch (config_file_options(file, strlen(file), &text, why, sizeof(why))) {
	case OPTIONS_TEXT_GIVEN:
		break;
	case OPTIONS_TEXT_NONE:
		text = strdup("");
		break;
	default:
		boot_fail(why);
	}
	free(file);
	return text;
}

static void read_options(void)
{
	char why[OPTIONS_WHY_SIZE], console_why[96];
	const char *names[nr_copy_backends + 1];
	bool good;
	enum options_source source;
	char *text = options_text(&source);

	if (!text)
		boot_fail("no memory for the options");
	for (size_t i = 0; i < nr_copy_backends; i++)
		names[i] = copy_backends[i]->name;
	names[nr_copy_backends] = "auto";
	good = options_parse(text, source, &options, why, sizeof(why)) &&
	       options_check_names(&options, names, nr_copy_backends + 1, why, sizeof(why));
	fflush(stdout);
	if (!console_choose(&options.console, console_why, sizeof(console_why)) && good) {
		snprintf(why, sizeof(why), "console=: %s", console_why);
		good = false;
	}
	if (!good)
		boot_fail(why);
	free(text);
}

/* ---- telling --------------------------------------------------------------------- */

static void tell(void)
{
	char where[192], why[192];
	char *json;
	size_t length;

	if (options.format_simple)
		report_simple(stdout, &results);
	else
		report_table(stdout, &results);
	if (!report_json(&results, &json, &length)) {
		results_fail(&results, "no memory for the JSON");
		return;
	}
	fputs("-----BEGIN PAGESTAMP JSON-----\n", stdout);
	fputs(json, stdout);
	fputs("-----END PAGESTAMP JSON-----\n", stdout);
	if (results_file_write(json, length, where, sizeof(where), why, sizeof(why)))
		printf("results: %s\n", where);
	else
		text_wrap(stdout, "results not written to a file: ", 0, "%s", why);
	free(json);
}

/* Named experiments that RAM alone is enough for. */
static bool needs_no_device(void)
{
	return options.experiments_explicit &&
	       options.experiments & (1u << EXP_HUGETLB | 1u << EXP_MEMMAP);
}

_Noreturn void boot_main(void)
{
	struct window_error window_error;
	char why[OPTIONS_WHY_SIZE];

	printf("pagestamp %s %s: alive\n", pagestamp_version, arch_name);
	results = (struct results){
		.version = pagestamp_version,
		.compiler = pagestamp_compiler,
		.arch = arch_name,
		.build_flags = pagestamp_build_flags,
		.options = &options,
		.pass = true,
	};
	read_options();

	if (!find_ranges(&options, &results, &found, why, sizeof(why)))
		boot_fail(why);
	machine_describe(&results.machine, &found.map, found.nodes);
	counter_setup(&results.counter);
	if (!window_init(&window_error))
		boot_fail(window_error.why);
	results.window_page = window_page_name();

	if (options.selftest) {
		if (!selftest(stdout))
			results_fail(&results, "the self-test failed");
		end();
	}
	bench_look_at_ranges(&results);
	if (!options_check_ranges(&options, &results.ranges, why, sizeof(why)))
		boot_fail(why);
	if (!results.ranges.nr && !options.list && !needs_no_device())
		boot_fail(found.why_none);
	if (!pools_find(&results, why, sizeof(why)))
		boot_fail(why);
	bench_run(&results);
	tell();
	bench_free();
	end();
}
