/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The including test has chosen an architecture's entries. Every way of mapping a window is
 * held against a model of its own (what each page must become, one at a time, from the
 * kernel's rules), and the batched ways against page by page.
 */
#include "mm/memmap.c"
#include "mm/pageblock.c"
#include "mm/pte_range.c"

/* clang-format off: cmocka wants these first, in this order */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR_WINDOWS 100000
#define MAX_PAGES  PTRS_PER_PTE
#define FIRST_PFN  0x187e00ull /* aligned to 2 MiB */
#define TABLE_VA   0x7f1234600000ull
#define MARKER     0x1000000000000400ull /* not present, not empty */

/* One process, one file, one folio, one page table. */
struct world {
	struct page page[MAX_PAGES] __attribute__((aligned(64)));
	uint64_t table[PTRS_PER_PTE];
	struct node node;
	struct mm mm;
	struct file file;
	struct vm_area vma;
	struct folio folio;
	struct vm_fault vmf;
	uint64_t first, last; /* the window, in pages of the file */
};

/* What a window must have done, apart from the entries' young and contiguous bits. */
struct outcome {
	bool mapped[PTRS_PER_PTE]; /* by entry */
	unsigned pages, newly;
	bool faulting;
};

/* Of hundreds of words a window: cmocka's own comparison is for those that differ. */
#define expect_equal(a, b)                                                                         \
	do {                                                                                       \
		const uint64_t is_ = (a), expected_ = (b);                                         \
		if (is_ != expected_)                                                              \
			assert_int_equal(is_, expected_);                                          \
	} while (0)

/* ---- random numbers, the same in every run --------------------------------------- */

static uint64_t random_state;

static uint64_t random_below(uint64_t n)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return (random_state >> 33) % n;
}

static bool one_in(unsigned n)
{
	return random_below(n) == 0;
}

/* ---- worlds ------------------------------------------------------------------------ */

/* A compound of 2^order pages by the ordinary path, with one reference, as a page cache has. */
static void build(struct page *page, unsigned order)
{
	static const struct memmap_variant variant = {.size = 64, .page_shift = 12};
	static struct dev_pagemap pgmap;
	const struct memmap_job job = {
		.variant = &variant,
		.memmap = page,
		.first_pfn = FIRST_PFN,
		.start_pfn = FIRST_PFN,
		.nr_pages = 1ull << order,
		.zone = ZONE_DEVICE,
		.pgmap = &pgmap,
	};

	pgmap = (struct dev_pagemap){.type = MEMORY_DEVICE_GENERIC, .vmemmap_shift = order};
	memmap_set_page_shift(12);
	assert_int_equal(memmap_base(&variant)(&job, NULL), 1ull << order);
}

static void make_world(struct world *w, unsigned order, uint64_t index)
{
	memset(w, 0, sizeof(*w));
	build(w->page, order);
	w->folio = (struct folio){.page = w->page, .pfn = FIRST_PFN, .index = index};
	w->file = (struct file){.size = 1ull << 40, .mmap_miss = 3};
	w->vma = (struct vm_area){
		.start = TABLE_VA,
		.end = TABLE_VA + PTRS_PER_PTE * PTE_PAGE,
		.pgoff = index,
		.page_prot = PAGE_READONLY,
	};
	w->vmf.address = TABLE_VA;
	w->last = index + (1ull << order) - 1;
	w->first = index;
}

/* Copies point into themselves. */
static void connect(struct world *w)
{
	w->folio.page = w->page;
	w->mm.node = &w->node;
	w->vma.mm = &w->mm;
	w->vma.file = &w->file;
	w->vmf.vma = &w->vma;
	w->vmf.pte = w->table + (w->vma.start - TABLE_VA) / PTE_PAGE + (w->first - w->vma.pgoff);
}

static void copy_world(struct world *to, const struct world *from)
{
	memcpy(to, from, sizeof(*to));
	connect(to);
}

/* ---- the model --------------------------------------------------------------------- */

