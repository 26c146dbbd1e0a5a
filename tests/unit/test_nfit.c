/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/nfit.c discover/acpi.c */
#include <pagestamp/nfit.h>

#include "tests/unit/sample_04.h"

static struct nfit nfit;
static char why[160];

static void parse(struct bytes *table)
{
	nfit_free(&nfit);
	why[0] = '\0';
	if (!nfit_parse(table->data, table->size, &nfit, why, sizeof(why)))
		fail_msg("refused: %s", why);
	bytes_free(table);
}

static void refuse(struct bytes *table, const char *because)
{
	nfit_free(&nfit);
	why[0] = '\0';
	assert_false(nfit_parse(table->data, table->size, &nfit, why, sizeof(why)));
	assert_null(nfit.range);
	assert_null(nfit.mapping);
	if (!strstr(why, because))
		fail_msg("\"%s\" does not say \"%s\"", why, because);
	bytes_free(table);
}

static void qemu_dimmpxm(void **state)
{
	struct bytes table = {0}, cut = {0};

	(void)state;
	each_line("samples/01-nfit-qemu-dimmpxm.hex.txt", NULL, NULL, hex_line, &table);
	assert_int_equal(table.size, 240);
	/* Platform capabilities follow: stepped over, but not if they are cut short. */
	assert_int_equal(table.data[0xe0], 7);
	assert_int_equal(table.data[0xe2], 16);
	memcpy(bytes_add(&cut, table.size - 8), table.data, table.size - 8);
	acpi_seal(&cut);
	refuse(&cut, "structure of type 7 at 0xe0 has length 16");
	parse(&table);
	assert_int_equal(nfit.nr, 1);
	assert_int_equal(nfit.range[0].kind, NFIT_PERSISTENT);
	assert_int_equal(nfit.range[0].index, 4);
	assert_int_equal(nfit.range[0].flags, 3);
	assert_true(nfit.range[0].domain_valid);
	assert_int_equal(nfit.range[0].domain, 2);
	assert_int_equal(nfit.range[0].base, 0x108000000);
	assert_int_equal(nfit.range[0].length, 128 << 20);
	assert_int_equal(nfit.range[0].attributes, 0x8008);
	assert_int_equal(nfit.range[0].state, 0);
	assert_int_equal(nfit.nr_mappings, 1);
	assert_int_equal(nfit.mapping[0].handle, 2);
	assert_int_equal(nfit.mapping[0].physical_id, 0);
	assert_int_equal(nfit.mapping[0].range, 4);
	assert_int_equal(nfit.mapping[0].length, 128 << 20);
	assert_int_equal(nfit.mapping[0].ways, 1);
	assert_int_equal(nfit_interleave_of(&nfit, 4).nvdimms, 1);
	assert_int_equal(nfit_interleave_of(&nfit, 4).ways, 1);
	assert_int_equal(nfit_interleave_of(&nfit, 5).nvdimms, 0);
}

/* Sample 03: the fields of a line of iasl's output, by their offset in the table. */
static void iasl_line(void *arg, char *text)
{
	static const unsigned widths[] = {1, 2, 4, 8};
	struct bytes *table = arg;
	unsigned offset, width;
	char *colon = strstr(text, " : ");

	if (sscanf(text, "[%xh %*u %u]", &offset, &width) != 2 || !colon || offset < 40)
		return;
	if (width == 16) {
		memcpy(table->data + offset, nfit_persistent_guid, 16);
		return;
	}
	for (size_t i = 0; i < 4; i++)
		if (widths[i] == width && offset + width <= table->size) {
			uint8_t value[8];

			put64(value, strtoull(colon + 3, NULL, 16));
			memcpy(table->data + offset, value, width);
		}
}

