/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Mapping by page, by run, by call. The functions below are real ones because Linux's are:
 * they live in other files than the walk there, so a page costs these calls.
 */
#include "mm/pte_range_walk.h"
#include <stddef.h>

#define ATOMICS(id)                                                                                \
	((struct atomics){.add = atomic_add_##id,                                                  \
	                  .add_return = atomic_add_return_##id,                                    \
	                  .inc_and_test = atomic_inc_and_test_##id,                                \
	                  .add64 = atomic64_add_##id,                                              \
	                  .try_cmpxchg_local = try_cmpxchg_local_##id})

#define CALLS(id, setter)                                                                          \
	((struct pte_calls){.percpu_counter_add = percpu_counter_add_##id,                         \
	                    .node_stat_add = node_stat_add_##id,                                   \
	                    .lruvec_stat_add = lruvec_stat_add_##id,                               \
	                    .add_file_rmap = add_file_rmap_##id,                                   \
	                    .set_pte_range = setter})

/* Not static and not inlined, so that no compiler tailors them to their callers. */
#define DEFINE_CALLS(id, unused)                                                                   \
	void percpu_counter_add_##id(struct percpu_counter *counter, int32_t amount);              \
	void node_stat_add_##id(struct node_stat *stat, int32_t amount);                           \
	void lruvec_stat_add_##id(const struct folio *folio, struct node_stat *stat,               \
	                          int32_t amount);                                                 \
	void add_file_rmap_##id(const struct folio *folio, struct page *page, unsigned nr,         \
	                        struct node *node);                                                \
	NOINLINE void percpu_counter_add_##id(struct percpu_counter *counter, int32_t amount)      \
	{                                                                                          \
		percpu_counter_add(counter, amount, ATOMICS(id));                                  \
	}                                                                                          \
	NOINLINE void node_stat_add_##id(struct node_stat *stat, int32_t amount)                   \
	{                                                                                          \
		node_stat_add(stat, amount, ATOMICS(id));                                          \
	}                                                                                          \
	NOINLINE void lruvec_stat_add_##id(const struct folio *folio, struct node_stat *stat,      \
	                                   int32_t amount)                                         \
	{                                                                                          \
		lruvec_stat_add(folio, stat, amount, CALLS(id, NULL));                             \
	}                                                                                          \
	NOINLINE void add_file_rmap_##id(const struct folio *folio, struct page *page,             \
	                                 unsigned nr, struct node *node)                           \
	{                                                                                          \
		add_file_rmap(folio, page, nr, node, ATOMICS(id), CALLS(id, NULL));                \
	}                                                                                          \
	DEFINE_SETTER(set_pte_range_##id, id, .work = PTE_WHOLE)                                   \
	DEFINE_SETTER(set_pte_range_uncounted_##id, id, .work = PTE_RMAP)                          \
	DEFINE_SETTER(set_pte_range_stores_##id, id, .work = PTE_STORE)                            \
	DEFINE_CONTIGUOUS_SETTER(id)

#define DEFINE_SETTER(name, id, ...)                                                               \
	void name(struct vm_fault *vmf, const struct folio *folio, struct page *page, unsigned nr, \
	          uint64_t address);                                                               \
	NOINLINE void name(struct vm_fault *vmf, const struct folio *folio, struct page *page,     \
	                   unsigned nr, uint64_t address)                                          \
	{                                                                                          \
		set_pte_range(vmf, folio, page, nr, address, (struct pte_plan){__VA_ARGS__},       \
		              CALLS(id, NULL));                                                    \
	}

#define DEFINE_WALK(name, id, setter, way, ...)                                                    \
	static unsigned name##_##id(struct vm_fault *vmf, const struct folio *folio,               \
	                            uint64_t first, uint64_t last)                                 \
	{                                                                                          \
		return map_pages(vmf, folio, first, last, way, (struct pte_plan){__VA_ARGS__},     \
		                 ATOMICS(id), CALLS(id, setter));                                  \
	}

/* Up to the counters the setter of a rung is that of its work; `counted` is the whole one's. */
#define DEFINE_WAY(name, id, way, counted, later)                                                  \
	DEFINE_WALK(name##_look, id, NULL, way, .work = PTE_LOOK, .count_later = (later))          \
	DEFINE_WALK(name##_store, id, set_pte_range_stores_##id, way, .work = PTE_STORE,           \
	            .count_later = (later))                                                        \
	DEFINE_WALK(name##_rmap, id, set_pte_range_uncounted_##id, way, .work = PTE_RMAP,          \
	            .count_later = (later))                                                        \
	DEFINE_WALK(name##_counters, id, counted, way, .work = PTE_COUNTERS,                       \
	            .count_later = (later))                                                        \
	DEFINE_WALK(name##_whole, id, counted, way, .work = PTE_WHOLE, .count_later = (later))

#ifdef CONT_PTES
#define DEFINE_CONTIGUOUS_SETTER(id)                                                               \
	DEFINE_SETTER(set_pte_range_contiguous_##id, id, .work = PTE_WHOLE, .contiguous = true)
#define DEFINE_CONTIGUOUS_WALK(id)                                                                 \
	DEFINE_WALK(by_run_contiguous, id, set_pte_range_contiguous_##id, PTE_BY_RUN,              \
	            .work = PTE_WHOLE, .contiguous = true)
#define CONTIGUOUS_WALK(id) by_run_contiguous_##id
#else
#define DEFINE_CONTIGUOUS_SETTER(id)
#define DEFINE_CONTIGUOUS_WALK(id)
#define CONTIGUOUS_WALK(id) NULL
#endif

#define DEFINE_WALKS(id, unused)                                                                   \
	DEFINE_WAY(by_page, id, PTE_BY_PAGE, set_pte_range_##id, false)                            \
	DEFINE_WAY(by_run, id, PTE_BY_RUN, set_pte_range_##id, false)                              \
	DEFINE_WAY(by_call, id, PTE_BY_CALL, set_pte_range_uncounted_##id, true)                   \
	DEFINE_CONTIGUOUS_WALK(id)                                                                 \
	static void map_one_page_##id(struct vm_fault *vmf, const struct folio *folio)             \
	{                                                                                          \
		const uint64_t at =                                                                \
			vmf->vma->pgoff + ((vmf->address - vmf->vma->start) >> PTE_PAGE_SHIFT);    \
                                                                                                   \
		atomic_add_##id(&folio->page->refcount, 1);                                        \
		set_pte_range_##id(vmf, folio, folio->page + (at - folio->index), 1,               \
		                   vmf->address);                                                  \
	}

#define WAY(name, id)                                                                              \
	{                                                                                          \
		name##_look_##id, name##_store_##id, name##_rmap_##id, name##_counters_##id,       \
			name##_whole_##id                                                          \
	}
#define WALKS_ROW(id, name)                                                                        \
	{name,                                                                                     \
	 atomics_usable_##id,                                                                      \
	 {WAY(by_page, id), WAY(by_run, id), WAY(by_call, id)},                                    \
	 CONTIGUOUS_WALK(id),                                                                      \
	 map_one_page_##id},

ARCH_ATOMICS(DEFINE_CALLS)
ARCH_ATOMICS(DEFINE_WALKS)

const struct pte_walks pte_walks[] = {ARCH_ATOMICS(WALKS_ROW)};
const unsigned nr_pte_walks = sizeof(pte_walks) / sizeof(pte_walks[0]);

const struct pte_walks *pte_walks_here(void)
{
	const struct pte_walks *walks = pte_walks;

	while (!walks->usable()) /* the last kind is every CPU's */
		walks++;
	return walks;
}

void fault_around_window(const struct vm_fault *vmf, unsigned nr_pages, uint64_t *first,
                         uint64_t *last)
{
	const struct vm_area *vma = vmf->vma;
	const uint64_t in_table = (vmf->address >> PTE_PAGE_SHIFT) % PTRS_PER_PTE;
	const uint64_t in_vma = (vmf->address - vma->start) >> PTE_PAGE_SHIFT;
	const uint64_t vma_pages = (vma->end - vma->start) >> PTE_PAGE_SHIFT;
	const uint64_t pgoff = vma->pgoff + in_vma;
	const uint64_t begin =
		greatest(in_table / nr_pages * nr_pages, in_table - least(in_table, in_vma));
	const uint64_t end =
		least(least(begin + nr_pages, PTRS_PER_PTE), in_table + vma_pages - in_vma);

	*first = pgoff - (in_table - begin);
	*last = pgoff + (end - 1 - in_table);
}

int64_t mm_counter_sum(const struct mm *mm, enum mm_counter which)
{
	return mm->rss_stat[which].count + mm->rss_stat[which].local;
}

int64_t node_stat_sum(const struct node *node, enum node_stat_item which)
{
	return node->stat[which].node + node->stat[which].diff;
}

int32_t folio_large_mapcount(const struct folio *folio)
{
	return *large_mapcount_of(folio);
}

int32_t folio_nr_pages_mapped(const struct folio *folio)
{
	return *nr_pages_mapped_of(folio);
}

unsigned folio_order(const struct folio *folio)
{
	return order_of(folio);
}

void folio_forget_mappings(const struct folio *folio, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++)
		folio->page[i].mapcount = -1;
	folio->page->refcount = 1;
	if (folio_test_large(folio)) {
		*large_mapcount_of(folio) = -1;
		*nr_pages_mapped_of(folio) = 0;
	}
}