static uint64_t entry_index(const struct world *w, uint64_t pgoff)
{
	return (w->vma.start - TABLE_VA) / PTE_PAGE + pgoff - w->vma.pgoff;
}

static uint64_t address_of(uint64_t entry)
{
	return TABLE_VA + entry * PTE_PAGE;
}

static bool is_hole(const struct world *w, uint64_t pgoff)
{
	uint64_t page = pgoff - w->folio.index;

	return page >= 1ull << order_of(&w->folio) || pgoff < w->folio.index ||
	       pgoff < w->vma.pgoff || address_of(entry_index(w, pgoff)) >= w->vma.end ||
	       pgoff * PTE_PAGE >= w->file.size || w->page[page].flags & 1ull << PG_hwpoison ||
	       w->table[entry_index(w, pgoff)] & ~STRAY_BITS;
}

static void expect(const struct world *w, struct outcome *out)
{
	memset(out, 0, sizeof(*out));
	if (w->vmf.write && !w->vma.shared)
		return;
	for (uint64_t pgoff = w->first; pgoff <= w->last; pgoff++) {
		if (is_hole(w, pgoff))
			continue;
		out->mapped[entry_index(w, pgoff)] = true;
		out->pages++;
		out->newly += w->page[pgoff - w->folio.index].mapcount == -1;
		out->faulting |= address_of(entry_index(w, pgoff)) == w->vmf.address;
	}
}

static uint64_t expected_entry(const struct world *w, uint64_t entry)
{
	uint64_t pgoff = w->vma.pgoff + entry - (w->vma.start - TABLE_VA) / PTE_PAGE;
	uint64_t pte = (FIRST_PFN + pgoff - w->folio.index) << 12 | EXPECTED_READONLY;

	if (w->vmf.write && w->vma.writable)
		return (pte | EXPECTED_DIRTY | EXPECTED_WRITABLE) & ~EXPECTED_CLEARED;
	return w->vmf.write ? pte | EXPECTED_DIRTY : pte;
}

/* The run of mapped entries around the faulting one is young, in a batched way all of it. */
static bool young_expected(const struct world *w, const struct outcome *out, uint64_t entry,
                           bool batched)
{
	uint64_t fault = (w->vmf.address - TABLE_VA) / PTE_PAGE;

	if (!w->vma.old_prefaulted || entry == fault)
		return true;
	if (!batched || fault >= PTRS_PER_PTE)
		return false;
	for (uint64_t i = entry < fault ? entry : fault; i <= (entry < fault ? fault : entry); i++)
		if (!out->mapped[i])
			return false;
	return true;
}

#ifdef CONT_PTES
/* An aligned block of a run, its memory aligned as well. */
static bool contiguous_expected(const struct world *w, const struct outcome *out, uint64_t entry)
{
	uint64_t block = entry / CONT_PTES * CONT_PTES;

	for (unsigned i = 0; i < CONT_PTES; i++)
		if (!out->mapped[block + i])
			return false;
	return (expected_entry(w, block) & PTE_ADDRESS) % (CONT_PTES * PTE_PAGE) == 0;
}
#endif

static void assert_entries(const struct world *before, const struct world *after,
                           const struct outcome *out, bool batched, bool contiguous)
{
	for (uint64_t i = 0; i < PTRS_PER_PTE; i++) {
		uint64_t pte = after->table[i];

		if (!out->mapped[i]) {
			expect_equal(pte, before->table[i]);
			continue;
		}
		expect_equal(pte_young(pte), young_expected(before, out, i, batched));
#ifdef CONT_PTES
		expect_equal(!!(pte & EXPECTED_CONTIGUOUS),
		             contiguous && contiguous_expected(before, out, i));
		pte &= ~EXPECTED_CONTIGUOUS;
#else
		assert_false(contiguous);
#endif
		expect_equal(pte | EXPECTED_YOUNG, expected_entry(before, i));
	}
}