static void both_lengths(void **state)
{
	static const char name[] = "samples/03-nfit-length-0x38-vs-location-cookie.txt";
	struct bytes table = acpi_begin("NFIT", 1);
	uint8_t *dcr;

	(void)state;
	/* As captured: 0x38, its "cookie" being the next structure's first eight bytes. */
	bytes_add(&table, 0xe0 - 36);
	each_line(name, NULL, NULL, iasl_line, &table);
	put16(table.data + 0x60 + 0, 1);
	put16(table.data + 0x60 + 2, 48);
	put32(table.data + 0x60 + 4, 1);
	put16(table.data + 0x60 + 12, 2);
	dcr = table.data + 0x90;
	put16(dcr, 4);
	put16(dcr + 2, 0x50);
	acpi_seal(&table);
	parse(&table);
	assert_int_equal(nfit.nr, 1);
	assert_int_equal(nfit.range[0].index, 2);
	assert_true(nfit.range[0].domain_valid);
	assert_int_equal(nfit.range[0].domain, 0);
	assert_int_equal(nfit.range[0].kind, NFIT_PERSISTENT);
	assert_int_equal(nfit.range[0].base, 0x480000000);
	assert_int_equal(nfit.range[0].length, 0x1fc0000000);
	assert_int_equal(nfit.range[0].attributes, 0x8008);

	/* A real cookie: 64 bytes, and the next structure is found behind it. */
	table = nfit_begin();
	nfit_add_range(&table, 64, 1, nfit_persistent_guid, 0x480000000, 0x40000000);
	nfit_add_range(&table, 56, 2, nfit_persistent_guid, 0x4c0000000, 0x40000000);
	acpi_seal(&table);
	parse(&table);
	assert_int_equal(nfit.nr, 2);
	assert_int_equal(nfit.range[1].base, 0x4c0000000);
}

static void hpe_two_nvdimm_n(void **state)
{
	struct bytes table = nfit_begin();

	(void)state;
	sample_04_nfit(&table);
	acpi_seal(&table);
	parse(&table);
	assert_int_equal(nfit.nr, 2);
	assert_int_equal(nfit.range[0].base, 0x480000000);
	assert_int_equal(nfit.range[0].length, 16ull << 30);
	assert_int_equal(nfit.range[1].base, 0xcc0000000);
	assert_int_equal(nfit.range[1].length, 16ull << 30);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(nfit.range[i].state, 0x20); /* health is reported: not a fault */
		assert_int_equal(nfit.range[i].state & NFIT_NOT_ARMED, 0);
		assert_int_equal(nfit.range[i].attributes, 0x800f);
		assert_int_equal(nfit.mapping[i].handle, i ? 0x1120 : 0x120);
		assert_int_equal(nfit.mapping[i].physical_id, i ? 0x32 : 0x26);
		assert_int_equal(nfit.mapping[i].length, 16ull << 30);
		assert_int_equal(nfit_interleave_of(&nfit, (uint16_t)(i + 1)).nvdimms, 1);
		assert_int_equal(nfit_interleave_of(&nfit, (uint16_t)(i + 1)).ways, 1);
	}
}

/* The number behind a word of a line; 0 where the reporter left it out. */
static uint64_t told(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at ? strtoull(at + strlen(word), NULL, 0) : 0;
}

/* Sample 07: the structures that it tells of, by their type, in the words of its reporters. */
static void oddity_line(void *arg, char *text)
{
	unsigned type = (unsigned)told(text, "Type ");
	uint16_t length = (uint16_t)told(text, "Length ");
	char *data = strstr(text, " data: ");
	uint8_t *at;

	if (strncmp(text, "Type ", 5) != 0)
		return;
	at = nfit_add(arg, (uint16_t)type, length);
	if (type == 1) {
		put32(at + 4, told(text, "NfitDeviceHandle "));
		put16(at + 8, told(text, "PhysicalId "));
		put16(at + 12, told(text, "SpaRangeIndex "));
		put64(at + 16, told(text, "RegionSize "));
		put16(at + 42, told(text, "InterleaveWays "));
		put16(at + 44, told(text, "StateFlags "));
	} else if (data) {
		data += 7;
		for (size_t i = 8; i < length; i++)
			at[i] = (uint8_t)strtoul(data, &data, 16);
	}
}

