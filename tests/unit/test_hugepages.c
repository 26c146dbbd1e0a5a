/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/hugepages.c discover/hugetlb_log.c discover/number.c */
/* links: discover/options.c discover/option_values.c discover/console.c */
/* Every row of tests/data/samples/30-hugepages-cmdline-cases.txt, and what Linux remembers. */
#include <pagestamp/hugepages.h>

#include "tests/unit/samples.h"

#define SAMPLE "samples/30-hugepages-cmdline-cases.txt"

static const uint32_t two_nodes[] = {0, 1};
static struct hugepage_system here;
static struct hugepages got;
static char why[OPTIONS_WHY_SIZE], pools[512], said[1024];
static bool accepted;

static void on(const char *arch, unsigned page_shift)
{
	here = (struct hugepage_system){hugepage_sizes(arch, page_shift), two_nodes, 2, true};
}

static void append(char *text, size_t room, const char *more, const char *between)
{
	const size_t used = strlen(text);

	assert_true(used + strlen(between) + strlen(more) < room);
	snprintf(text + used, room - used, "%s%s", used ? between : "", more);
}

/* "2M: 4; 1G: 0:2 1:4" of the pools, and the log's lines with " ; " between. */
static void describe(void)
{
	pools[0] = said[0] = '\0';
	for (size_t i = 0; i < got.nr; i++) {
		const struct hugepage_pool *pool = &got.pool[i];
		char one[96];
		uint64_t sum = 0;

		snprintf(one, sizeof(one), "%lluM:", (unsigned long long)pool->page_bytes >> 20);
		if (pool->page_bytes < 1 << 20)
			snprintf(one, sizeof(one),
			         "%lluK:", (unsigned long long)pool->page_bytes >> 10);
		append(pools, sizeof(pools), one, "; ");
		snprintf(one, sizeof(one), "%llu", (unsigned long long)pool->count);
		if (pool->nr_nodes == 0)
			append(pools, sizeof(pools), one, " ");
		for (size_t j = 0; j < pool->nr_nodes; j++) {
			snprintf(one, sizeof(one), "%u:%llu", pool->node[j].node,
			         (unsigned long long)pool->node[j].count);
			append(pools, sizeof(pools), one, " ");
			sum += pool->node[j].count;
		}
		if (pool->nr_nodes)
			assert_int_equal(sum, pool->count);
	}
	for (size_t i = 0; i < got.log.nr; i++)
		append(said, sizeof(said), got.log.line[i], " ; ");
}

/* By way of the option table. */
static void set_up(const char *text)
{
	struct options options;

	hugepages_free(&got);
	why[0] = '\0';
	if (!options_parse(text, OPTIONS_TYPED, &options, why, sizeof(why)))
		fail_msg("\"%s\" refused: %s", text, why);
	accepted = hugepages_setup(options.hugepages, options.nr_hugepages, &here, &got, why,
	                           sizeof(why));
	assert_string_equal(options.effective, text);
	options_free(&options);
	describe();
}

static void gives(const char *text, const char *expected_pools, const char *expected_words)
{
	set_up(text);
	if (!accepted || strcmp(pools, expected_pools) != 0 || strcmp(said, expected_words) != 0)
		fail_msg("\"%s\" gave \"%s\", said \"%s\" %s", text, pools, said, why);
}

static void refuses(const char *text, const char *expected_pools, const char *because)
{
	set_up(text);
	if (accepted || strcmp(pools, expected_pools) != 0 || strcmp(why, because) != 0)
		fail_msg("\"%s\" gave \"%s\" and \"%s\"", text, pools, why);
}

/* ---- the sample ------------------------------------------------------------- */

