/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/labels.c discover/label_about.c discover/uuid.c */
/* The label area that real ndctl wrote, and areas made to order. */
#include <pagestamp/labels.h>

#include "discover/fletcher.h"
#include "tests/unit/samples.h"

static struct labels labels;
static char why[160];

static void parse(const struct bytes *area)
{
	labels_free(&labels);
	if (!labels_parse(area->data, area->size, &labels, why, sizeof(why)))
		fail_msg("refused: %s", why);
}

static void refused(const struct bytes *area)
{
	labels_free(&labels);
	assert_false(labels_parse(area->data, area->size, &labels, why, sizeof(why)));
	assert_string_equal(why, "label area: no valid index block");
	assert_int_equal(labels.nr, 0);
	assert_null(labels.label);
}

/* The first bytes of tests/data/nvdimm/fsdax-dev-2M-label.label.bin: both indices, some slots. */
static struct bytes real_area(void)
{
	struct bytes area = data_file("nvdimm/fsdax-dev-2M-label.label.bin");

	assert_int_equal(area.size, 65536);
	return area;
}

static bool uuid_in(const uint8_t *uuid, const char *json, const char *key)
{
	char quoted[80];
	const uint8_t *u = uuid;

	snprintf(quoted, sizeof(quoted),
	         "\"%s\":\"%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x\"",
	         key, u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11],
	         u[12], u[13], u[14], u[15]);
	return strstr(json, quoted);
}

static void what_ndctl_made(void **state)
{
	struct bytes area = real_area(), json = data_file("nvdimm/fsdax-dev-2M-label.ndctl.json");
	struct bytes head = data_file("nvdimm/fsdax-dev-2M-label.head.bin");
	const struct label *label;
	char cookie[64], text[192];

	(void)state;
	parse(&area);
	assert_int_equal(labels.minor, 2);
	assert_int_equal(labels.nslot, 8182); /* of an area of 2 MiB */
	assert_int_equal(labels.refused, 0);
	assert_false(labels.one_broken);
	assert_int_equal(labels.nr, 1);
	label = &labels.label[0];
	assert_int_equal(label->slot, 1); /* the second time it was written */
	assert_int_equal(label->flags, 0);
	assert_int_equal(label->nlabel, 1);
	assert_int_equal(label->position, 0);
	assert_int_equal(label->lbasize, 0);
	assert_int_equal(label->dpa, 0);
	assert_int_equal(label->rawsize, 8ull << 30);
	assert_int_equal(label->claim, LABEL_CLAIM_FSDAX);
	assert_string_equal(label->name, "");
	label_describe(label, text, sizeof(text));
	assert_string_equal(text + 36, " (fsdax), 0x200000000 bytes at 0x0, part 1 of 1");
	text[36] = '\0';
	assert_non_null(strstr((char *)json.data, text));
	/* as ndctl has it, and as the superblock does */
	assert_true(uuid_in(label->uuid, (char *)json.data, "raw_uuid"));
	assert_memory_equal(label->uuid, head.data + 4096 + 32, 16);
	snprintf(cookie, sizeof(cookie), "\"iset_id\":%llu,",
	         (unsigned long long)label->isetcookie);
	assert_non_null(strstr((char *)json.data, cookie));
	bytes_free(&area);
	bytes_free(&json);
	bytes_free(&head);
}

/* Without the newer block the older one stands: the namespace was being made. */
static void one_block_is_enough(void **state)
{
	struct bytes area = real_area();

	(void)state;
	area.data[0x100] ^= 1;
	parse(&area);
	assert_true(labels.one_broken);
	assert_int_equal(labels.nr, 1);
	assert_int_equal(labels.label[0].slot, 0);
	assert_int_equal(labels.label[0].flags, LABEL_UPDATING);
	area.data[0x100] ^= 1;
	area.data[0x500 + 72] ^= 1;
	parse(&area);
	assert_true(labels.one_broken);
	assert_int_equal(labels.label[0].slot, 1);
	area.data[0x100] ^= 1;
	refused(&area);
	bytes_free(&area);
}