static void assert_counts(const struct world *before, const struct world *after,
                          const struct outcome *out)
{
	const unsigned order = order_of(&before->folio);

	assert_int_equal(mm_counter_sum(&after->mm, MM_FILEPAGES),
	                 mm_counter_sum(&before->mm, MM_FILEPAGES) + out->pages);
	assert_int_equal(mm_counter_sum(&after->mm, MM_ANONPAGES), 0);
	assert_int_equal(node_stat_sum(&after->node, NR_FILE_MAPPED),
	                 node_stat_sum(&before->node, NR_FILE_MAPPED) + out->newly);
	assert_int_equal(after->node.stat[NR_FILE_MAPPED].node,
	                 after->node.stat[NR_FILE_MAPPED].global);
	assert_int_equal(after->page->refcount, before->page->refcount + (int)out->pages);
	assert_int_equal(after->file.mmap_miss,
	                 before->file.mmap_miss - (out->faulting && before->file.mmap_miss));
	if (order) {
		assert_int_equal(folio_large_mapcount(&after->folio),
		                 folio_large_mapcount(&before->folio) + (int)out->pages);
		assert_int_equal(folio_nr_pages_mapped(&after->folio),
		                 folio_nr_pages_mapped(&before->folio) + (int)out->newly);
	}
}

/* No word of any descriptor changed but those that mapping changes. */
static void assert_descriptors(const struct world *before, const struct world *after,
                               const struct outcome *out)
{
	const uint64_t nr = 1ull << order_of(&before->folio);

	for (uint64_t i = 0; i < nr; i++) {
		struct page page = before->page[i];
		uint64_t entry = entry_index(before, before->folio.index + i);

		if (entry < PTRS_PER_PTE)
			page.mapcount += out->mapped[entry];
		if (i == 0)
			page.refcount += (int)out->pages;
		if (i == 1) { /* assert_counts() looks at these */
			page.lru_prev = after->page[1].lru_prev;
			page.mapping = after->page[1].mapping;
		}
		if (memcmp(&page, &after->page[i], sizeof(page)))
			assert_memory_equal(&page, &after->page[i], sizeof(page));
	}
}

static void assert_walk(const struct world *before, pte_walk walk, bool batched, bool contiguous,
                        struct world *after)
{
	struct outcome out;
	uint64_t *pte;

	expect(before, &out);
	copy_world(after, before);
	pte = after->vmf.pte;
	assert_int_equal(walk(&after->vmf, &after->folio, after->first, after->last),
	                 out.faulting ? VM_FAULT_NOPAGE : 0);
	assert_ptr_equal(after->vmf.pte, pte);
	assert_entries(before, after, &out, batched, contiguous);
	assert_counts(before, after, &out);
	assert_descriptors(before, after, &out);
}

/* Page by page and batched left the same world, but for young bits and the counters' halves. */
static void assert_same(const struct world *page, const struct world *run)
{
	for (uint64_t i = 0; i < PTRS_PER_PTE; i++) {
		uint64_t differ = page->table[i] ^ run->table[i];

#ifdef CONT_PTES
		differ &= ~EXPECTED_CONTIGUOUS;
#endif
		expect_equal(differ & ~EXPECTED_YOUNG, 0);
	}
	assert_memory_equal(page->page, run->page, sizeof(page->page));
	assert_int_equal(page->file.mmap_miss, run->file.mmap_miss);
	assert_int_equal(mm_counter_sum(&page->mm, MM_FILEPAGES),
	                 mm_counter_sum(&run->mm, MM_FILEPAGES));
	assert_int_equal(node_stat_sum(&page->node, NR_FILE_MAPPED),
	                 node_stat_sum(&run->node, NR_FILE_MAPPED));
}