/* What the sample's second column says in words, as pools. 1024M is 1G. */
static const struct outcome {
	const char *fragment, *pools;
	const char *refusal; /* of the run; NULL = none */
} outcomes[] = {
	{"hugepages=64", "2M: 64", NULL},
	{"hugepagesz=1G hugepages=64", "1024M: 64", NULL},
	{"hugepagesz=2M hugepages=1024 hugepagesz=1G hugepages=4", "2M: 1024; 1024M: 4", NULL},
	{"default_hugepagesz=1G hugepagesz=1G hugepages=64", "1024M: 64", NULL},
	{"hugepagesz=2M hugepages=0:512,1:512", "2M: 0:512 1:512", NULL},
	{"hugepagesz=1G hugepages=0:2,1:4", "1024M: 0:2 1:4", NULL},
	{"hugepages=0:64", "2M: 0:64", NULL},
	{"hugepagesz=1G hugepages=0:2,1:", "", NULL},
	{"hugepagesz=1G hugepages=9999:2", "", NULL},
	{"hugepagesz=1G hugepages=4,0:2", "1024M: 4", NULL},
	{"hugepagesz=1G hugepages=0:2,4", "", NULL},
	{"hugepagesz=1G hugepages=abc", "", NULL},
	{"hugepagesz=3M hugepages=4", "", "HugeTLB: unsupported hugepagesz=3M; accepted: 2M,1G"},
	{"hugepagesz=1G hugepages=2 hugepages=3", "1024M: 2", NULL},
	{"hugepagesz=1G hugepages=2 hugepagesz=1G hugepages=3", "1024M: 2", NULL},
	{"default_hugepagesz=2M default_hugepagesz=1G", "", NULL},
	{"default_hugepagesz=7M", "",
         "HugeTLB: unsupported default_hugepagesz=7M; accepted: 2M,1G"},
	{"hugepagesz=1G hugepages=2 on arm64 with 64 KiB granule", "",
         "HugeTLB: unsupported hugepagesz=1G; accepted: 2M,512M,16G"},
	{"hugepages=0:4 on an arch without node alloc", "", NULL},
	{"hugepagesz=1g hugepages=1 hugepagesz=64m hugepages=1 hugepagesz=256m hugepages=1 "
         "noreboot",
         "1024M: 1", "HugeTLB: unsupported hugepagesz=64m; accepted: 2M,1G"},
	{"hugepagesz=2M hugepages=5128 hugepagesz=512M hugepages=4 default_hugepagesz=2M",
         "2M: 5128", "HugeTLB: unsupported hugepagesz=512M; accepted: 2M,1G"},
	{"default_hugepagesz=1GB hugepagesz=1GB hugepages=200", "1024M: 200", NULL},
};
#define NR_OUTCOMES (sizeof(outcomes) / sizeof(outcomes[0]))

/* Blanks at both ends off, and several within made one. */
static void squeeze(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from != ' ' || (to != text && to[-1] != ' '))
			*to++ = *from;
	while (to != text && to[-1] == ' ')
		to--;
	*to = '\0';
}

/* Cuts `text` where `mark` begins. */
static void cut(char *text, const char *mark)
{
	char *at = strstr(text, mark);

	if (at)
		*at = '\0';
}

static const struct outcome *outcome_of(const char *fragment)
{
	for (size_t i = 0; i < NR_OUTCOMES; i++)
		if (strcmp(outcomes[i].fragment, fragment) == 0)
			return &outcomes[i];
	fail_msg("\"%s\" is not in this test", fragment);
	return NULL;
}

/* Sets up what the row says and compares pools and refusal. */
static void play(char *fragment, unsigned *seen)
{
	const struct outcome *outcome = outcome_of(fragment);

	*seen |= 1u << (outcome - outcomes);
	on("x86_64", 12);
	if (strstr(fragment, " on arm64 with 64 KiB granule"))
		on("arm64", 16);
	here.node_alloc = !strstr(fragment, " on an arch without node alloc");
	cut(fragment, " on ");
	cut(fragment, " noreboot");
	set_up(fragment);
	if (strcmp(pools, outcome->pools) != 0 || accepted != !outcome->refusal ||
	    (!accepted && strcmp(why, outcome->refusal) != 0))
		fail_msg("\"%s\" gave \"%s\" and \"%s\"", fragment, pools, why);
}