static void oddities(void **state)
{
	static const char name[] = "samples/07-nfit-real-world-oddities.txt";
	struct bytes table = nfit_begin();

	(void)state;
	/* Memory mode: the mappings of the two sockets say that they are interleaved; the range
	 * that they are of is volatile. */
	nfit_add_range(&table, 56, 2, nfit_volatile_guid, 0x100000000, 0x7f00000);
	each_line(name, NULL, NULL, oddity_line, &table);
	/* Capabilities at offset 0x990: far behind a lot of others. */
	while (table.size + 0x50 <= 0x990)
		nfit_add(&table, 4, 0x50);
	nfit_add(&table, 3, (uint16_t)(0x990 - table.size));
	nfit_add(&table, 7, 16);
	assert_int_equal(table.size, 0x9a0);
	nfit_add_range(&table, 56, 3, nfit_persistent_guid, 0x480000000, 0x40000000);
	acpi_seal(&table);
	parse(&table);
	assert_int_equal(nfit.nr, 2);
	assert_int_equal(nfit.range[0].kind, NFIT_VOLATILE);
	assert_int_equal(nfit.range[0].length, 0x7f00000);
	assert_int_equal(nfit.range[0].state, 0x20);
	assert_int_equal(nfit.range[1].kind, NFIT_PERSISTENT);
	assert_int_equal(nfit.nr_mappings, 2);
	assert_int_equal(nfit.mapping[0].handle, 0x0001);
	assert_int_equal(nfit.mapping[0].physical_id, 0x2f);
	assert_int_equal(nfit.mapping[0].length, 0x7f00000);
	assert_int_equal(nfit.mapping[0].ways, 2);
	assert_int_equal(nfit.mapping[1].handle, 0x1001);
	assert_int_equal(nfit.mapping[1].physical_id, 0x3b);
	assert_int_equal(nfit_interleave_of(&nfit, 2).nvdimms, 2);
	assert_int_equal(nfit_interleave_of(&nfit, 2).ways, 2);
}

/* Lengths of three vendors' tables: the second is no multiple of 8, nor of anything. */
static void lengths_of_vendors(void **state)
{
	static const size_t lengths[] = {3008, 234, 0xe0};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct bytes table = nfit_begin();

		nfit_add_range(&table, 56, 2, nfit_persistent_guid, 0x280000000, 0x80000000);
		nfit_add(&table, 3, (uint16_t)(lengths[i] - table.size));
		assert_int_equal(table.size, lengths[i]);
		acpi_seal(&table);
		parse(&table);
		assert_int_equal(nfit.nr, 1);
		assert_int_equal(nfit.range[0].index, 2);
		assert_int_equal(nfit.range[0].base, 0x280000000);
		assert_int_equal(nfit.range[0].length, 0x80000000);
		assert_int_equal(nfit.range[0].attributes, 0x8008);
	}
}

