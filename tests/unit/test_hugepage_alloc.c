/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/hugepage_alloc.c discover/memory_pieces.c discover/hugetlb_log.c */
/* links: discover/efi_map.c discover/srat.c discover/acpi.c */
#include <pagestamp/hugepage_alloc.h>

#include "tests/unit/samples.h"

#define KIB (1ull << 10)
#define MIB (1ull << 20)
#define GIB (1ull << 30)

static struct memory_pieces memory;
static struct hugepage_shares got;
static struct hugepage_pool pool[4];
static struct hugepages pools = {.pool = pool};
static char why[160];

static void forget_memory(void)
{
	memory_pieces_free(&memory);
}

static void add(uint64_t base, uint64_t size, uint32_t node)
{
	assert_true(memory_pieces_add(&memory, base, size, node));
}

static void ask_nothing(void)
{
	memset(pool, 0, sizeof(pool));
	pools.nr = 0;
}

static void ask(uint64_t page_bytes, uint64_t count)
{
	pool[pools.nr++] = (struct hugepage_pool){.page_bytes = page_bytes, .count = count};
}

static void ask_on(uint64_t page_bytes, struct hugepage_on_node *node, size_t nr)
{
	ask(page_bytes, 0);
	pool[pools.nr - 1].node = node;
	pool[pools.nr - 1].nr_nodes = nr;
	for (size_t i = 0; i < nr; i++)
		pool[pools.nr - 1].count += node[i].count;
}

static bool in_one_piece(uint64_t base, uint64_t size, uint32_t node)
{
	for (size_t i = 0; i < memory.nr; i++) {
		const struct memory_piece *piece = &memory.piece[i];

		if (piece->node == node && base >= piece->base &&
		    base + size <= piece->base + piece->size)
			return true;
	}
	return false;
}

/* What holds whatever was asked: aligned, in memory of the node, nothing twice. */
static void sound(void)
{
	for (size_t i = 0; i < got.nr; i++) {
		const struct hugepage_share *a = &got.share[i];
		uint64_t pages = 0;

		for (size_t j = 0; j < a->nr_extents; j++) {
			const uint64_t base = a->extent[j].base;
			const uint64_t size = a->extent[j].pages * a->page_bytes;

			pages += a->extent[j].pages;
			assert_int_not_equal(a->extent[j].pages, 0);
			assert_int_equal(base % a->page_bytes, 0);
			assert_true(in_one_piece(base, size, a->node));
			for (size_t k = 0; k <= i; k++) {
				const struct hugepage_share *b = &got.share[k];

				for (size_t l = 0; l < (k == i ? j : b->nr_extents); l++) {
					const uint64_t other = b->extent[l].base;

					assert_true(other + b->extent[l].pages * b->page_bytes <=
					                    base ||
					            base + size <= other);
				}
			}
		}
		assert_int_equal(pages, a->got);
	}
}

static void allocate(void)
{
	hugepage_shares_free(&got);
	assert_true(hugepages_alloc(&memory, &pools, &got, why, sizeof(why)));
	sound();
}

static void share_is(size_t i, uint64_t page_bytes, uint32_t node, uint64_t asked, uint64_t pages)
{
	assert_true(i < got.nr);
	assert_int_equal(got.share[i].page_bytes, page_bytes);
	assert_int_equal(got.share[i].node, node);
	assert_int_equal(got.share[i].asked, asked);
	assert_int_equal(got.share[i].got, pages);
}

static void extent_is(size_t i, size_t j, uint64_t base, uint64_t pages)
{
	assert_true(j < got.share[i].nr_extents);
	assert_int_equal(got.share[i].extent[j].base, base);
	assert_int_equal(got.share[i].extent[j].pages, pages);
}

static void says(const char *line)
{
	assert_int_equal(got.log.nr, 1);
	assert_string_equal(got.log.line[0], line);
}

/* "  node   0: [mem 0x...-0x...]", the end inclusive */
static void linux_node_line(void *arg, char *text)
{
	unsigned node;
	unsigned long long first, last;

	(void)arg;
	if (sscanf(text, "  node %u: [mem %llx-%llx]", &node, &first, &last) == 3)
		add(first, last - first + 1, node);
}

