/* SPDX-License-Identifier: BSD-2-Clause */
#include "mm/hugetlb_boot.h"
#include "mm/memmap_walk.h"
#include "mm/stamper.h"
#include "mm/template.h"
#include <string.h>

/* Linux: PGTY_hugetlb, in the top byte of page_type, which lies over _mapcount. */
#define PAGE_TYPE_HUGETLB ((int32_t)0xf4000000)
/* Linux: enum hugetlb_page_flags, bits of the head's private. */
#define HPG_FREED             (1u << 3)
#define HPG_VMEMMAP_OPTIMIZED (1u << 4)

uint64_t hugetlb_reserved_pages(const struct memmap_variant *variant, unsigned order)
{
	const uint64_t in_a_page = (1ull << variant->page_shift) / variant->size;

	return in_a_page < 1ull << order ? in_a_page : 1ull << order;
}

/* ---- the ordinary path --------------------------------------------------------- */

/* Linux: hugetlb_folio_init_tail_vmemmap(), tails [from, to) of the compound. */
static ALWAYS_INLINE void hugetlb_folio_init_tail_vmemmap(
	const struct memmap_job *job, struct page *head, uint64_t head_pfn, uint64_t from,
	uint64_t to, void (*init_single)(struct page *, uint64_t, enum zone_type, unsigned),
	const struct memmap_variant v)
{
	const enum zone_type zone = job->zone;
	const unsigned nid = job->nid, order = job->order;

	for (uint64_t i = from; i < to; i++) {
		struct page *tail = page_at(head, i, v);

		init_single(tail, head_pfn + i, zone, nid);
		prep_compound_tail(head, i, order, v);
		set_page_count(tail, 0, v);
	}
}

#define DEFINE_HUGETLB_TAILS(unused, name, ...)                                                    \
	void init_single_page_##name(struct page *page, uint64_t pfn, enum zone_type zone,         \
	                             unsigned nid);                                                \
	static void init_tails_##name(const struct memmap_job *job, struct page *head,             \
	                              uint64_t head_pfn, uint64_t from, uint64_t to)               \
	{                                                                                          \
		hugetlb_folio_init_tail_vmemmap(job, head, head_pfn, from, to,                     \
		                                init_single_page_##name,                           \
		                                (struct memmap_variant){__VA_ARGS__});             \
	}

MEMMAP_VARIANTS(DEFINE_HUGETLB_TAILS, )
DEFINE_HUGETLB_TAILS(, v64_traced, 64, false, false, 0, true)

typedef void (*init_tails_fn)(const struct memmap_job *job, struct page *head, uint64_t head_pfn,
                              uint64_t from, uint64_t to);

#define TAILS_ROW(unused, name, ...) {{__VA_ARGS__}, init_tails_##name},

static const struct {
	struct memmap_variant variant;
	init_tails_fn init_tails;
} instances[] = {MEMMAP_VARIANTS(TAILS_ROW, ) TAILS_ROW(, v64_traced, 64, false, false, 0, true)};

static init_tails_fn tails_of(const struct memmap_variant *variant)
{
	for (size_t i = 0; i < sizeof(instances) / sizeof(instances[0]); i++)
		if (memmap_variant_serves(&instances[i].variant, variant))
			return instances[i].init_tails;
	return NULL;
}

/* What memmap initialisation leaves of the head, then Linux: hugetlb_folio_init_vmemmap(). */
static void init_head(const struct memmap_job *job, struct page *head, uint64_t pfn)
{
	memmap_slow_path(job->variant)->single(head, pfn, job->zone, job->nid);
	head->flags |= 1ull << PG_reserved;

	head->flags &= ~(1ull << PG_reserved);
	head->flags |= 1ull << PG_head;
	WRITE_ONCE(head->refcount, 0);
	if (job->variant->trace_page_ref)
		trace_page_ref_set(head, 0);
}

static uint64_t reserved_of(const struct memmap_job *job)
{
	return hugetlb_reserved_pages(job->variant, job->order);
}

static struct page *head_at(const struct memmap_job *job, uint64_t pfn)
{
	return pfn_to_page(vmemmap_of(job, *job->variant), pfn, *job->variant);
}

#define FOR_EACH_HUGE_PAGE(pfn, job)                                                               \
	for (uint64_t pfn = (job)->start_pfn; pfn < (job)->start_pfn + (job)->nr_pages;            \
	     pfn += 1ull << (job)->order)

static uint64_t nr_stored(const struct memmap_job *job)
{
	return (job->nr_pages >> job->order) * (job->stored - job->from);
}

