/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/options.c discover/option_values.c discover/console.c */
/* links: discover/options_check.c discover/uuid.c discover/number.c */
#include <pagestamp/options.h>
#include <pagestamp/range.h>

#include "discover/option_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct options options;
static char why[OPTIONS_WHY_SIZE];

static void accept_from(const char *text, enum options_source source)
{
	options_free(&options);
	why[0] = '\0';
	if (!options_parse(text, source, &options, why, sizeof(why)))
		fail_msg("\"%s\" refused: %s", text, why);
}

static void accept(const char *text)
{
	accept_from(text, OPTIONS_TYPED);
}

/* Refused, in one line that holds both words. */
static void refuse_from(const char *text, enum options_source source, const char *one,
                        const char *two)
{
	options_free(&options);
	why[0] = '\0';
	if (options_parse(text, source, &options, why, sizeof(why)))
		fail_msg("\"%s\" accepted", text);
	if (!strstr(why, one) || !strstr(why, two) || !strstr(why, "accepted:") ||
	    strchr(why, '\n'))
		fail_msg("\"%s\" gave \"%s\", without \"%s\" or \"%s\"", text, why, one, two);
}

static void refuse(const char *text, const char *one, const char *two)
{
	refuse_from(text, OPTIONS_TYPED, one, two);
}

static void defaults(void **state)
{
	(void)state;
	accept(" \t\r\n ");
	assert_int_equal(options.experiments, 1u << EXP_FSDAX | 1u << EXP_DEVDAX_2M |
	                                              1u << EXP_DEVDAX_1G | 1u << EXP_HUGETLB |
	                                              1u << EXP_MEMMAP | 1u << EXP_PTE);
	assert_false(options.experiments_explicit);
	assert_int_equal(options.methods, 7);
	assert_null(options.copies);
	assert_null(options.range_names);
	assert_int_equal(options.nr_memmaps, 0);
	assert_int_equal(options.map, MAP_MEM);
	assert_int_equal(options.nr_writes, 0);
	assert_int_equal(options.rebinds, 0);
	assert_int_equal(options.budget, 0);
	assert_false(options.dax_vmemmap_full);
	assert_int_equal(options.dump, 0);
	assert_false(options.variant.trace_page_ref);
	assert_true(options.verify);
	assert_int_equal(options.exit, EXIT_AUTO);
	assert_false(options.selftest || options.list || options.quick || options.format_simple);
	assert_string_equal(options.effective, "");
}

static void every_default_spelled_out_is_not_effective(void **state)
{
	(void)state;
	accept("experiment=all range=all map=mem method=all copy=all rebinds=auto state=warm "
	       "touch=none model=vmemmap tail=pointer page_size=4K descriptor=64 "
	       "dax_vmemmap=optimised dump=0 cpus=1 trace=none verify=on console=auto exit=auto "
	       "mode=app format=table");
	assert_string_equal(options.effective, "");
	assert_false(options.experiments_explicit);
	assert_int_equal(options.experiments, 1u << EXP_FSDAX | 1u << EXP_DEVDAX_2M |
	                                              1u << EXP_DEVDAX_1G | 1u << EXP_HUGETLB |
	                                              1u << EXP_MEMMAP | 1u << EXP_PTE);
	assert_int_equal(options.methods, 7);
	assert_null(options.range_names);
	assert_null(options.copies);
}