static void graviton_has_room_for_two(void **state)
{
	(void)state;
	forget_memory();
	each_line("samples/25-arm64-graviton-memory-ranges.txt", NULL, NULL, linux_node_line, NULL);
	assert_int_equal(memory.nr, 2); /* its first bank's pieces touch */
	assert_int_equal(memory.piece[0].size, GIB);
	assert_int_equal(memory.piece[1].size, 2976 * MIB);
	/* what the firmware keeps is not there: the first bank is cut as the sample says */
	memory.piece[0].size = 0x786f0000 - 0x40000000;
	ask_nothing();
	ask(GIB, 64);
	allocate();
	assert_int_equal(got.nr, 1);
	share_is(0, GIB, 0, 64, 2);
	assert_int_equal(got.share[0].nr_extents, 1);
	extent_is(0, 0, 0x400000000, 2);
	says("HugeTLB: allocating 64 of page size 1.00 GiB failed.  Only allocated 2 hugepages.");
	ask_nothing(); /* the end, 32 MiB aligned only */
	ask(32 * MIB, 1000);
	allocate();
	share_is(0, 32 * MIB, 0, 1000, 28 + 93);
	ask_nothing();
	ask(512 * MIB, 1000);
	allocate();
	share_is(0, 512 * MIB, 0, 1000, 1 + 5);
}

static void alignment_loses_both_ends(void **state)
{
	(void)state;
	forget_memory();
	add(GIB - 4 * KIB, 2 * GIB, 0); /* one whole page, and all but 4 KiB of another */
	add(8 * GIB + 4 * KIB, GIB, 0); /* none */
	add(16 * GIB, GIB, 0);
	add(20 * GIB, GIB - 4 * KIB, 0); /* none */
	ask_nothing();
	ask(GIB, 2);
	allocate();
	share_is(0, GIB, 0, 2, 2);
	extent_is(0, 0, GIB, 1);
	extent_is(0, 1, 16 * GIB, 1);
	assert_int_equal(got.log.nr, 0);
	ask_nothing();
	ask(GIB, 3);
	allocate();
	share_is(0, GIB, 0, 3, 2);
	says("HugeTLB: allocating 3 of page size 1.00 GiB failed.  Only allocated 2 hugepages.");
}

static void neighbours_join_but_not_across_nodes(void **state)
{
	(void)state;
	forget_memory();
	add(0, GIB / 2, 0);
	add(GIB / 2, GIB / 2, 0);
	add(GIB, GIB / 2, 0);
	add(GIB + GIB / 2, GIB / 2, 1);
	ask_nothing();
	ask(GIB, 2);
	allocate();
	assert_int_equal(got.nr, 2);
	share_is(0, GIB, 0, 1, 1);
	extent_is(0, 0, 0, 1);
	share_is(1, GIB, 1, 1, 0);
	says("HugeTLB: allocating 2 of page size 1.00 GiB failed.  Only allocated 1 hugepages.");
}

/* Whatever order they were asked in, the small do not break up what a large one needs. */
static void two_sizes_at_once(void **state)
{
	(void)state;
	forget_memory();
	add(MIB, 3 * GIB, 0); /* 511 of 2 MiB below 1 GiB, then two whole GiB, then 1 MiB */
	for (int large_first = 0; large_first < 2; large_first++) {
		ask_nothing();
		if (large_first)
			ask(GIB, 2);
		ask(2 * MIB, 100000);
		if (!large_first)
			ask(GIB, 2);
		allocate();
		assert_int_equal(got.nr, 2);
		share_is(large_first, 2 * MIB, 0, 100000, 511);
		share_is(!large_first, GIB, 0, 2, 2);
		extent_is(!large_first, 0, GIB, 2);
		says("HugeTLB: allocating 100000 of page size 2.00 MiB failed.  Only allocated "
		     "511 hugepages.");
	}
	ask_nothing();
	ask(2 * MIB, 600);
	ask(GIB, 1);
	allocate();
	share_is(0, 2 * MIB, 0, 600, 600);
	share_is(1, GIB, 0, 1, 1);
	extent_is(1, 0, GIB, 1);
	extent_is(0, 0, 2 * MIB, 511); /* below the large page, then behind it */
	extent_is(0, 1, 2 * GIB, 89);
	assert_int_equal(got.log.nr, 0);
}

static void three_sizes_leave_nothing(void **state)
{
	(void)state;
	forget_memory();
	add(64 * KIB, 2 * GIB - 64 * KIB, 0);
	ask_nothing();
	ask(64 * KIB, 1000000);
	ask(GIB, 1000000);
	ask(32 * MIB, 3);
	ask(2 * MIB, 1000000);
	allocate();
	share_is(0, 64 * KIB, 0, 1000000, 31);
	share_is(1, GIB, 0, 1000000, 1);
	share_is(2, 32 * MIB, 0, 3, 3);
	share_is(3, 2 * MIB, 0, 1000000, 511 - 48);
	assert_int_equal(got.log.nr, 3);
}