/* Each GUID as the specification prints it, against the name. */
static void kinds(void **state)
{
	static const struct {
		const char *text;
		enum nfit_kind kind;
	} guids[] = {
		{"66F0D379-B4F3-4074-AC43-0D3318B78CDB", NFIT_PERSISTENT},
		{"7305944F-FDDA-44E3-B16C-3F22D252E5D0", NFIT_VOLATILE},
		{"92F701F6-13B4-405D-910B-299367E8234C", NFIT_CONTROL},
		{"91AF0530-5D86-470E-A6B0-0A2DB9408249", NFIT_BLOCK_WINDOW},
		{"77AB535A-45FC-624B-5560-F7B281D1F96E", NFIT_VIRTUAL_DISK},
		{"3D5ABD30-4175-87CE-6D64-D2ADE523C4BB", NFIT_VIRTUAL_CD},
		{"5CEA02C9-4D07-69D3-269F-4496FBE096F9", NFIT_PERSISTENT_VIRTUAL_DISK},
		{"08018188-42CD-BB48-100F-5387D53DED3D", NFIT_PERSISTENT_VIRTUAL_CD},
		{"00000000-0000-0000-0000-000000000001", NFIT_UNKNOWN},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(guids) / sizeof(guids[0]); i++) {
		struct bytes table = nfit_begin();
		uint8_t guid[16];
		unsigned a, b, c, d, e;
		unsigned long long f;

		assert_int_equal(
			sscanf(guids[i].text, "%8x-%4x-%4x-%4x-%4x%8llx", &a, &b, &c, &d, &e, &f),
			6);
		put32(guid, a);
		put16(guid + 4, b);
		put16(guid + 6, c);
		guid[8] = (uint8_t)(d >> 8);
		guid[9] = (uint8_t)d;
		guid[10] = (uint8_t)(e >> 8);
		guid[11] = (uint8_t)e;
		for (int j = 0; j < 4; j++)
			guid[12 + j] = (uint8_t)(f >> (24 - 8 * j));
		nfit_add_range(&table, 56, 1, guid, 0x100000000, 0x1000);
		acpi_seal(&table);
		parse(&table);
		assert_int_equal(nfit.range[0].kind, guids[i].kind);
		assert_true(strlen(nfit_kind_name(guids[i].kind)) > 0);
	}
}

static void state_flags(void **state)
{
	struct bytes table = nfit_begin();

	(void)state;
	nfit_add_mapping(&table, 48, 1, NFIT_NOT_ARMED); /* before the range it speaks of */
	nfit_add_range(&table, 56, 1, nfit_persistent_guid, 0x100000000, 0x1000);
	nfit_add_range(&table, 56, 2, nfit_persistent_guid, 0x200000000, 0x1000);
	nfit_add_range(&table, 56, 0, nfit_control_guid, 0x300000000, 0x1000);
	nfit_add_mapping(&table, 48, 1, NFIT_SAVE_FAILED);
	nfit_add_mapping(&table, 48, 2, NFIT_MAP_FAILED);
	nfit_add_mapping(&table, 48, 0, NFIT_FLUSH_FAILED); /* of no range */
	nfit_add_mapping(&table, 48, 9, NFIT_FLUSH_FAILED);
	acpi_seal(&table);
	parse(&table);
	assert_int_equal(nfit.range[0].state, NFIT_NOT_ARMED | NFIT_SAVE_FAILED);
	assert_int_equal(nfit.range[1].state, NFIT_MAP_FAILED);
	assert_int_equal(nfit.range[2].state, 0);
}

/* Two sets of different kinds, and a mapping that belongs to neither. */
static void interleave_sets(void **state)
{
	struct bytes table = nfit_begin();

	(void)state;
	for (uint16_t i = 0; i < 6; i++)
		put16(nfit_add_mapping(&table, 48, 7, 0) + 42, 6);
	nfit_add_range(&table, 56, 7, nfit_persistent_guid, 0x100000000, 6ull << 30);
	nfit_add_range(&table, 56, 8, nfit_persistent_guid, 0x300000000, 1ull << 30);
	put16(nfit_add_mapping(&table, 48, 8, 0) + 42, 0);
	put16(nfit_add_mapping(&table, 48, 0, 0) + 42, 2);
	acpi_seal(&table);
	parse(&table);
	assert_int_equal(nfit.nr_mappings, 8);
	assert_int_equal(nfit_interleave_of(&nfit, 7).nvdimms, 6);
	assert_int_equal(nfit_interleave_of(&nfit, 7).ways, 6);
	assert_int_equal(nfit_interleave_of(&nfit, 8).nvdimms, 1);
	assert_int_equal(nfit_interleave_of(&nfit, 8).ways, 0);
	assert_int_equal(nfit_interleave_of(&nfit, 0).nvdimms, 0);
}