/* Every way of every kind of atomics that this CPU has. */
static void assert_every_way(const struct world *before)
{
	static struct world page, after;

	for (unsigned k = 0; k < nr_pte_walks; k++) {
		const struct pte_walks *walks = &pte_walks[k];

		if (!walks->usable())
			continue;
		assert_walk(before, walks->walk[PTE_BY_PAGE][PTE_WHOLE], false, false, &page);
		assert_walk(before, walks->walk[PTE_BY_RUN][PTE_WHOLE], true, false, &after);
		assert_same(&page, &after);
		assert_walk(before, walks->walk[PTE_BY_CALL][PTE_WHOLE], true, false, &after);
		assert_same(&page, &after);
		if (!walks->contiguous)
			continue;
		assert_walk(before, walks->contiguous, true, true, &after);
		assert_same(&page, &after);
	}
}

/* ---- 100,000 random windows ---------------------------------------------------------- */

static void random_vma(struct world *w, unsigned order)
{
	const uint64_t nr = 1ull << order;

	if (one_in(4)) { /* begins and ends inside the table */
		w->vma.start += random_below(PTRS_PER_PTE / 2) * PTE_PAGE;
		w->vma.end -= random_below(PTRS_PER_PTE / 4) * PTE_PAGE;
	}
	/* The folio's pages may stand before the VMA, behind it, and out of step with the table. */
	if (one_in(2))
		w->vma.pgoff = w->folio.index + random_below(nr + 4) - (w->folio.index ? 4 : 0);
	if (one_in(4))
		w->file.size =
			(w->folio.index + random_below(nr + 1)) * PTE_PAGE + random_below(PTE_PAGE);
}

static void random_holes(struct world *w, unsigned order)
{
	const unsigned poison = 2 + (unsigned)random_below(30), present = 2 + random_below(30);
	const bool poisoned = one_in(2), filled = one_in(2), shared = one_in(2);

	for (uint64_t i = 0; i < 1ull << order; i++) {
		if (poisoned && one_in(poison))
			w->page[i].flags |= 1ull << PG_hwpoison;
		if (!shared || !one_in(3))
			continue;
		w->page[i].mapcount = (int)random_below(3); /* others map it */
		if (order) {
			*large_mapcount_of(&w->folio) += w->page[i].mapcount + 1;
			*nr_pages_mapped_of(&w->folio) += 1;
		}
	}
	for (unsigned i = 0; i < PTRS_PER_PTE; i++)
		if (filled && one_in(present))
			w->table[i] = one_in(3)   ? MARKER + i
			              : one_in(2) ? STRAY_BITS
			                          : EXPECTED_READONLY | (uint64_t)(i + 1) << 12;
}

static void random_world(struct world *w)
{
	static const unsigned orders[] = {0, 1, 2, 4, 4, 4, 5, 6, 9};
	static struct world fresh[10];
	const unsigned order = orders[random_below(sizeof(orders) / sizeof(orders[0]))];
	uint64_t pages;

	if (!fresh[order].folio.page)
		make_world(&fresh[order], order, 0);
	memcpy(w, &fresh[order], sizeof(*w));
	connect(w);
	w->folio.index = one_in(2) ? 1ull << 20 : 0;
	w->vma.pgoff = w->folio.index;
	random_vma(w, order);
	random_holes(w, order);
	w->file.mmap_miss = (unsigned)random_below(3);
	w->vma.writable = one_in(2);
	w->vma.shared = one_in(2);
	w->vma.old_prefaulted = one_in(2);
	w->vmf.write = one_in(3);
	w->mm.rss_stat[MM_FILEPAGES].local = (int)random_below(63) - 31;
	w->node.stat[NR_FILE_MAPPED].diff = (int8_t)(random_below(251) - 125);
	pages = (w->vma.end - w->vma.start) / PTE_PAGE;
	w->vmf.address =
		w->vma.start + random_below(one_in(2) && pages > 40 ? 40 : pages) * PTE_PAGE;
	w->vmf.vma = &w->vma;
	fault_around_window(&w->vmf, 1u << random_below(order ? 10 : 3), &w->first, &w->last);
	connect(w);
}