static void a_plain_count_goes_round(void **state)
{
	(void)state;
	forget_memory();
	add(0, 16 * GIB, 0);
	add(16 * GIB, 2 * GIB, 1);
	add(32 * GIB, 16 * GIB, 3);
	ask_nothing();
	ask(GIB, 5);
	allocate();
	assert_int_equal(got.nr, 3);
	share_is(0, GIB, 0, 2, 2);
	share_is(1, GIB, 1, 2, 2);
	share_is(2, GIB, 3, 1, 1);
	extent_is(2, 0, 32 * GIB, 1);
	ask_nothing(); /* node 1 runs out in its third turn, the others take its turns */
	ask(GIB, 13);
	allocate();
	share_is(0, GIB, 0, 5, 6);
	share_is(1, GIB, 1, 4, 2);
	share_is(2, GIB, 3, 4, 5);
	assert_int_equal(got.log.nr, 0);
	ask_nothing();
	ask(GIB, UINT64_MAX);
	allocate();
	share_is(0, GIB, 0, UINT64_MAX / 3, 16);
	share_is(1, GIB, 1, UINT64_MAX / 3, 2);
	share_is(2, GIB, 3, UINT64_MAX / 3, 16);
	says("HugeTLB: allocating 18446744073709551615 of page size 1.00 GiB failed.  Only "
	     "allocated 34 hugepages.");
	ask_nothing();
	ask(GIB, 2); /* fewer than nodes */
	allocate();
	share_is(0, GIB, 0, 1, 1);
	share_is(1, GIB, 1, 1, 1);
	share_is(2, GIB, 3, 0, 0);
}

static void named_nodes_get_theirs_there(void **state)
{
	struct hugepage_on_node large[] = {{0, 1}, {1, 4}}, small[] = {{1, 512}, {2, 7}};

	(void)state;
	forget_memory();
	add(0, 4 * GIB, 0);
	add(8 * GIB, 3 * GIB, 1);
	ask_nothing();
	ask_on(2 * MIB, small, 2);
	ask_on(GIB, large, 2);
	allocate();
	assert_int_equal(got.nr, 4);
	share_is(0, 2 * MIB, 1, 512, 0); /* the large ones have it all */
	share_is(1, 2 * MIB, 2, 7, 0);   /* that node has no memory */
	share_is(2, GIB, 0, 1, 1);
	share_is(3, GIB, 1, 4, 3);
	assert_int_equal(got.log.nr, 3);
	assert_string_equal(got.log.line[0], "HugeTLB: allocating 512 of page size 2.00 MiB failed "
	                                     "node1.  Only allocated 0 hugepages.");
	assert_string_equal(got.log.line[1], "HugeTLB: allocating 7 of page size 2.00 MiB failed "
	                                     "node2.  Only allocated 0 hugepages.");
	assert_string_equal(got.log.line[2], "HugeTLB: allocating 4 of page size 1.00 GiB failed "
	                                     "node1.  Only allocated 3 hugepages.");
	large[1].count = 2;
	ask_nothing();
	ask_on(GIB, large, 2);
	ask(2 * MIB, 4000); /* node 1 has 512 left, node 0 1,536 */
	allocate();
	share_is(0, GIB, 0, 1, 1);
	share_is(1, GIB, 1, 2, 2);
	share_is(2, 2 * MIB, 0, 2000, 1536);
	share_is(3, 2 * MIB, 1, 2000, 512);
}

static void sizes_in_words(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} sizes[] = {{64 * KIB, "64.0 KiB"}, {2 * MIB, "2.00 MiB"}, {32 * MIB, "32.0 MiB"},
	             {512 * MIB, "512 MiB"}, {GIB, "1.00 GiB"},     {16 * GIB, "16.0 GiB"}};

	(void)state;
	forget_memory();
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char line[96];

		ask_nothing();
		ask(sizes[i].bytes, 1);
		allocate();
		snprintf(line, sizeof(line),
		         "HugeTLB: allocating 1 of page size %s failed.  Only allocated 0 "
		         "hugepages.",
		         sizes[i].text);
		says(line);
	}
}

static void no_memory_no_pages(void **state)
{
	struct hugepage_on_node on[] = {{0, 2}};

	(void)state;
	forget_memory();
	ask_nothing();
	ask(GIB, 64);
	ask_on(2 * MIB, on, 1);
	allocate();
	assert_int_equal(got.nr, 2);
	share_is(0, GIB, 0, 64, 0);
	share_is(1, 2 * MIB, 0, 2, 0);
	assert_int_equal(got.log.nr, 2);
	assert_string_equal(got.log.line[0], "HugeTLB: allocating 64 of page size 1.00 GiB "
	                                     "failed.  Only allocated 0 hugepages.");
	add(0, GIB, 0);
	ask_nothing();
	allocate();
	assert_int_equal(got.nr, 0);
	assert_null(got.share);
}