static void every_bit_of_an_index_counts(void **state)
{
	struct bytes area = real_area();

	(void)state;
	memset(area.data + 0x500, 0, 0x500); /* one block only */
	for (size_t bit = 0; bit < (size_t)0x500 * 8; bit++) {
		area.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
		refused(&area);
		area.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	bytes_free(&area);
}

static void every_bit_of_a_label_counts(void **state)
{
	struct bytes area = real_area();

	(void)state;
	for (size_t bit = 0; bit < 256 * 8; bit++) {
		uint8_t *byte = area.data + 0xa00 + 256 + bit / 8;

		*byte ^= (uint8_t)(1 << bit % 8);
		parse(&area);
		assert_int_equal(labels.nr, 0);
		assert_int_equal(labels.refused, 1);
		*byte ^= (uint8_t)(1 << bit % 8);
	}
	bytes_free(&area);
}

static void cut_short(void **state)
{
	struct bytes area = real_area();

	(void)state;
	for (size_t size = 0; size < 0xa00 + 3 * 256; size++) {
		struct bytes part = {0};

		if (size)
			memcpy(bytes_add(&part, size), area.data, size);
		if (size < 0x500) {
			refused(&part);
		} else {
			parse(&part);
			assert_int_equal(labels.one_broken, size < 0xa00);
			assert_int_equal(labels.nr, size >= 0xa00 + 2 * 256);
			assert_int_equal(labels.nr + labels.refused, 1);
		}
		bytes_free(&part);
	}
	bytes_free(&area);
}

/* ---- made to order ----------------------------------------------------------------- */

#define MYSIZE 256u

static uint8_t *index_at(struct bytes *area, unsigned which)
{
	return area->data + which * MYSIZE;
}

static void seal(struct bytes *area, unsigned which)
{
	put64(index_at(area, which) + 64, fletcher64(index_at(area, which), MYSIZE, 64));
}

/* Two blocks of the sequence numbers given (0: none), `nslot` free slots. */
static struct bytes area_of(unsigned minor, unsigned first, unsigned second, uint32_t nslot)
{
	struct bytes area = {0};
	size_t label_size = minor < 2 ? 128 : 256;

	bytes_add(&area, 2 * MYSIZE + nslot * label_size);
	for (unsigned which = 0; which < 2; which++) {
		uint8_t *at = index_at(&area, which);

		memcpy(at, "NAMESPACE_INDEX", 16);
		at[19] = minor >= 2;
		put32(at + 20, which ? second : first);
		put64(at + 24, which * MYSIZE);
		put64(at + 32, MYSIZE);
		put64(at + 40, (1 - which) * MYSIZE);
		put64(at + 48, 2 * MYSIZE);
		put32(at + 56, nslot);
		put16(at + 60, 1);
		put16(at + 62, minor);
		memset(at + 72, 0xff, (nslot + 7) / 8);
		seal(&area, which);
	}
	return area;
}

static uint8_t *use(struct bytes *area, unsigned which, uint32_t slot, size_t label_size)
{
	uint8_t *label = area->data + 2 * MYSIZE + slot * label_size;

	index_at(area, which)[72 + slot / 8] &= (uint8_t) ~(1u << slot % 8);
	seal(area, which);
	put32(label + 120, slot);
	return label;
}

static void version_1_1(void **state)
{
	struct bytes area = area_of(1, 0, 1, 20);
	uint8_t *label = use(&area, 1, 17, 128);
	char text[192];

	(void)state;
	memset(label, 0xab, 16);
	memset(label + 16, 'n', 64); /* no NUL */
	label[17] = '\n';
	label[18] = 0x9b;
	put32(label + 80, LABEL_READ_ONLY | LABEL_LOCAL);
	put16(label + 84, 4);
	put16(label + 86, 3);
	put64(label + 88, 0x1122334455667788);
	put64(label + 96, 4096);
	put64(label + 104, 1ull << 30);
	put64(label + 112, 3ull << 30);
	use(&area, 1, 3, 128);
	put32(use(&area, 1, 5, 128) + 120, 6); /* says it is another slot's */
	parse(&area);
	assert_int_equal(labels.minor, 1);
	assert_int_equal(labels.nslot, 20);
	assert_true(labels.one_broken); /* a sequence of 0 is none */
	assert_int_equal(labels.nr, 2);
	assert_int_equal(labels.refused, 1);
	assert_int_equal(labels.label[0].slot, 3);
	assert_int_equal(labels.label[1].slot, 17);
	assert_int_equal(strlen(labels.label[1].name), 64);
	assert_memory_equal(labels.label[1].name, "n??nn", 5);
	label_describe(&labels.label[1], text, sizeof(text));
	assert_memory_equal(text, "abababab-abab-abab-abab-abababababab n??nn", 42);
	assert_string_equal(strchr(text, '('),
	                    "(raw), 0xc0000000 bytes at 0x40000000, part 4 of 4");
	assert_int_equal(labels.label[1].flags, 3);
	assert_int_equal(labels.label[1].nlabel, 4);
	assert_int_equal(labels.label[1].position, 3);
	assert_int_equal(labels.label[1].isetcookie, 0x1122334455667788);
	assert_int_equal(labels.label[1].lbasize, 4096);
	assert_int_equal(labels.label[1].dpa, 1ull << 30);
	assert_int_equal(labels.label[1].rawsize, 3ull << 30);
	assert_int_equal(labels.label[1].claim, LABEL_CLAIM_NONE);
	bytes_free(&area);
}

static void claims(void **state)
{
	static const struct {
		const char *guid; /* the first field, as it stands in memory */
		uint8_t rest[12];
		enum label_claim claim;
	} guids[] = {
		{"\xa2\x63\xed\x8a",
	         {0xa2, 0x29, 0x66, 0x4c, 0x8b, 0x12, 0xf0, 0x5d, 0x15, 0xd3, 0x92, 0x2a},
	         LABEL_CLAIM_BTT},
		{"\xfc\x3b\x63\x18",
	         {0x35, 0x17, 0x17, 0x42, 0x8a, 0xc9, 0x17, 0x23, 0x92, 0x82, 0xd3, 0xf8},
	         LABEL_CLAIM_BTT},
		{"\x9c\x6d\xa8\x97",
	         {0xdd, 0x3c, 0xda, 0x4e, 0x98, 0x6f, 0x50, 0x68, 0xb4, 0xf8, 0x00, 0x88},
	         LABEL_CLAIM_DEVDAX},
		{"\x00\x00\x00\x00", {0}, LABEL_CLAIM_NONE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(guids) / sizeof(guids[0]); i++) {
		struct bytes area = area_of(2, 1, 0, 2);
		uint8_t *label = use(&area, 0, 1, 256);

		memcpy(label + 144, guids[i].guid, 4);
		memcpy(label + 148, guids[i].rest, 12);
		put64(label + 248, fletcher64(label, 256, 248));
		parse(&area);
		assert_int_equal(labels.nr, 1);
		assert_int_equal(labels.label[0].claim, guids[i].claim);
		bytes_free(&area);
	}
}

/* 1, 2, 3, 1: which of the two is the later. */
static void the_sequence_goes_round(void **state)
{
	static const struct {
		unsigned first, second, taken;
	} cases[] = {{1, 2, 1}, {2, 1, 0}, {2, 3, 1}, {3, 2, 0}, {3, 1, 1},
	             {1, 3, 0}, {1, 1, 1}, {0, 2, 1}, {2, 0, 0}, {2, 7, 1}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bytes area = area_of(1, cases[i].first, cases[i].second, 8);

		use(&area, 0, 4, 128);
		use(&area, 1, 5, 128);
		parse(&area);
		assert_int_equal(labels.nr, 1);
		assert_int_equal(labels.label[0].slot, 4 + cases[i].taken);
		bytes_free(&area);
	}
}

static void indices_that_cannot_be(void **state)
{
	static const struct {
		size_t at, width;
		uint64_t value;
	} cases[] = {{0, 1, 'X'},  {20, 4, 4},     {24, 8, 256},         {32, 8, 0},
	             {32, 8, 71},  {32, 8, 255},   {32, 8, 257},         {32, 8, 1ull << 63},
	             {48, 8, 255}, {48, 8, ~0ull}, {56, 4, 8 * 184 + 1}, {56, 4, 0xffffffff},
	             {60, 2, 2},   {60, 2, 0},     {19, 1, 0},           {19, 1, 2},
	             {19, 1, 9},   {62, 2, 1}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bytes area = area_of(2, 1, 0, 2);
		uint8_t value[8];

		put64(value, cases[i].value);
		memcpy(area.data + cases[i].at, value, cases[i].width);
		seal(&area, 0);
		if (cases[i].at == 62) { /* 1.1 has one size of label whatever is said */
			parse(&area);
			assert_int_equal(labels.minor, 1);
		} else {
			refused(&area);
		}
		bytes_free(&area);
	}
}

static void slots_beyond_the_area(void **state)
{
	struct bytes area = area_of(1, 1, 2, 4);

	(void)state;
	memset(area.data + MYSIZE + 72, 0, 184);
	put32(area.data + MYSIZE + 56, 8 * 184);
	seal(&area, 1);
	parse(&area);
	/* slot 0 alone says that it is what it is, of the four that there are */
	assert_int_equal(labels.nr, 1);
	assert_int_equal(labels.refused, 8 * 184 - 1);
	put64(area.data + MYSIZE + 48, UINT64_MAX / 2);
	seal(&area, 1);
	parse(&area);
	assert_int_equal(labels.nr, 0);
	assert_int_equal(labels.refused, 8 * 184);
	bytes_free(&area);
}

static int tidy(void **state)
{
	(void)state;
	labels_free(&labels);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_ndctl_made),
		cmocka_unit_test(one_block_is_enough),
		cmocka_unit_test(every_bit_of_an_index_counts),
		cmocka_unit_test(every_bit_of_a_label_counts),
		cmocka_unit_test(cut_short),
		cmocka_unit_test(version_1_1),
		cmocka_unit_test(claims),
		cmocka_unit_test(the_sequence_goes_round),
		cmocka_unit_test(indices_that_cannot_be),
		cmocka_unit_test(slots_beyond_the_area),
	};

	return cmocka_run_group_tests(tests, NULL, tidy);
}