static void random_windows(void **state)
{
	static struct world w;
	unsigned mapped = 0, several = 0, nopage = 0, holed = 0;
	struct outcome out;

	(void)state;
	random_state = 20230815;
	for (unsigned i = 0; i < NR_WINDOWS; i++) {
		random_world(&w);
		expect(&w, &out);
		mapped += out.pages > 0;
		several += out.pages > 1;
		nopage += out.faulting;
		holed += out.pages && out.pages < w.last - w.first + 1;
		assert_every_way(&w);
	}
	/* They are windows worth the name: many map, many have holes. */
	assert_true(mapped > NR_WINDOWS / 4 && several > NR_WINDOWS / 5);
	assert_true(nopage > NR_WINDOWS / 8 && holed > NR_WINDOWS / 10);
}

/* ---- the faults that were published, each with the right values ----------------------- */

/* 16 pages from the folio's page 0, the fault at page `fault`. */
static void make_window(struct world *w, unsigned fault)
{
	make_world(w, 9, 0);
	w->last = 15;
	w->vmf.address = TABLE_VA + fault * PTE_PAGE;
	connect(w);
}

static unsigned by(enum pte_way way, struct world *w)
{
	return pte_walks_here()->walk[way][PTE_WHOLE](&w->vmf, &w->folio, w->first, w->last);
}

#define FOR_EVERY_WAY(way) for (enum pte_way way = 0; way < PTE_WAY_NR; way++)

/* The first version reported NOPAGE for a run's first page alone. */
static void nopage_inside_a_run(void **state)
{
	static struct world w;

	(void)state;
	FOR_EVERY_WAY(way)
	{
		for (unsigned fault = 0; fault < 20; fault++) {
			make_window(&w, fault);
			w.page[4].flags |= 1ull << PG_hwpoison;
			assert_int_equal(by(way, &w),
			                 fault < 16 && fault != 4 ? VM_FAULT_NOPAGE : 0);
			assert_int_equal(w.file.mmap_miss, fault < 16 && fault != 4 ? 2 : 3);
		}
	}
}

static void poison_in_the_middle(void **state)
{
	static struct world w;

	(void)state;
	FOR_EVERY_WAY(way)
	{
		make_window(&w, 0);
		w.page[7].flags |= 1ull << PG_hwpoison;
		w.page[8].flags |= 1ull << PG_hwpoison;
		assert_int_equal(by(way, &w), VM_FAULT_NOPAGE);
		for (unsigned i = 0; i < 16; i++)
			assert_int_equal(w.table[i], i == 7 || i == 8 ? 0
			                                              : (FIRST_PFN + i) << 12 |
			                                                        EXPECTED_READONLY);
		assert_int_equal(w.page[7].mapcount, -1);
		assert_int_equal(w.page->refcount, 1 + 14);
		assert_int_equal(mm_counter_sum(&w.mm, MM_FILEPAGES), 14);
		assert_int_equal(folio_large_mapcount(&w.folio), 14 - 1);
	}
}

static void first_is_asked_of_every_page(void **state)
{
	static struct world w;

	(void)state;
	FOR_EVERY_WAY(way)
	{
		make_window(&w, 0);
		/* Somebody maps pages 0, 3 and 15: thirteen are newly mapped. */
		w.page[0].mapcount = w.page[3].mapcount = 0;
		w.page[15].mapcount = 7;
		*nr_pages_mapped_of(&w.folio) = 3;
		*large_mapcount_of(&w.folio) = 1 + 1 + 8 - 1;
		by(way, &w);
		assert_int_equal(node_stat_sum(&w.node, NR_FILE_MAPPED), 13);
		assert_int_equal(folio_nr_pages_mapped(&w.folio), 16);
		assert_int_equal(folio_large_mapcount(&w.folio), 10 + 16 - 1);
		assert_int_equal(w.page[0].mapcount, 1);
		assert_int_equal(w.page[1].mapcount, 0);
		assert_int_equal(w.page[15].mapcount, 8);
		assert_int_equal(mm_counter_sum(&w.mm, MM_FILEPAGES), 16);
	}
}

