/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/srat.c discover/acpi.c */
#include <pagestamp/srat.h>

#include "tests/unit/samples.h"

static struct srat srat;
static char why[160];

static struct bytes srat_begin(uint8_t revision)
{
	struct bytes table = acpi_begin("SRAT", revision);

	bytes_add(&table, 12);
	return table;
}

static uint8_t *add(struct bytes *table, uint8_t type, uint8_t length)
{
	uint8_t *at = bytes_add(table, length);

	at[0] = type;
	at[1] = length;
	return at;
}

static void add_memory(struct bytes *table, uint32_t domain, uint64_t base, uint64_t length,
                       uint32_t flags)
{
	uint8_t *at = add(table, 1, 40);

	put32(at + 2, domain);
	put64(at + 8, base);
	put64(at + 16, length);
	put32(at + 28, flags);
}

static void parse(struct bytes *table)
{
	srat_free(&srat);
	acpi_seal(table);
	why[0] = '\0';
	if (!srat_parse(table->data, table->size, &srat, why, sizeof(why)))
		fail_msg("refused: %s", why);
	bytes_free(table);
}

static void domain_is(uint64_t address, uint32_t expected)
{
	uint32_t domain = UINT32_MAX;

	assert_true(srat_domain(&srat, address, &domain));
	assert_int_equal(domain, expected);
}

static void no_domain(uint64_t address)
{
	uint32_t domain;

	assert_false(srat_domain(&srat, address, &domain));
}

/* iasl's lines of sample 11: a value where the field's name is. */
static void iasl_line(void *arg, char *text)
{
	static uint64_t domain, base, length;
	char *colon = strstr(text, " : ");
	uint64_t value = colon ? strtoull(colon + 3, NULL, 16) : 0;

	if (strstr(text, "Proximity Domain"))
		domain = value;
	else if (strstr(text, "Base Address"))
		base = value;
	else if (strstr(text, "Address Length"))
		length = value;
	else if (strstr(text, "Flags"))
		add_memory(arg, (uint32_t)domain, base, length, (uint32_t)value);
}

static void two_optane_ranges(void **state)
{
	struct bytes table = srat_begin(3);

	(void)state;
	each_line("samples/11-srat-optane-2socket-nonvolatile.txt", NULL, NULL, iasl_line, &table);
	parse(&table);
	assert_int_equal(srat.nr, 2);
	assert_int_equal(srat.nodes, 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(srat.memory[i].length, 1012ull << 30);
		assert_true(srat.memory[i].non_volatile);
	}
	domain_is(0x2080000000, 2);
	domain_is(0x11d7fffffff, 2);
	domain_is(0x11d80000000, 3);
	no_domain(0x207fffffff);
	no_domain(0x11d80000000 + (1012ull << 30));
}

static void linux_line(void *arg, char *text)
{
	unsigned node, domain;
	unsigned long long base, end;

	if (sscanf(text, "ACPI: SRAT: Node %u PXM %u [mem 0x%llx-0x%llx]", &node, &domain, &base,
	           &end) == 4)
		add_memory(arg, domain, base, end + 1 - base, strstr(text, "hotplug") ? 3 : 1);
}

static void affinity_far_beyond_ram(void **state)
{
	static const char name[] = "samples/13-srat-hyperv-hotplug-far-beyond-ram.txt";
	struct bytes table = srat_begin(3);

	(void)state;
	each_line(name, NULL, "# plain", linux_line, &table);
	parse(&table);
	assert_int_equal(srat.nr, 16);
	assert_int_equal(srat.nodes, 4);
	domain_is(0x1a980000000, 3);
	domain_is(0x27fffffffffff, 0);
	no_domain(0x40000000);

	table = srat_begin(3);
	each_line(name, "plain 2-socket", NULL, linux_line, &table);
	parse(&table);
	assert_int_equal(srat.nodes, 2);
	domain_is(0x303fffffff, 1);
}