/* "fragment | verdict | words ; then: words (a remark)" */
static void row(void *seen, char *text)
{
	char *verdict = strchr(text, '|'), *words, *then;

	if (*text == '#')
		return;
	assert_non_null(verdict);
	*verdict++ = '\0';
	words = strchr(verdict, '|');
	assert_non_null(words);
	*words++ = '\0';
	cut(words, " (");
	squeeze(text);
	squeeze(verdict);
	squeeze(words);
	play(text, seen);
	then = strstr(words, "then: ");
	if (then)
		memmove(then, then + 6, strlen(then + 6) + 1);
	squeeze(said); /* "parameter " of nothing ends in a blank */
	if (strcmp(words, "HugeTLB: unsupported hugepagesz=1G") == 0)
		cut(said, " ; HugeTLB: hugepages=2 does not follow a"); /* left out in that row */
	if (strcmp(words, "-") == 0 ? *said : strcmp(words, said) != 0)
		fail_msg("\"%s\" said \"%s\", Linux \"%s\"", text, said, words);
	assert_int_equal(strncmp(verdict, "yes", 3) == 0, got.log.nr == 0);
}

static void real_line(void *seen, char *text)
{
	squeeze(text);
	play(text, seen);
}

static void every_row_of_the_sample(void **state)
{
	unsigned seen = 0;

	(void)state;
	each_line(SAMPLE, NULL, "# not enough memory", row, &seen);
	each_line(SAMPLE, "# real command lines", NULL, real_line, &seen);
	assert_int_equal(seen, (1u << NR_OUTCOMES) - 1);
}

static void real_lines_on_their_machines(void **state)
{
	(void)state;
	on("arm64", 16);
	gives("hugepagesz=2M hugepages=5128 hugepagesz=512M hugepages=4 default_hugepagesz=2M",
	      "2M: 5128; 512M: 4", "");
}

/* ---- what Linux remembers from word to word ---------------------------------- */

static void sizes_of_each_architecture(void **state)
{
	(void)state;
	on("x86_64", 12);
	gives("hugepagesz=2M hugepages=1 hugepagesz=1G hugepages=1", "2M: 1; 1024M: 1", "");
	refuses("hugepagesz=64K hugepages=1", "",
	        "HugeTLB: unsupported hugepagesz=64K; accepted: 2M,1G");
	on("x86_64", 16); /* a base page that it does not have: the sizes stay */
	gives("hugepages=1", "2M: 1", "");
	on("arm64", 12);
	gives("hugepagesz=64K hugepages=1 hugepagesz=2M hugepages=1 hugepagesz=32M hugepages=1 "
	      "hugepagesz=1G hugepages=1",
	      "64K: 1; 2M: 1; 32M: 1; 1024M: 1", "");
	gives("hugepages=3", "2M: 3", "");
	refuses("hugepagesz=512M hugepages=1", "",
	        "HugeTLB: unsupported hugepagesz=512M; accepted: 64K,2M,32M,1G");
	on("arm64", 14);
	gives("hugepagesz=2M hugepages=1 hugepagesz=32M hugepages=1 hugepagesz=1G hugepages=1",
	      "2M: 1; 32M: 1; 1024M: 1", "");
	gives("hugepages=3", "32M: 3", "");
	on("arm64", 16);
	gives("hugepagesz=2M hugepages=1 hugepagesz=512M hugepages=1 hugepagesz=16G hugepages=1",
	      "2M: 1; 512M: 1; 16384M: 1", "");
	gives("hugepages=3", "512M: 3", "");
}

static void sizes_as_memparse_reads_them(void **state)
{
	(void)state;
	on("x86_64", 12);
	gives("hugepagesz=1g hugepages=1", "1024M: 1", "");
	gives("hugepagesz=1GB hugepages=1", "1024M: 1", "");
	gives("hugepagesz=1024M hugepages=1", "1024M: 1", "");
	gives("hugepagesz=0x40000000 hugepages=1", "1024M: 1", "");
	gives("hugepagesz=0x2m hugepages=1", "2M: 1", "");
	gives("hugepagesz=010000000 hugepages=1", "2M: 1", "");
	gives("hugepagesz=2097152x hugepages=1", "2M: 1", "");
	refuses("hugepagesz=", "", "HugeTLB: unsupported hugepagesz=; accepted: 2M,1G");
	refuses("hugepagesz=G", "", "HugeTLB: unsupported hugepagesz=G; accepted: 2M,1G");
	refuses("hugepagesz=-2M", "", "HugeTLB: unsupported hugepagesz=-2M; accepted: 2M,1G");
	/* beyond 64 bits: Linux would wrap to 2M */
	refuses("hugepagesz=18446744073711648768", "",
	        "HugeTLB: unsupported hugepagesz=18446744073711648768; accepted: 2M,1G");
}