static void values(void **state)
{
	(void)state;
	accept("experiment=devdax-1g,fsdax range=pmem0,special1 map=both method=stamp,base "
	       "copy=movnti,mov64 rebinds=10000 budget=30 dax_vmemmap=full dump=3 "
	       "trace=page_ref_set verify=off exit=qemu quick format=simple console=efi");
	assert_int_equal(options.experiments, 1u << EXP_FSDAX | 1u << EXP_DEVDAX_1G);
	assert_true(options.experiments_explicit);
	assert_int_equal(options.nr_range_names, 2);
	assert_string_equal(options.range_names[1], "special1");
	assert_int_equal(options.map, MAP_BOTH);
	assert_int_equal(options.methods, 1u << METHOD_BASE | 1u << METHOD_STAMP);
	assert_int_equal(options.nr_copies, 2);
	assert_string_equal(options.copies[0], "movnti");
	assert_int_equal(options.rebinds, 10000);
	assert_int_equal(options.budget, 30);
	assert_true(options.dax_vmemmap_full);
	assert_int_equal(options.dump, 3);
	assert_true(options.variant.trace_page_ref);
	assert_false(options.verify);
	assert_int_equal(options.exit, EXIT_QEMU);
	assert_true(options.quick);
	assert_true(options.format_simple);
	assert_false(options.list);
	accept("map=dev exit=shutdown list");
	assert_int_equal(options.map, MAP_DEV);
	assert_int_equal(options.exit, EXIT_SHUTDOWN);
	assert_true(options.list);
	accept("selftest exit=return");
	assert_true(options.selftest);
	assert_int_equal(options.exit, EXIT_RETURN);
	accept("rebinds=1 budget=1 exit=reset");
	assert_int_equal(options.rebinds, 1);
	assert_int_equal(options.budget, 1);
	assert_int_equal(options.exit, EXIT_RESET);
}

static void variants(void **state)
{
	(void)state;
	accept("");
	assert_int_equal(options.variant.size, 64);
	assert_int_equal(options.variant.page_shift, 12);
	assert_false(options.variant.sparse || options.variant.mask || options.cold);
	assert_int_equal(options.touch, TOUCH_NONE);
	accept("model=sparse tail=mask page_size=16K state=cold touch=batch:32K");
	assert_true(options.variant.sparse && options.variant.mask && options.cold);
	assert_int_equal(options.variant.page_shift, 14);
	assert_int_equal(options.touch, TOUCH_BATCH);
	assert_int_equal(options.touch_bytes, 32768);
	accept("descriptor=96 page_size=64K touch=whole");
	assert_int_equal(options.variant.size, 96);
	assert_int_equal(options.variant.page_shift, 16);
	assert_int_equal(options.touch, TOUCH_WHOLE);
	accept("descriptor=56 touch=read");
	assert_int_equal(options.variant.size, 56);
	assert_int_equal(options.touch, TOUCH_READ);
	refuse("tail=mask descriptor=96", "tail=mask:", "descriptor=64");
	refuse("trace=page_ref_set model=sparse", "trace=page_ref_set:", "model=vmemmap");
}

static void hugepage_arg_is(size_t i, enum hugepage_key key, const char *value)
{
	assert_true(i < options.nr_hugepages);
	assert_int_equal(options.hugepages[i].key, key);
	assert_string_equal(options.hugepages[i].value, value);
}

/* Kept as typed, in their order, for whoever knows the architecture. */
static void hugepage_keys(void **state)
{
	static const char text[] = "hugepages=4 hugepagesz=1G list hugepages=0:2,1:3 hugepagesz=no "
				   "default_hugepagesz=2M default_hugepagesz=1G hugepages=";

	(void)state;
	accept("");
	assert_int_equal(options.nr_hugepages, 0);
	assert_false(options.hugetlb_free_vmemmap);
	accept(text);
	assert_int_equal(options.nr_hugepages, 7);
	hugepage_arg_is(0, KEY_HUGEPAGES, "4");
	hugepage_arg_is(1, KEY_HUGEPAGESZ, "1G");
	hugepage_arg_is(2, KEY_HUGEPAGES, "0:2,1:3");
	hugepage_arg_is(3, KEY_HUGEPAGESZ, "no");
	hugepage_arg_is(4, KEY_DEFAULT_HUGEPAGESZ, "2M");
	hugepage_arg_is(5, KEY_DEFAULT_HUGEPAGESZ, "1G");
	hugepage_arg_is(6, KEY_HUGEPAGES, "");
	assert_string_equal(options.effective, text);
	accept("hugetlb_free_vmemmap=on");
	assert_true(options.hugetlb_free_vmemmap);
	assert_string_equal(options.effective, "hugetlb_free_vmemmap=on");
	accept("hugetlb_free_vmemmap=off");
	assert_false(options.hugetlb_free_vmemmap);
	assert_string_equal(options.effective, "");
}