static void near_the_end_of_addresses(void **state)
{
	(void)state;
	forget_memory();
	add(UINT64_MAX - 4095, 4095, 0); /* aligning its base up would wrap */
	ask_nothing();
	ask(GIB, 1);
	allocate();
	share_is(0, GIB, 0, 1, 0);
}

/* Some kernels have two after "failed.", some one. */
static void one_blank(char *text)
{
	char *two = strstr(text, "  ");

	if (two)
		memmove(two, two + 1, strlen(two));
}

/* The messages of real machines: as many pages as they got, as many asked. */
static void kernel_line(void *count, char *text)
{
	const char *at = strstr(text, "Only allocated ");
	unsigned long long asked, pages;

	if (!at || sscanf(text, "HugeTLB: allocating %llu of", &asked) != 1 ||
	    sscanf(at, "Only allocated %llu hugepages.", &pages) != 1)
		return;
	++*(unsigned *)count;
	forget_memory();
	add(GIB / 2, GIB / 2 + pages * GIB, 0);
	ask_nothing();
	ask(GIB, asked);
	allocate();
	share_is(0, GIB, 0, asked, pages);
	assert_int_equal(got.log.nr, 1);
	one_blank(text);
	one_blank(got.log.line[0]);
	assert_int_equal(strncmp(text, got.log.line[0], strlen(got.log.line[0])), 0);
}

static void the_words_of_real_machines(void **state)
{
	unsigned count = 0;

	(void)state;
	each_line("samples/30-hugepages-cmdline-cases.txt", "# not enough memory", "# real",
	          kernel_line, &count);
	assert_int_equal(count, 3);
}

/* ---- pieces ------------------------------------------------------------------ */

static void build(struct efi_text *efi, const struct srat *srat)
{
	struct efi_map map;

	assert_true(
		efi_map_parse(efi->map.data, efi->map.size, efi->stride, &map, why, sizeof(why)));
	forget_memory();
	assert_true(memory_pieces_build(&map, srat, &memory, why, sizeof(why)));
	efi_map_free(&map);
	bytes_free(&efi->map);
	efi->entries = 0;
}

static void piece_is(size_t i, uint64_t base, uint64_t end, uint32_t node)
{
	assert_true(i < memory.nr);
	assert_int_equal(memory.piece[i].base, base);
	assert_int_equal(memory.piece[i].base + memory.piece[i].size, end);
	assert_int_equal(memory.piece[i].node, node);
}

static void pieces_of_map_and_nodes(void **state)
{
	struct srat_memory affinity[] = {
		{6 * GIB, 64 * GIB, 1, false}, /* reaches far beyond what is there */
		{0, 640 * KIB, 0, false},
		{MIB, 3 * GIB, 0, false},
		{4 * GIB, 2 * GIB, 0, false},
	};
	struct srat srat = {affinity, 4, 2, 0};
	struct efi_text efi = {.stride = 48};

	(void)state;
	efi_add(&efi, EFI_MAP_CONVENTIONAL, MIB, 2047 * 256, 0xf);
	efi_add(&efi, EFI_MAP_BOOT_DATA, 2 * GIB, 256, 0xf);
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 2 * GIB + MIB, 256, 0xf);
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 4 * GIB, 4 * 262144, 0xf);
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 8 * GIB, 262144, 0xe); /* other attributes: joins */
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 16 * GIB, 262144, 0xf | EFI_MAP_SPECIAL);
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 70 * GIB - MIB, 512, 0xf);
	build(&efi, &srat);
	assert_int_equal(memory.nr, 6);
	piece_is(0, MIB, 2 * GIB, 0);
	piece_is(1, 2 * GIB + MIB, 2 * GIB + 2 * MIB, 0);
	piece_is(2, 4 * GIB, 6 * GIB, 0);
	piece_is(3, 6 * GIB, 9 * GIB, 1);
	piece_is(4, 70 * GIB - MIB, 70 * GIB, 1);
	piece_is(5, 70 * GIB, 70 * GIB + MIB, 0); /* nobody says whose */
	assert_int_equal(memory.nr_nodes, 2);
	assert_int_equal(memory.node[0], 0);
	assert_int_equal(memory.node[1], 1);
}