static void the_default_named_late(void **state)
{
	(void)state;
	on("x86_64", 12);
	gives("hugepages=4 default_hugepagesz=1G", "1024M: 4", "");
	gives("hugepages=0:1,1:2 default_hugepagesz=1G", "1024M: 0:1 1:2", "");
	gives("hugepages=4 default_hugepagesz=1G hugepages=3", "1024M: 3", "");
	gives("hugepages=4 hugepagesz=1G hugepages=2", "1024M: 2; 2M: 4", "");
	gives("hugepages=4 hugepagesz=2M hugepages=8", "2M: 4",
	      "HugeTLB: Ignoring hugepages=8 associated with 2.00 MiB page size ; "
	      "HugeTLB: Using hugepages=4 for number of default huge pages");
	gives("hugepages=4 hugepagesz=2M hugepages=1:8 default_hugepagesz=2M", "2M: 4", "");
	on("arm64", 16);
	gives("hugepages=4 hugepagesz=512M hugepages=8", "512M: 4",
	      "HugeTLB: Ignoring hugepages=8 associated with 512 MiB page size ; "
	      "HugeTLB: Using hugepages=4 for number of default huge pages");
}

static void the_order_decides(void **state)
{
	static const char twice[] = "HugeTLB: hugepages= specified twice without interleaving "
				    "hugepagesz=, ignoring hugepages=";
	char words[160];

	(void)state;
	on("x86_64", 12);
	/* a size that is there already is not parsed anew: hugepages= stays 1G's */
	gives("hugepagesz=2M hugepages=8 hugepagesz=1G default_hugepagesz=2M hugepages=4",
	      "2M: 8; 1024M: 4", "");
	snprintf(words, sizeof(words), "%s4", twice);
	gives("hugepagesz=2M hugepages=8 default_hugepagesz=2M hugepages=4", "2M: 8", words);
	gives("default_hugepagesz=2M hugepages=8 hugepages=4", "2M: 8", words);
	gives("hugepages=8 hugepages=4", "2M: 8", words);
	gives("default_hugepagesz=1G hugepages=2 hugepagesz=1G hugepages=3", "1024M: 2",
	      "HugeTLB: hugepagesz=1G specified twice, ignoring ; "
	      "HugeTLB: hugepages=3 does not follow a valid hugepagesz, ignoring");
	gives("default_hugepagesz=1G hugepagesz=2M hugepages=2 hugepagesz=1G hugepages=3",
	      "1024M: 3; 2M: 2", "");
	/* one hugepages= is ignored for a bad size; the next is of the size before */
	gives("hugepagesz=1G hugepagesz=1G hugepages=3 hugepages=5", "1024M: 5",
	      "HugeTLB: hugepagesz=1G specified twice, ignoring ; "
	      "HugeTLB: hugepages=3 does not follow a valid hugepagesz, ignoring");
	gives("default_hugepagesz=2M default_hugepagesz=2M hugepages=1", "",
	      "HugeTLB: default_hugepagesz previously specified, ignoring 2M ; "
	      "HugeTLB: hugepages=1 does not follow a valid hugepagesz, ignoring");
	/* a refused count does not count as one */
	gives("hugepagesz=1G hugepages=x hugepages=5", "1024M: 5",
	      "HugeTLB: Invalid hugepages parameter x");
}