/* "Old" is for what was not asked for; an inverted test shipped for a year. */
static void prefaulted_is_old_and_faulting_is_young(void **state)
{
	static struct world w;

	(void)state;
	FOR_EVERY_WAY(way)
	{
		make_window(&w, 5);
		w.vma.old_prefaulted = true;
		w.page[8].flags |= 1ull << PG_hwpoison;
		by(way, &w);
		for (unsigned i = 0; i < 16; i++)
			if (i != 8)
				assert_int_equal(pte_young(w.table[i]),
				                 way == PTE_BY_PAGE ? i == 5 : i < 8);
		make_window(&w, 5);
		by(way, &w);
		for (unsigned i = 0; i < 16; i++)
			assert_true(pte_young(w.table[i]));
	}
}

static void nothing_behind_the_end_of_file(void **state)
{
	static struct world w;
	static const struct {
		uint64_t size;
		unsigned pages;
	} files[] = {{0, 0},        {1, 1},          {4096, 1},           {4097, 2},
	             {5 * 4096, 5}, {15 * 4096, 15}, {15 * 4096 + 1, 16}, {1 << 20, 16}};

	(void)state;
	FOR_EVERY_WAY(way)
	{
		for (size_t f = 0; f < sizeof(files) / sizeof(files[0]); f++) {
			make_window(&w, 6);
			w.file.size = files[f].size;
			assert_int_equal(by(way, &w), files[f].pages > 6 ? VM_FAULT_NOPAGE : 0);
			for (unsigned i = 0; i < 16; i++)
				assert_int_equal(w.table[i] != 0, i < files[f].pages);
			assert_int_equal(w.page->refcount, 1 + files[f].pages);
			assert_int_equal(mm_counter_sum(&w.mm, MM_FILEPAGES), files[f].pages);
		}
	}
}

/* ---- further rules --------------------------------------------------------------------- */

static void entries_that_are_there_stay(void **state)
{
	static struct world w;
	const uint64_t present = EXPECTED_READONLY | 0x1234000;

	(void)state;
	FOR_EVERY_WAY(way)
	{
		make_window(&w, 9);
		w.table[0] = present;
		w.table[9] = MARKER;
		w.table[10] = STRAY_BITS;
		assert_int_equal(by(way, &w), 0); /* the marker's fault goes elsewhere */
		assert_int_equal(w.table[0], present);
		assert_int_equal(w.table[9], MARKER);
		assert_int_equal(w.table[10], (FIRST_PFN + 10) << 12 | EXPECTED_READONLY);
		assert_int_equal(w.page->refcount, 1 + 14);
		assert_int_equal(w.file.mmap_miss, 3);
	}
}

static void mmap_miss_never_wraps(void **state)
{
	static struct world w;

	(void)state;
	FOR_EVERY_WAY(way)
	{
		make_window(&w, 3);
		w.file.mmap_miss = 0;
		assert_int_equal(by(way, &w), VM_FAULT_NOPAGE);
		assert_int_equal(w.file.mmap_miss, 0);
	}
}

static void shared_writes_are_dirty(void **state)
{
	static struct world w;
	const uint64_t dirty = EXPECTED_READONLY | EXPECTED_DIRTY;

	(void)state;
	FOR_EVERY_WAY(way)
	{
		make_window(&w, 3);
		w.vma.shared = w.vmf.write = true;
		by(way, &w);
		assert_int_equal(w.table[3], (FIRST_PFN + 3) << 12 | dirty);
		make_window(&w, 3);
		w.vma.shared = w.vmf.write = w.vma.writable = true;
		by(way, &w);
		assert_int_equal(w.table[3], (FIRST_PFN + 3) << 12 | ((dirty | EXPECTED_WRITABLE) &
		                                                      ~EXPECTED_CLEARED));
		assert_true(pte_dirty(w.table[3]) && pte_write(w.table[3]));
	}
}