/* A refusal ends the program as asked, wherever the refused word stands. */
static void exit_despite_refusal(void **state)
{
	static const char *const texts[] = {"rebinds=0 exit=qemu", "exit=qemu nonsense",
	                                    "map=dev map=dev exit=qemu budget=30",
	                                    "exit=qemu exit="};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		options_free(&options);
		assert_false(options_parse(texts[i], OPTIONS_TYPED, &options, why, sizeof(why)));
		assert_int_equal(options.exit, EXIT_QEMU);
	}
	options_free(&options);
	assert_false(
		options_parse("rebinds=0 exit=maybe", OPTIONS_TYPED, &options, why, sizeof(why)));
	assert_int_equal(options.exit, EXIT_AUTO);
}

static void effective_replays(void **state)
{
	static const char text[] = "experiment=fsdax map=both write=pmem0!,0x180000000+16G "
				   "memmap=1G!4G memmap=2M!8G quick console=efi";
	char *first;

	(void)state;
	accept("experiment=fsdax verify=on  map=both\twrite=pmem0!,0x180000000+16G exit=auto "
	       "memmap=1G!4G memmap=2M!8G quick console=efi\r\n");
	assert_string_equal(options.effective, text);
	first = strdup(options.effective);
	accept(first);
	assert_string_equal(options.effective, first);
	free(first);
}

static void effective_has_no_limit(void **state)
{
	char *text = calloc(1, 64 * 1024);

	(void)state;
	assert_non_null(text);
	for (int i = 0; i < 2000; i++)
		strcat(text, i ? " memmap=1G!4G" : "memmap=1G!4G");
	accept(text);
	assert_int_equal(options.nr_memmaps, 2000);
	assert_string_equal(options.effective, text);
	free(text);
}

static void names_of_writes(void **state)
{
	(void)state;
	accept("write=pmem0!,pmem1,0x180000000+16G!,4096+8K,f9da295e-4bc6-4b6a-879d-3EF004bfc78d!");
	assert_int_equal(options.nr_writes, 5);
	assert_int_equal(options.writes[0].by, WRITE_BY_ID);
	assert_string_equal(options.writes[0].id, "pmem0");
	assert_true(options.writes[0].destroy);
	assert_string_equal(options.writes[1].id, "pmem1");
	assert_false(options.writes[1].destroy);
	assert_int_equal(options.writes[2].by, WRITE_BY_EXTENT);
	assert_int_equal(options.writes[2].base, 0x180000000);
	assert_int_equal(options.writes[2].size, 16ull << 30);
	assert_true(options.writes[2].destroy);
	assert_int_equal(options.writes[3].base, 4096);
	assert_int_equal(options.writes[3].size, 8192);
	assert_int_equal(options.writes[4].by, WRITE_BY_UUID);
	assert_memory_equal(options.writes[4].uuid,
	                    "\xf9\xda\x29\x5e\x4b\xc6\x4b\x6a\x87\x9d\x3e\xf0\x04\xbf\xc7\x8d", 16);
	assert_true(options.writes[4].destroy);
}

/* An id has room for 15 letters and digits. */
static void the_longest_id(void **state)
{
	(void)state;
	accept("range=pmem12345678901 write=zz1234567890123");
	assert_string_equal(options.range_names[0], "pmem12345678901");
	assert_string_equal(options.writes[0].id, "zz1234567890123");
	refuse("range=pmem123456789012", "range=pmem123456789012:", "not a value of it");
	refuse("write=pmem123456789012", "write=pmem123456789012:", "not a value of it");
}