/* Head and reserved-area tails, the folio's metadata over the first of them. */
static void init_reserved(const struct memmap_job *job)
{
	const init_tails_fn init_tails = tails_of(job->variant);

	FOR_EACH_HUGE_PAGE(pfn, job)
	{
		struct page *head = head_at(job, pfn);

		init_head(job, head, pfn);
		init_tails(job, head, pfn, 1, reserved_of(job));
		prep_compound_head(page_at(head, 1, *job->variant), job->order);
	}
}

static uint64_t build_base(const struct memmap_job *job, const struct copy_backend *backend)
{
	const init_tails_fn init_tails = tails_of(job->variant);

	(void)backend;
	if (!job->from)
		init_reserved(job);
	if (job->stored > reserved_of(job))
		FOR_EACH_HUGE_PAGE(pfn, job)
	init_tails(job, head_at(job, pfn), pfn, reserved_of(job), job->stored);
	return nr_stored(job);
}

memmap_builder hugetlb_base(const struct memmap_variant *variant)
{
	return tails_of(variant) ? build_base : NULL;
}

void hugetlb_init_shared_tails(const struct memmap_job *job, void *page)
{
	tails_of(job->variant)(job, page, job->start_pfn, 0, reserved_of(job));
}

/* ---- by template ----------------------------------------------------------------- */

static void tails_from_template(const struct memmap_job *job, const struct copy_backend *backend,
                                struct page *head, uint64_t head_pfn)
{
	const struct memmap_variant v = *job->variant;
	const uint64_t from = reserved_of(job);
	uint64_t template[MAX_DESCRIPTOR_WORDS] __attribute__((aligned(64)));
	struct page *first = page_at(head, from, v);

	tails_of (&v)(job, head, head_pfn, from, from + 1);
	memcpy(template, first, v.size);
	copy_backend_template(backend, &v)
		->loop(page_at(first, 1, v), head_pfn + from + 1, (struct page *)template,
	               job->stored - from - 1);
	backend->drain();
}

uint64_t hugetlb_template(const struct memmap_job *job, const struct copy_backend *backend)
{
	if (!job->from)
		init_reserved(job);
	if (job->stored > reserved_of(job))
		FOR_EACH_HUGE_PAGE(pfn, job)
	tails_from_template(job, backend, head_at(job, pfn), pfn);
	return nr_stored(job);
}

/* ---- by stamping ------------------------------------------------------------------ */

uint64_t hugetlb_stamp(const struct memmap_job *job, const struct copy_backend *backend)
{
	const struct memmap_variant v = *job->variant;
	const struct stamper stamper = stamper_of(job, backend);
	struct stamper head_stamper = stamper;
	union image head, tail1, tail;

	stamper_self_list(&head_stamper);
	init_head(job, &head.page, job->start_pfn);
	tails_of (&v)(job, &tail.page, job->start_pfn, 0, 1);
	FOR_EACH_HUGE_PAGE(pfn, job)
	{
		set_compound_head(&tail.page, head_at(job, pfn), job->order, v);
		if (job->from) {
			stamp_pages(&stamper, &tail, pfn + job->from, job->stored - job->from);
			continue;
		}
		tail1 = tail;
		prep_compound_head(&tail1.page, job->order);
		stamp_pages(&head_stamper, &head, pfn, 1);
		stamp_pages(&stamper, &tail1, pfn + 1, 1);
		stamp_pages(&stamper, &tail, pfn + 2, job->stored - 2);
	}
	backend->drain();
	return nr_stored(job);
}

/* ---- the pool ---------------------------------------------------------------------- */

void hugetlb_pool_init(struct hugetlb_pool *pool)
{
	pool->free.next = pool->free.prev = (uint64_t)(uintptr_t)&pool->free;
	pool->nr_free = 0;
}

/* Linux: list_add(), behind the list's head. */
static void list_add(struct list_head *entry, struct list_head *list)
{
	struct list_head *next = (struct list_head *)(uintptr_t)list->next;

	next->prev = (uint64_t)(uintptr_t)entry;
	entry->next = (uint64_t)(uintptr_t)next;
	entry->prev = (uint64_t)(uintptr_t)list;
	WRITE_ONCE(list->next, (uint64_t)(uintptr_t)entry);
}

void hugetlb_add_to_pool(struct hugetlb_pool *pool, const struct memmap_job *job, bool optimised)
{
	FOR_EACH_HUGE_PAGE(pfn, job)
	{
		struct page *head = head_at(job, pfn);
		struct page *tail2 = page_at(head, 2, *job->variant);

		head->mapcount = PAGE_TYPE_HUGETLB;
		head->private_data = HPG_FREED | (optimised ? HPG_VMEMMAP_OPTIMIZED : 0);
		/* The subpool, and the cgroups of usage and reservation: none. */
		tail2->lru_prev = 0;
		tail2->mapping = 0;
		list_add((struct list_head *)&head->lru_next, &pool->free);
		pool->nr_free++;
	}
}