static void processors_count_as_nodes(void **state)
{
	struct bytes table = srat_begin(3);
	uint8_t *at;

	(void)state;
	add_memory(&table, 0, 0, 1 << 30, 1);
	at = add(&table, 0, 16); /* local APIC: domain 0x04030201 in two pieces */
	at[2] = 1;
	at[9] = 2;
	at[10] = 3;
	at[11] = 4;
	put32(at + 4, 1);
	at = add(&table, 2, 24);
	put32(at + 4, 0x04030201);
	put32(at + 12, 1);
	at = add(&table, 3, 18);
	put32(at + 2, 9);
	put32(at + 10, 1);
	at = add(&table, 3, 18); /* not enabled */
	put32(at + 2, 10);
	add_memory(&table, 11, 1 << 30, 1 << 30, 2); /* not enabled */
	add(&table, 4, 12);                          /* GIC ITS: stepped over */
	add(&table, 6, 32);                          /* generic port: likewise */
	parse(&table);
	assert_int_equal(srat.nr, 1);
	assert_int_equal(srat.nodes, 3);
	assert_int_equal(srat.initiators, 0);
	no_domain(1 << 30);
}

static void generic_initiators(void **state)
{
	struct bytes table = srat_begin(3);

	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		uint8_t *at = add(&table, 5, 32);

		at[3] = 1;                    /* by its PCI address */
		put32(at + 4, i < 2 ? 7 : i); /* two in one domain */
		put16(at + 10, 0x0100 + i);
		put32(at + 24, i != 3); /* the last is not enabled */
	}
	parse(&table);
	assert_int_equal(srat.initiators, 3);
	assert_int_equal(srat.nodes, 2);
	assert_int_equal(srat.nr, 0);
}

static void eight_bit_domains_of_revision_one(void **state)
{
	struct bytes table = srat_begin(1);
	uint8_t *at;

	(void)state;
	add_memory(&table, 0xcccccc01, 0, 1 << 30, 1);
	at = add(&table, 0, 16);
	at[2] = 1;
	at[9] = 0xcc;
	put32(at + 4, 1);
	parse(&table);
	assert_int_equal(srat.nodes, 1);
	domain_is(0, 1);

	table = srat_begin(2);
	add_memory(&table, 0x01020304, 0, 1 << 30, 1);
	parse(&table);
	domain_is(0, 0x01020304);
}

static void a_wrapping_range_has_no_addresses_below_it(void **state)
{
	struct bytes table = srat_begin(3);

	(void)state;
	add_memory(&table, 5, ~0xfffull, ~0ull, 1);
	add_memory(&table, 6, 0x1000, 0, 1);
	parse(&table);
	no_domain(0x1000);
	domain_is(~0ull, 5);
}

static void broken(void **state)
{
	static const struct {
		uint8_t type, length;
		size_t extra;
	} cases[] = {{1, 0, 38},  {1, 1, 38},  {1, 39, 37}, {1, 41, 38}, {0, 15, 13},
	             {2, 23, 21}, {3, 17, 15}, {5, 31, 29}, {9, 0, 30},  {9, 255, 30}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bytes table = srat_begin(3);
		uint8_t *at = bytes_add(&table, 2 + cases[i].extra);

		at[0] = cases[i].type;
		at[1] = cases[i].length;
		acpi_seal(&table);
		srat_free(&srat);
		assert_false(srat_parse(table.data, table.size, &srat, why, sizeof(why)));
		assert_non_null(strstr(why, "SRAT: structure of type"));
		assert_null(srat.memory);
		bytes_free(&table);
	}
}

static int tidy(void **state)
{
	(void)state;
	srat_free(&srat);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_optane_ranges),
		cmocka_unit_test(affinity_far_beyond_ram),
		cmocka_unit_test(processors_count_as_nodes),
		cmocka_unit_test(generic_initiators),
		cmocka_unit_test(eight_bit_domains_of_revision_one),
		cmocka_unit_test(a_wrapping_range_has_no_addresses_below_it),
		cmocka_unit_test(broken),
	};

	return cmocka_run_group_tests(tests, NULL, tidy);
}