/* A line of Linux's log, of sample 13, as the SRAT's structure behind it. */
static void affinity_line(void *arg, char *text)
{
	unsigned node, domain;
	unsigned long long base, end;
	uint8_t *at;

	if (sscanf(text, "ACPI: SRAT: Node %u PXM %u [mem 0x%llx-0x%llx]", &node, &domain, &base,
	           &end) != 4)
		return;
	at = bytes_add(arg, 40);
	at[0] = 1;
	at[1] = 40;
	put32(at + 2, domain);
	put64(at + 8, base);
	put64(at + 16, end + 1 - base);
	put32(at + 28, 3); /* enabled, hot-pluggable */
}

/* Sample 13: address space for 10 PiB on four nodes, and 3 GiB that are there. */
static void affinity_is_no_memory(void **state)
{
	struct bytes table = acpi_begin("SRAT", 3);
	struct efi_text efi = {.stride = 48};
	struct srat srat;

	(void)state;
	bytes_add(&table, 12);
	each_line("samples/13-srat-hyperv-hotplug-far-beyond-ram.txt", NULL, "# plain",
	          affinity_line, &table);
	acpi_seal(&table);
	assert_true(srat_parse(table.data, table.size, &srat, why, sizeof(why)));
	assert_int_equal(srat.nr, 16);
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 0, GIB / 4096, 0xf);
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 0x13900000000 - GIB, 2 * GIB / 4096, 0xf);
	build(&efi, &srat);
	assert_int_equal(memory.nr, 3);
	piece_is(0, 0, GIB, 0);
	piece_is(1, 0x13900000000 - GIB, 0x13900000000, 0);
	piece_is(2, 0x13900000000, 0x13900000000 + GIB, 1);
	assert_int_equal(memory.nr_nodes, 2); /* two of the four have none */
	ask_nothing();
	ask(GIB, 100);
	allocate();
	assert_int_equal(got.share[0].got + got.share[1].got, 3);
	srat_free(&srat);
	bytes_free(&table);
}

static void without_a_srat_all_is_node_0(void **state)
{
	static const struct srat none;
	struct efi_text efi = {.stride = 48};

	(void)state;
	each_line("samples/20-efimap-arm64-thunderx-2socket.txt", NULL, NULL, efi_line, &efi);
	build(&efi, &none);
	assert_true(memory.nr > 1);
	assert_int_equal(memory.nr_nodes, 1);
	assert_int_equal(memory.node[0], 0);
	for (size_t i = 1; i < memory.nr; i++)
		assert_true(memory.piece[i - 1].base + memory.piece[i - 1].size <
		            memory.piece[i].base);
	efi.stride = 48; /* no memory at all */
	efi_add(&efi, EFI_MAP_RESERVED, 0, 256, 0xf);
	build(&efi, &none);
	assert_int_equal(memory.nr, 0);
	assert_int_equal(memory.nr_nodes, 0);
}

static void affinity_to_the_last_address(void **state)
{
	struct srat_memory affinity[] = {{2 * GIB, UINT64_MAX, 7, false}, {0, GIB, 3, false}};
	struct srat srat = {affinity, 2, 2, 0};
	struct efi_text efi = {.stride = 48};

	(void)state;
	efi_add(&efi, EFI_MAP_CONVENTIONAL, 0, 3 * 262144, 0xf);
	build(&efi, &srat);
	assert_int_equal(memory.nr, 3);
	piece_is(0, 0, GIB, 3);
	piece_is(1, GIB, 2 * GIB, 0);
	piece_is(2, 2 * GIB, 3 * GIB, 7);
	assert_int_equal(memory.nr_nodes, 3);
	assert_int_equal(memory.node[1], 3);
}

static int clean_up(void **state)
{
	(void)state;
	forget_memory();
	hugepage_shares_free(&got);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(graviton_has_room_for_two),
		cmocka_unit_test(alignment_loses_both_ends),
		cmocka_unit_test(neighbours_join_but_not_across_nodes),
		cmocka_unit_test(two_sizes_at_once),
		cmocka_unit_test(three_sizes_leave_nothing),
		cmocka_unit_test(a_plain_count_goes_round),
		cmocka_unit_test(named_nodes_get_theirs_there),
		cmocka_unit_test(sizes_in_words),
		cmocka_unit_test(no_memory_no_pages),
		cmocka_unit_test(near_the_end_of_addresses),
		cmocka_unit_test(the_words_of_real_machines),
		cmocka_unit_test(pieces_of_map_and_nodes),
		cmocka_unit_test(affinity_is_no_memory),
		cmocka_unit_test(without_a_srat_all_is_node_0),
		cmocka_unit_test(affinity_to_the_last_address),
	};

	return cmocka_run_group_tests(tests, NULL, clean_up);
}
