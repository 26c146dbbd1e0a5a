/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/cedt.c discover/acpi.c */
#include <pagestamp/cedt.h>

#include "tests/unit/samples.h"

#define MIB (1ull << 20)
#define GIB (1ull << 30)

static struct cedt cedt;
static char why[160];

static uint8_t *add_window(struct bytes *table, uint16_t length, uint64_t base, uint64_t size)
{
	uint8_t *at = bytes_add(table, length);

	at[0] = 1;
	put16(at + 2, length);
	put64(at + 8, base);
	put64(at + 16, size);
	put16(at + 32, 6);
	return at;
}

static void parse(struct bytes *table, size_t nr, size_t refused)
{
	cedt_free(&cedt);
	acpi_seal(table);
	if (!cedt_parse(table->data, table->size, &cedt, why, sizeof(why)))
		fail_msg("refused: %s", why);
	bytes_free(table);
	assert_int_equal(cedt.nr, nr);
	assert_int_equal(cedt.refused, refused);
}

static void window_is(size_t i, uint64_t base, uint64_t size)
{
	assert_int_equal(cedt.window[i].base, base);
	assert_int_equal(cedt.window[i].size, size);
}

static void touches(uint64_t base, uint64_t end, const char *text)
{
	char described[64] = "?";

	assert_int_equal(cedt_describe(&cedt, base, end - base, described, sizeof(described)),
	                 text[0] != '\0');
	assert_string_equal(described, text);
}

/* A field of iasl's output, by its offset in the table. */
static void iasl_line(void *arg, char *text)
{
	struct bytes *table = arg;
	unsigned offset, width;
	char *colon = strstr(text, " : ");
	uint8_t value[8];

	if (sscanf(text, "[%xh %*u %u]", &offset, &width) != 2 || !colon || width > 8)
		return;
	assert_true(offset + width <= table->size);
	put64(value, strtoull(colon + 3, NULL, 16));
	memcpy(table->data + offset, value, width);
}

static void amd_with_a_hole(void **state)
{
	static const char name[] = "samples/14-cedt-amd-3cfmws-split-at-1tb.txt";
	struct bytes table = acpi_begin("CEDT", 1);

	(void)state;
	/* The sample begins behind four host bridges. */
	for (int i = 0; i < 4; i++)
		put16(bytes_add(&table, 32) + 2, 32);
	assert_int_equal(table.size, 0xa4);
	bytes_add(&table, 3 * 0x28);
	each_line(name, NULL, NULL, iasl_line, &table);
	parse(&table, 3, 0);
	window_is(0, 0xc050000000, 0x2000000000);
	window_is(1, 0xe050000000, 0x1cb0000000);
	window_is(2, 0x10000000000, 0x350000000);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(cedt.window[i].ways, 1);
		assert_int_equal(cedt.window[i].granularity, 256);
		assert_int_equal(cedt.window[i].restrictions, CEDT_TYPE_3 | CEDT_VOLATILE);
	}
	/* Its soft-reserved ranges, and the hole between them. */
	touches(0xc050000000, 0xfd00000000, "CXL window 0 and 1 more");
	touches(0xfd00000000, 0x10000000000, "");
	touches(0x10000000000, 0x10350000000, "CXL window 2");
}

/* Linux's /proc/iomem, and the soft-reserved ranges of its e820, of sample 17. */
struct iomem {
	struct bytes table;
	uint64_t soft[4][2];
	size_t nr_soft, nr_windows;
};

static void iomem_line(void *arg, char *text)
{
	struct iomem *iomem = arg;
	unsigned long long base, end;

	if (strstr(text, "soft reserved") &&
	    sscanf(text, "BIOS-e820: [mem 0x%llx-0x%llx]", &base, &end) == 2) {
		iomem->soft[iomem->nr_soft][0] = base;
		iomem->soft[iomem->nr_soft++][1] = end + 1;
	} else if (strstr(text, " : CXL Window") && sscanf(text, "%llx-%llx", &base, &end) == 2) {
		add_window(&iomem->table, 40, base, end + 1 - base);
		iomem->nr_windows++;
	}
}