/* No fault-around; the copy is mapped alone, as an anonymous page. */
static void private_write_is_one_anonymous_page(void **state)
{
	static struct world w, before;

	(void)state;
	make_window(&before, 3);
	before.vmf.write = before.vma.writable = true;
	FOR_EVERY_WAY(way)
	{
		copy_world(&w, &before);
		assert_int_equal(by(way, &w), 0);
		assert_memory_equal(w.table, before.table, sizeof(w.table));
		assert_memory_equal(w.page, before.page, sizeof(w.page));
		assert_int_equal(w.file.mmap_miss, 3);
	}
	make_world(&w, 0, 3);
	w.vma.pgoff = 0;
	w.vma.anon_vma = 0xffff888012345600ull;
	w.vmf.write = w.vma.writable = true;
	w.vmf.address = TABLE_VA + 3 * PTE_PAGE;
	w.first = w.last = 3;
	connect(&w);
	pte_walks_here()->map_one_page(&w.vmf, &w.folio);
	assert_int_equal(w.table[3] & PTE_ADDRESS, FIRST_PFN << 12);
	assert_true(pte_dirty(w.table[3]) && pte_write(w.table[3]) && pte_young(w.table[3]));
	assert_int_equal(mm_counter_sum(&w.mm, MM_ANONPAGES), 1);
	assert_int_equal(mm_counter_sum(&w.mm, MM_FILEPAGES), 0);
	assert_int_equal(node_stat_sum(&w.node, NR_ANON_MAPPED), 1);
	assert_int_equal(node_stat_sum(&w.node, NR_FILE_MAPPED), 0);
	assert_int_equal(w.page->mapcount, 0);
	assert_int_equal(w.page->refcount, 2);
	assert_int_equal(w.page->mapping, 0xffff888012345601ull);
	assert_int_equal(w.page->index, 3);
	assert_true(w.page->flags & 1ull << 17); /* swap-backed */
}

static void windows_are_clipped(void **state)
{
	static const struct {
		uint64_t start, end, fault; /* entries of the table */
		unsigned pages;
		uint64_t first, last; /* likewise */
	} faults[] = {
		{0, 512, 20, 16, 16, 31},      {0, 512, 16, 16, 16, 31},
		{0, 512, 31, 16, 16, 31},      {19, 512, 20, 16, 19, 34},
		{0, 25, 20, 16, 16, 24},       {19, 25, 20, 16, 19, 24},
		{500, 512, 511, 16, 500, 511}, {505, 512, 511, 64, 505, 511},
		{0, 512, 511, 512, 0, 511},    {0, 512, 7, 1, 7, 7},
	};
	static struct world w;

	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		make_world(&w, 9, 0);
		connect(&w);
		w.vma.start = address_of(faults[i].start);
		w.vma.end = address_of(faults[i].end);
		w.vma.pgoff = 1000 + faults[i].start;
		w.vmf.address = address_of(faults[i].fault);
		fault_around_window(&w.vmf, faults[i].pages, &w.first, &w.last);
		assert_int_equal(w.first, 1000 + faults[i].first);
		assert_int_equal(w.last, 1000 + faults[i].last);
	}
	/* A VMA that begins in an earlier table and ends in a later one. */
	w.vma.start = TABLE_VA - 100 * PTE_PAGE;
	w.vma.end = TABLE_VA + 1000 * PTE_PAGE;
	w.vma.pgoff = 0;
	w.vmf.address = address_of(3);
	fault_around_window(&w.vmf, 16, &w.first, &w.last);
	assert_int_equal(w.first, 100);
	assert_int_equal(w.last, 115);
}