/* However much was typed: the line ends with all that would have been accepted. */
static void a_long_value_does_not_hide_what_is_accepted(void **state)
{
	char text[1000], value[600];

	(void)state;
	memset(value, '?', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	for (size_t i = 0; i < nr_option_keys; i++) {
		const struct key *key = &option_keys[i];

		/* Linux's parser judges those, with Linux's words. */
		if (strstr(key->name, "hugepages"))
			continue;
		snprintf(text, sizeof(text), "%s=%s", key->name, value);
		refuse(text, key->name, "; accepted: ");
		assert_true(strlen(why) < sizeof(why) - 1);
		if (!key->flag)
			assert_non_null(strstr(why, key->accepted));
	}
	snprintf(text, sizeof(text), "%s=1", value);
	refuse(text, ": unknown option", " experiment ");
}

static void ordinals_only_typed(void **state)
{
	(void)state;
	refuse_from("write=pmem0", OPTIONS_FILE, "write=pmem0:", "ordinal");
	refuse_from("write=0x180000000+16G,pmem0!", OPTIONS_FILE, "write=pmem0!:", "ordinal");
	accept_from("write=0x180000000+16G!,f9da295e-4bc6-4b6a-879d-3ef004bfc78d", OPTIONS_FILE);
	assert_int_equal(options.nr_writes, 2);
	accept_from("range=pmem0", OPTIONS_FILE); /* chooses, consents to nothing */
}

static void sizes(void **state)
{
	(void)state;
	accept("memmap=0x10000000!0x100000000,2g!1T memmap=512m!4K");
	assert_int_equal(options.nr_memmaps, 3);
	assert_int_equal(options.memmaps[0].size, 0x10000000);
	assert_int_equal(options.memmaps[0].base, 0x100000000);
	assert_int_equal(options.memmaps[1].size, 2ull << 30);
	assert_int_equal(options.memmaps[1].base, 1ull << 40);
	assert_int_equal(options.memmaps[2].size, 512ull << 20);
	refuse("memmap=1G", "memmap=1G:", "nn[KMG]!ss[KMG]");
	refuse("memmap=1G@4G", "memmap=1G@4G:", "!");
	refuse("memmap=1G$4G", "memmap=1G$4G:", "!");
	refuse("memmap=0!4G", "memmap=0!4G:", "!");
	refuse("memmap=1Q!4G", "memmap=1Q!4G:", "!");
	refuse("memmap=1G!", "memmap=1G!:", "!");
	refuse("memmap=-1G!4G", "memmap=-1G!4G:", "!");
	refuse("memmap=010!4G", "memmap=010!4G:", "!");
	refuse("memmap=18446744073709551616!4G", "memmap=18446744073709551616!4G:", "!");
	refuse("memmap=16777216T!0", "memmap=16777216T!0:", "!");
	refuse("memmap=4G!0xffffffffffffffff", "memmap=4G!0xffffffffffffffff:", "!");
	refuse("memmap=0x!4G", "memmap=0x!4G:", "!");
}

static void bad_values(void **state)
{
	static const char *const bad[] = {
		"experiment=",
		"experiment=fsdax,",
		"experiment=all,fsdax",
		"experiment=devdax",
		"range=",
		"range=0",
		"range=pmem",
		"range=pmem0,",
		"range=all,pmem0",
		"range=PMEM0",
		"map=",
		"map=ram",
		"model=sparce",
		"tail=",
		"page_size=4",
		"page_size=8K",
		"descriptor=100",
		"descriptor=63",
		"state=hot",
		"touch=batch",
		"touch=batch:",
		"touch=batch:1K",
		"touch=batch:2T",
		"map=mem,dev",
		"write=",
		"write=all",
		"write=!",
		"write=pmem0!!",
		"write=pmem",
		"write=0x1000",
		"write=4G+",
		"write=4G+0",
		"write=1+1Z",
		"write=pmem0+4G",
		"write=pmem0,",
		"method=",
		"method=fast",
		"method=base,",
		"copy=",
		"copy=Movnti",
		"copy=movnti,",
		"rebinds=0",
		"rebinds=10001",
		"rebinds=+1",
		"rebinds=01",
		"rebinds=1.5",
		"rebinds=",
		"budget=0",
		"budget=86401",
		"budget=30s",
		"state=hot",
		"touch=write",
		"model=flat",
		"tail=head",
		"page_size=8K",
		"descriptor=63",
		"dax_vmemmap=none",
		"dump=-1",
		"dump=100001",
		"cpus=0",
		"cpus=two",
		"trace=all",
		"verify=yes",
		"console=tty",
		"console=ttyS1",
		"console=ttyS0,7",
		"console=pl011",
		"exit=halt",
		"mode=user",
		"format=xml",
		"hugetlb_free_vmemmap=",
		"hugetlb_free_vmemmap=1",
		"range=pmem000000000000000000000000",
		"write=f9da295e-4bc6-4b6a-879d-3ef004bfc78",
		"write=f9da295e-4bc6-4b6a-879d-3ef004bfc78g",
		"write=f9da295e-4bc6-4b6a-879d+3ef004bfc78d",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char *name = strdup(bad[i]);

		*strchr(name, '=') = '\0';
		refuse(bad[i], name, "not a value of it");
		free(name);
	}
}

static void not_in_this_build(void **state)
{
	static const char *const later[] = {
		"cpus=all",
		"cpus=2",
		"mode=kernel",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
		refuse(later[i], later[i], "this build does not have it yet");
	}
}

static void once_only(void **state)
{
	static const char *const twice[] = {
		"map=dev map=dev",
		"map=mem map=mem",
		"write=pmem0 write=pmem1",
		"list list",
		"quick quick",
		"experiment=all experiment=fsdax",
		"range=pmem0 range=all",
		"copy=all copy=all",
		"console=efi console=auto",
		"hugetlb_free_vmemmap=on hugetlb_free_vmemmap=on",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(twice) / sizeof(twice[0]); i++)
		refuse(twice[i], "was given before", "once");
	refuse("map=dev quick list map=dev", "was given before", "once");
	refuse("experiment=fsdax,fsdax", "experiment=fsdax", "named twice");
	refuse("method=base,base", "method=base", "named twice");
	refuse("range=pmem0,pmem0", "range=pmem0", "named twice");
	refuse("copy=a,a", "copy=a", "named twice");
	refuse("write=pmem0,pmem0!", "write=pmem0!", "named twice");
	refuse("write=f9da295e-4bc6-4b6a-879d-3ef004bfc78d,F9DA295E-4BC6-4B6A-879D-3EF004BFC78D",
	       "write=F9DA295E", "named twice");
	accept("write=f9da295e-4bc6-4b6a-879d-3ef004bfc78d,f9da295e-4bc6-4b6a-879d-3ef004bfc78e,"
	       "4G+1G,4G+2G,8G+1G,pmem0,pmem1");
	assert_int_equal(options.nr_writes, 7);
	refuse("write=4G+1G,0x100000000+1024M", "write=0x100000000+1024M", "named twice");
	accept("memmap=1G!4G memmap=1G!8G");
	assert_int_equal(options.nr_memmaps, 2);
}

static void unknown_keys(void **state)
{
	(void)state;
	refuse("colour=red", "colour=red: unknown option", "hugetlb_free_vmemmap");
	refuse("Map=dev", "Map=dev: unknown option", "experiment");
	refuse("=dev", "=dev: unknown option", "experiment");
	refuse("dev", "dev: unknown option", "format");
	refuse("map dev", "map: wants a value", "mem,dev,both");
	refuse("hugepages", "hugepages: wants a value", "NODE:number");
	refuse("list=1", "list=1: list takes no value", "list");
	refuse("map=d\x01", "byte 0x01 at 5", "ASCII");
	refuse("map=dev\x7f", "byte 0x7f at 7", "ASCII");
	refuse("map=dev \xc3\xa4", "byte 0xc3 at 8", "ASCII");
}

static void combinations(void **state)
{
	(void)state;
	refuse("list selftest", "list selftest", "one of");
	refuse("selftest list", "list selftest", "one of");
	refuse("trace=page_ref_set method=template,stamp", "trace=page_ref_set", "base");
	accept("trace=page_ref_set");
	accept("trace=page_ref_set method=template,base");
	accept("quick budget=30");
	accept("map=mem write=pmem0!");
	accept("map=dev"); /* its FAIL is the run's to say: no range has consent */
}

static void a_short_why_is_cut_not_overrun(void **state)
{
	char small[24];

	(void)state;
	options_free(&options);
	memset(small, 'x', sizeof(small));
	assert_false(options_parse("colour=red", OPTIONS_TYPED, &options, small, sizeof(small)));
	assert_string_equal(small, "colour=red: unknown opt");
}

static void backend_names(void **state)
{
	static const char *const table[] = {"mov64", "movnti"};

	(void)state;
	accept("copy=movnti");
	assert_true(options_check_names(&options, table, 2, why, sizeof(why)));
	accept("copy=mov64");
	assert_true(options_check_names(&options, table, 2, why, sizeof(why)));
	accept("copy=stnp,movnti");
	assert_false(options_check_names(&options, table, 2, why, sizeof(why)));
	accept("copy=movnti,stnp");
	assert_false(options_check_names(&options, table, 2, why, sizeof(why)));
	assert_string_equal(why,
	                    "copy=stnp: no such backend; accepted: all, or a list of mov64,movnti");
	accept("");
	assert_true(options_check_names(&options, table, 0, why, sizeof(why)));
}

static void range_names(void **state)
{
	struct pmem_range items[] = {
		{.id = "pmem0", .kind = RANGE_PERSISTENT, .base = 4ull << 30, .size = 8ull << 30},
		{.id = "virtual0", .kind = RANGE_VIRTUAL, .base = 1ull << 40, .size = 1ull << 30},
		{.id = "special0", .kind = RANGE_SPECIAL, .base = 2ull << 40, .size = 1ull << 30},
		{.id = "pmem1", .kind = RANGE_MEMMAP, .base = 3ull << 40, .size = 1ull << 30},
	};
	struct pmem_ranges ranges = {items, 4}, none = {NULL, 0};
	static const char by_uuid[] = "write=01020304-0506-0708-090a-0b0c0d0e0f10";

	(void)state;
	accept("range=pmem0,special0 write=pmem0,4G+8G");
	assert_true(options_check_ranges(&options, &ranges, why, sizeof(why)));
	assert_false(options_check_ranges(&options, &none, why, sizeof(why)));
	assert_non_null(strstr(why, "this machine has no range"));
	accept("range=pmem2");
	assert_false(options_check_ranges(&options, &ranges, why, sizeof(why)));
	assert_string_equal(why, "range=pmem2: no such range; accepted: pmem0,special0,pmem1");
	accept("range=virtual0");
	assert_false(options_check_ranges(&options, &ranges, why, sizeof(why)));
	accept("write=pmem2");
	assert_false(options_check_ranges(&options, &ranges, why, sizeof(why)));
	accept("write=4G+4G");
	assert_false(options_check_ranges(&options, &ranges, why, sizeof(why)));
	assert_non_null(strstr(why, "write=0x100000000+0x100000000: no such range"));
	accept_from("write=4G+4G!", OPTIONS_FILE); /* another machine's device */
	assert_true(options_check_ranges(&options, &ranges, why, sizeof(why)));

	accept(by_uuid);
	assert_false(options_check_ranges(&options, &ranges, why, sizeof(why)));
	assert_non_null(strstr(why, by_uuid));
	for (int i = 0; i < 16; i++)
		items[0].ns.uuid[i] = (uint8_t)(i + 1);
	assert_false(options_check_ranges(&options, &ranges, why, sizeof(why)));
	items[0].content = CONTENT_NAMESPACE;
	assert_true(options_check_ranges(&options, &ranges, why, sizeof(why)));

	accept("");
	assert_true(options_want_range(&options, &items[0]));
	assert_false(options_want_range(&options, &items[1]));
	assert_false(options_want_range(&options, &items[2]));
	assert_true(options_want_range(&options, &items[3]));
	accept("range=special0");
	assert_true(options_want_range(&options, &items[2]));
	assert_false(options_want_range(&options, &items[0]));
}

static int tidy(void **state)
{
	(void)state;
	options_free(&options);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(every_default_spelled_out_is_not_effective),
		cmocka_unit_test(values),
		cmocka_unit_test(effective_replays),
		cmocka_unit_test(effective_has_no_limit),
		cmocka_unit_test(names_of_writes),
		cmocka_unit_test(the_longest_id),
		cmocka_unit_test(a_long_value_does_not_hide_what_is_accepted),
		cmocka_unit_test(ordinals_only_typed),
		cmocka_unit_test(sizes),
		cmocka_unit_test(bad_values),
		cmocka_unit_test(variants),
		cmocka_unit_test(hugepage_keys),
		cmocka_unit_test(exit_despite_refusal),
		cmocka_unit_test(not_in_this_build),
		cmocka_unit_test(once_only),
		cmocka_unit_test(unknown_keys),
		cmocka_unit_test(combinations),
		cmocka_unit_test(a_short_why_is_cut_not_overrun),
		cmocka_unit_test(backend_names),
		cmocka_unit_test(range_names),
	};

	return cmocka_run_group_tests(tests, NULL, tidy);
}