static void windows_and_what_is_in_them(void **state)
{
	static const struct {
		const char *from, *until;
		size_t nr_soft;
		const char *touched[2];
	} machines[] = {
		{"## Intel", "## physical", 2, {"CXL window 0", "CXL window 1"}},
		{"## physical", "## QEMU: 1", 1, {"CXL window 0 and 1 more"}},
		{"## QEMU: 1", "## QEMU sp-mem", 1, {"CXL window 0"}},
		{"## QEMU sp-mem", "## legacy", 1, {""}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		struct iomem iomem = {.table = acpi_begin("CEDT", 1)};

		each_line("samples/17-e820-cxl-softreserved-iomem.txt", machines[i].from,
		          machines[i].until, iomem_line, &iomem);
		assert_int_equal(iomem.nr_soft, machines[i].nr_soft);
		parse(&iomem.table, iomem.nr_windows, 0);
		for (size_t k = 0; k < iomem.nr_soft; k++)
			touches(iomem.soft[k][0], iomem.soft[k][1], machines[i].touched[k]);
	}
}

static void interleave(uint8_t encoded, unsigned targets, bool fits)
{
	struct bytes table = acpi_begin("CEDT", 1);
	uint8_t *at = add_window(&table, (uint16_t)(36 + 4 * targets), GIB, GIB);

	at[24] = encoded;
	put32(at + 28, 6);
	parse(&table, fits, !fits);
}

static void interleaves(void **state)
{
	static const struct {
		uint8_t encoded, ways;
	} ways[] = {{0, 1}, {1, 2}, {2, 4}, {3, 8}, {4, 16}, {8, 3}, {9, 6}, {10, 12}};
	static const uint8_t none[] = {5, 6, 7, 11, 255};

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (ways[i].ways > 1) /* a window of no target is no structure */
			interleave(ways[i].encoded, ways[i].ways - 1u, false);
		interleave(ways[i].encoded, ways[i].ways, true);
		assert_int_equal(cedt.window[0].ways, ways[i].ways);
		assert_int_equal(cedt.window[0].granularity, 16384);
	}
	for (size_t i = 0; i < sizeof(none); i++)
		interleave(none[i], 16, false);
}

/* Each alone: its neighbours stand. */
static void windows_that_cannot_be(void **state)
{
	static const struct {
		uint64_t base, size;
		uint32_t granularity;
	} cases[] = {{GIB + MIB, GIB, 0},        {GIB, GIB + MIB, 0}, {GIB, 0, 0},
	             {-256 * MIB, 512 * MIB, 0}, {GIB, GIB, 7},       {GIB, GIB, 0xffffff00}};
	struct bytes table = acpi_begin("CEDT", 1);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t *at = add_window(&table, 40, cases[i].base, cases[i].size);

		put32(at + 28, cases[i].granularity);
		add_window(&table, 44, (i + 4) * GIB, 256 * MIB);
	}
	parse(&table, 6, 6);
	window_is(5, 9 * GIB, 256 * MIB);
	touches(9 * GIB, 9 * GIB + 1, "CXL window 5");
	touches(9 * GIB + 256 * MIB, 10 * GIB, "");
	touches(9 * GIB - 1, 9 * GIB, "");
	touches(0, 64 * GIB, "CXL window 0 and 5 more");
}

static void broken(void **state)
{
	static const struct {
		uint8_t type;
		uint16_t length;
		size_t extra;
		const char *because;
	} cases[] = {{1, 0, 36, "type 1 at 0x24 has length 0"},
	             {0, 3, 28, "type 0 at 0x24 has length 3"},
	             {1, 0xffff, 36, "has length 65535"},
	             {1, 39, 35, "type 1 has length 39, its least is 40"},
	             {1, 4, 0, "type 1 has length 4, its least is 40"}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bytes table = acpi_begin("CEDT", 1);
		uint8_t *at = bytes_add(&table, 4 + cases[i].extra);

		at[0] = cases[i].type;
		at[1] = 0xa5; /* reserved: no part of the type */
		put16(at + 2, cases[i].length);
		acpi_seal(&table);
		cedt_free(&cedt);
		assert_false(cedt_parse(table.data, table.size, &cedt, why, sizeof(why)));
		if (!strstr(why, cases[i].because))
			fail_msg("\"%s\" does not say \"%s\"", why, cases[i].because);
		assert_null(cedt.window);
		bytes_free(&table);
	}
}

static int tidy(void **state)
{
	(void)state;
	cedt_free(&cedt);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(amd_with_a_hole), cmocka_unit_test(windows_and_what_is_in_them),
		cmocka_unit_test(interleaves),     cmocka_unit_test(windows_that_cannot_be),
		cmocka_unit_test(broken),
	};

	return cmocka_run_group_tests(tests, NULL, tidy);
}