/* The kernel's words of a plain read fault, and of the last one before the counter folds. */
static void counters_fold_as_a_kernel_folds_them(void **state)
{
	static struct world w;

	(void)state;
	make_window(&w, 0);
	by(PTE_BY_RUN, &w);
	assert_int_equal(w.mm.rss_stat[MM_FILEPAGES].local, 16);
	assert_int_equal(w.mm.rss_stat[MM_FILEPAGES].count, 0);
	w.first = 16;
	w.last = 31;
	connect(&w);
	by(PTE_BY_RUN, &w); /* 16 + 16 reaches the batch of 32 */
	assert_int_equal(w.mm.rss_stat[MM_FILEPAGES].local, 0);
	assert_int_equal(w.mm.rss_stat[MM_FILEPAGES].count, 32);
	assert_int_equal(w.mm.rss_stat[MM_FILEPAGES].lock, 0);
	assert_int_equal(w.node.stat[NR_FILE_MAPPED].diff, 32);
	w.first = 32;
	w.last = 127;
	connect(&w);
	by(PTE_BY_PAGE, &w); /* 125 fit, the 126th folds */
	assert_int_equal(w.node.stat[NR_FILE_MAPPED].node, 126);
	assert_int_equal(w.node.stat[NR_FILE_MAPPED].diff, 2);
}

/* Each step of work adds its own, so that their differences are what they are called. */
static void steps_of_work_add_up(void **state)
{
	static struct world w;

	(void)state;
	FOR_EVERY_WAY(way)
	{
		for (enum pte_work work = 0; work < PTE_WORK_NR; work++) {
			make_window(&w, 2);
			pte_walks_here()->walk[way][work](&w.vmf, &w.folio, 0, 15);
			assert_int_equal(w.table[2] != 0, work >= PTE_STORE);
			assert_int_equal(w.page[2].mapcount, work >= PTE_RMAP ? 0 : -1);
			assert_int_equal(mm_counter_sum(&w.mm, MM_FILEPAGES),
			                 work >= PTE_COUNTERS ? 16 : 0);
			assert_int_equal(w.page->refcount, work >= PTE_WHOLE ? 17 : 1);
			assert_int_equal(w.file.mmap_miss, 2);
		}
	}
}

static void forgetting_makes_it_as_initialised(void **state)
{
	static struct world w, before;

	(void)state;
	make_window(&before, 2);
	FOR_EVERY_WAY(way)
	{
		copy_world(&w, &before);
		by(way, &w);
		folio_forget_mappings(&w.folio, 0, 16);
		assert_memory_equal(w.page, before.page, sizeof(w.page));
	}
}

#ifdef CONT_PTES
static void contiguous_blocks(void **state)
{
	static struct world w;
	const pte_walk walk = pte_walks[0].contiguous;

	(void)state;
	make_world(&w, 9, 0);
	w.first = 3; /* [3, 16) no block, [16, 48) two, [48, 57) none */
	w.last = 56;
	connect(&w);
	walk(&w.vmf, &w.folio, w.first, w.last);
	for (unsigned i = 0; i < 60; i++)
		assert_int_equal(!!(w.table[i] & EXPECTED_CONTIGUOUS), i >= 16 && i < 48);
	/* Memory out of step with addresses: never. */
	make_world(&w, 9, 0);
	w.vma.pgoff = 1;
	w.first = 1;
	w.last = 100;
	connect(&w);
	walk(&w.vmf, &w.folio, w.first, w.last);
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(w.table[i] & EXPECTED_CONTIGUOUS, 0);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nopage_inside_a_run),
		cmocka_unit_test(poison_in_the_middle),
		cmocka_unit_test(first_is_asked_of_every_page),
		cmocka_unit_test(prefaulted_is_old_and_faulting_is_young),
		cmocka_unit_test(nothing_behind_the_end_of_file),
		cmocka_unit_test(entries_that_are_there_stay),
		cmocka_unit_test(mmap_miss_never_wraps),
		cmocka_unit_test(shared_writes_are_dirty),
		cmocka_unit_test(private_write_is_one_anonymous_page),
		cmocka_unit_test(windows_are_clipped),
		cmocka_unit_test(counters_fold_as_a_kernel_folds_them),
		cmocka_unit_test(steps_of_work_add_up),
		cmocka_unit_test(forgetting_makes_it_as_initialised),
#ifdef CONT_PTES
		cmocka_unit_test(contiguous_blocks),
#endif
		cmocka_unit_test(random_windows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