static void counts(void **state)
{
	(void)state;
	on("x86_64", 12);
	gives("hugepages=0", "", "");
	gives("hugepages=", "", "");
	gives("hugepagesz=1G", "", "");
	gives("", "", "");
	gives("hugepages=010", "2M: 10", "");
	gives("hugepages=4x", "2M: 4", "");
	gives("hugepages=1:4,0:2", "2M: 0:2 1:4", "");
	gives("hugepages=0:2,0:3", "2M: 0:3", "");
	gives("hugepages=0:0,1:3", "2M: 1:3", "");
	gives("hugepages=0:0", "", "");
	gives("hugepages=0:2,", "2M: 0:2", "");
	gives("hugepages=0:2x1:3", "2M: 0:2", "");
	gives("hugepages=0:2,2:1", "", "HugeTLB: Invalid hugepages parameter 2:1");
	gives("hugepages=0:x", "", "HugeTLB: Invalid hugepages parameter x");
	gives("hugepages=:3", "", "HugeTLB: Invalid hugepages parameter :3");
	gives("hugepages=-3", "", "HugeTLB: Invalid hugepages parameter -3");
	gives("hugepages=0x10", "", "");
	gives("hugepages=18446744073709551615", "2M: 18446744073709551615", "");
	/* beyond 64 bits Linux would wrap */
	gives("hugepages=18446744073709551616", "",
	      "HugeTLB: Invalid hugepages parameter 18446744073709551616");
	gives("hugepages=0:18446744073709551615,1:1", "", "HugeTLB: Invalid hugepages parameter 1");
	gives("hugepages=4294967296:1", "", "HugeTLB: Invalid hugepages parameter 4294967296:1");
	here.nr_nodes = 0;
	gives("hugepages=0:1", "", "HugeTLB: Invalid hugepages parameter 0:1");
	gives("hugepages=7", "2M: 7", "");
}

static void the_first_bad_size_is_the_reason(void **state)
{
	char text[400] = "hugepagesz=";

	(void)state;
	on("x86_64", 12);
	refuses("default_hugepagesz=3M hugepagesz=5M hugepagesz=1G hugepages=1", "1024M: 1",
	        "HugeTLB: unsupported default_hugepagesz=3M; accepted: 2M,1G");
	assert_string_equal(said, "HugeTLB: unsupported default_hugepagesz=3M ; "
	                          "HugeTLB: unsupported hugepagesz=5M");
	memset(text + strlen(text), '7', sizeof(text) - strlen(text) - 1);
	set_up(text); /* the log has all of it, the refusal as much as fits on a line */
	assert_false(accepted);
	assert_int_equal(strlen(said), strlen("HugeTLB: unsupported ") + strlen(text));
	assert_non_null(strstr(why, "7; accepted: 2M,1G"));
	assert_true(strlen(why) < 160);
}

static void as_many_pools_words_and_nodes_as_there_are(void **state)
{
	static uint32_t nodes[1000];
	struct bytes text = {0};
	struct hugepage_arg args[2000];

	(void)state;
	on("arm64", 12);
	for (uint32_t i = 0; i < 1000; i++)
		nodes[i] = 1000 * i;
	here.node = nodes;
	here.nr_nodes = 1000;
	for (int i = 999; i >= 0; i--) {
		char one[32];
		int length = snprintf(one, sizeof(one), "%d:%d,", 1000 * i, i + 1);

		memcpy(bytes_add(&text, (size_t)length), one, (size_t)length);
	}
	bytes_add(&text, 1);
	for (size_t i = 0; i < 2000; i++)
		args[i] = (struct hugepage_arg){KEY_HUGEPAGES, (char *)text.data};
	hugepages_free(&got);
	assert_true(hugepages_setup(args, 2000, &here, &got, why, sizeof(why)));
	assert_int_equal(got.nr, 1);
	assert_int_equal(got.pool[0].nr_nodes, 1000);
	assert_int_equal(got.pool[0].count, 1000 * 1001 / 2);
	for (uint32_t i = 0; i < 1000; i++) {
		assert_int_equal(got.pool[0].node[i].node, 1000 * i);
		assert_int_equal(got.pool[0].node[i].count, i + 1);
	}
	assert_int_equal(got.log.nr, 1999);
	assert_non_null(strstr(got.log.line[1998], (const char *)text.data));
	bytes_free(&text);
}

static int clean_up(void **state)
{
	(void)state;
	hugepages_free(&got);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_of_the_sample),
		cmocka_unit_test(real_lines_on_their_machines),
		cmocka_unit_test(sizes_of_each_architecture),
		cmocka_unit_test(sizes_as_memparse_reads_them),
		cmocka_unit_test(the_default_named_late),
		cmocka_unit_test(the_order_decides),
		cmocka_unit_test(counts),
		cmocka_unit_test(the_first_bad_size_is_the_reason),
		cmocka_unit_test(as_many_pools_words_and_nodes_as_there_are),
	};

	return cmocka_run_group_tests(tests, NULL, clean_up);
}