static void domain_only_when_valid(void **state)
{
	struct bytes table = nfit_begin();
	uint8_t *at = nfit_add_range(&table, 56, 1, nfit_persistent_guid, 0x100000000, 0x1000);

	(void)state;
	put16(at + 6, 1);
	put32(at + 12, 7);
	acpi_seal(&table);
	parse(&table);
	assert_false(nfit.range[0].domain_valid);
	assert_int_equal(nfit.range[0].domain, 0);
}

static void no_ranges(void **state)
{
	struct bytes table = nfit_begin();

	(void)state;
	acpi_seal(&table);
	parse(&table);
	assert_int_equal(nfit.nr, 0);
}

static void broken_tables(void **state)
{
	struct bytes table;

	(void)state;
	table = nfit_begin();
	nfit_add_range(&table, 56, 1, nfit_persistent_guid, 0x100000000, 0x1000);
	acpi_seal(&table);
	table.data[50] ^= 1;
	refuse(&table, "bad checksum");

	table = nfit_begin();
	nfit_add_range(&table, 56, 1, nfit_persistent_guid, 0x100000000, 0x1000);
	acpi_seal(&table);
	table.size--;
	refuse(&table, "truncated: 95 of 96 bytes");

	table = nfit_begin();
	table.size = 35;
	refuse(&table, "truncated: 35 bytes");

	table = acpi_begin("NFIT", 1);
	acpi_seal(&table);
	refuse(&table, "fewer than its header");

	table = acpi_begin("SRAT", 1);
	bytes_add(&table, 4);
	acpi_seal(&table);
	refuse(&table, "signature");
}

static void broken_structures(void **state)
{
	static const struct {
		unsigned type, length;
		size_t extra; /* bytes behind the structure's header */
		const char *because;
	} cases[] = {
		{0, 0, 52, "type 0 at 0x28 has length 0"},
		{1, 0, 44, "type 1 at 0x28 has length 0"},
		{9, 0, 60, "type 9 at 0x28 has length 0"},
		{9, 3, 60, "type 9 at 0x28 has length 3"},
		{0, 57, 52, "type 0 at 0x28 has length 57"},
		{9, 0xffff, 60, "has length 65535"},
		{0, 55, 51, "has length 55, its least is 56"},
		{0, 4, 0, "has length 4, its least is 56"},
		{1, 47, 43, "has length 47, its least is 48"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bytes table = nfit_begin();
		uint8_t *at = bytes_add(&table, 4 + cases[i].extra);

		put16(at, cases[i].type);
		put16(at + 2, cases[i].length);
		acpi_seal(&table);
		refuse(&table, cases[i].because);
	}
	for (size_t stray = 1; stray < 4; stray++) {
		struct bytes table = nfit_begin();

		nfit_add_range(&table, 56, 1, nfit_persistent_guid, 0x100000000, 0x1000);
		bytes_add(&table, stray);
		acpi_seal(&table);
		refuse(&table, "stray bytes");
	}
}

static int tidy(void **state)
{
	(void)state;
	nfit_free(&nfit);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(qemu_dimmpxm),
		cmocka_unit_test(both_lengths),
		cmocka_unit_test(hpe_two_nvdimm_n),
		cmocka_unit_test(oddities),
		cmocka_unit_test(lengths_of_vendors),
		cmocka_unit_test(kinds),
		cmocka_unit_test(state_flags),
		cmocka_unit_test(interleave_sets),
		cmocka_unit_test(domain_only_when_valid),
		cmocka_unit_test(no_ranges),
		cmocka_unit_test(broken_tables),
		cmocka_unit_test(broken_structures),
	};

	return cmocka_run_group_tests(tests, NULL, tidy);
}
