/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The mapping of a fault-around window as ALWAYS_INLINE functions: mm/pte_range.c makes the
 * real functions of them that Linux has (set_pte_range(), folio_add_file_rmap_ptes(),
 * percpu_counter_add_batch(), ...), once for each kind of atomic operation.
 */
#ifndef MM_PTE_RANGE_WALK_H
#define MM_PTE_RANGE_WALK_H

#include "mm/memmap.h"
#include "mm/page.h"
#include <arch/atomic.h>
#include <arch/pte.h>
#include <pagestamp/pte_range.h>

#define PTE_PAGE_SHIFT 12

/* A constant at every use: what of its work a walk does (enum pte_work), and how. */
struct pte_plan {
	enum pte_work work;
	bool count_later; /* the mm's counter is not set_pte_range()'s business */
	bool contiguous;
};

/* The atomic operations, constants at every use, so that they are inlined. */
struct atomics {
	void (*add)(int32_t *v, int32_t n);
	int32_t (*add_return)(int32_t *v, int32_t n);
	bool (*inc_and_test)(int32_t *v); /* is it 0 now? */
	void (*add64)(int64_t *v, int64_t n);
	bool (*try_cmpxchg_local)(int32_t *v, int32_t *old, int32_t new);
};

/* The out-of-line functions of one kind of atomics. */
struct pte_calls {
	void (*percpu_counter_add)(struct percpu_counter *counter, int32_t amount);
	void (*node_stat_add)(struct node_stat *stat, int32_t amount);
	void (*lruvec_stat_add)(const struct folio *folio, struct node_stat *stat, int32_t amount);
	void (*add_file_rmap)(const struct folio *folio, struct page *page, unsigned nr,
	                      struct node *node);
	void (*set_pte_range)(struct vm_fault *vmf, const struct folio *folio, struct page *page,
	                      unsigned nr, uint64_t address);
};

static ALWAYS_INLINE uint64_t read_pte(const uint64_t *pte)
{
	return *(const volatile uint64_t *)pte;
}

/* ---- counters ---------------------------------------------------------------- */

/* Linux: percpu_counter_batch, of one CPU. */
#define PERCPU_COUNTER_BATCH 32
/* Linux: the threshold of a node's statistic, at its most. */
#define NODE_STAT_THRESHOLD 125

static ALWAYS_INLINE int32_t magnitude(int32_t n)
{
	return n < 0 ? -n : n;
}

static ALWAYS_INLINE void percpu_counter_add(struct percpu_counter *counter, int32_t amount,
                                             const struct atomics a)
{
	int32_t local = counter->local;

	do {
		if (magnitude(local + amount) >= PERCPU_COUNTER_BATCH) {
			while (__atomic_exchange_n(&counter->lock, 1, __ATOMIC_ACQUIRE))
				;
			counter->count += counter->local + amount;
			counter->local = 0;
			__atomic_store_n(&counter->lock, 0, __ATOMIC_RELEASE);
			return;
		}
	} while (!a.try_cmpxchg_local(&counter->local, &local, local + amount));
}

static ALWAYS_INLINE void node_stat_add(struct node_stat *stat, int32_t amount,
                                        const struct atomics a)
{
	int32_t diff = stat->diff + amount;

	if (magnitude(diff) > NODE_STAT_THRESHOLD) {
		a.add64(&stat->node, diff);
		a.add64(&stat->global, diff);
		diff = 0;
	}
	WRITE_ONCE(stat->diff, (int8_t)diff);
}

/* Linux: __lruvec_stat_mod_folio(): a folio that no memory cgroup owns counts in its node. */
static ALWAYS_INLINE void lruvec_stat_add(const struct folio *folio, struct node_stat *stat,
                                          int32_t amount, const struct pte_calls call)
{
	if (*(const volatile uint64_t *)&folio->page->memcg_data)
		return;
	call.node_stat_add(stat, amount);
}

/* ---- the folio ----------------------------------------------------------------- */

/* Linux: ENTIRELY_MAPPED; with it in _nr_pages_mapped the pages are mapped already. */
#define ENTIRELY_MAPPED 0x800000

static ALWAYS_INLINE bool folio_test_large(const struct folio *folio)
{
	return folio->page->flags & 1ull << PG_head;
}

/* In the first tail, as 6.12 has them: _large_mapcount, then (8 bytes on) _nr_pages_mapped. */
static ALWAYS_INLINE int32_t *large_mapcount_of(const struct folio *folio)
{
	return (int32_t *)&folio->page[1].lru_prev;
}

static ALWAYS_INLINE int32_t *nr_pages_mapped_of(const struct folio *folio)
{
	return (int32_t *)&folio->page[1].mapping;
}

static ALWAYS_INLINE unsigned order_of(const struct folio *folio)
{
	return folio_test_large(folio) ? folio->page[1].flags & 0xff : 0;
}

/* Each page has a first mapper of its own: those alone count as newly mapped. */
static ALWAYS_INLINE void add_file_rmap(const struct folio *folio, struct page *page, unsigned nr,
                                        struct node *node, const struct atomics a,
                                        const struct pte_calls call)
{
	int32_t first = 0;

	if (!folio_test_large(folio)) {
		first = a.inc_and_test(&page->mapcount);
	} else {
		for (unsigned i = 0; i < nr; i++)
			first += a.inc_and_test(&page[i].mapcount);
		if (first && a.add_return(nr_pages_mapped_of(folio), first) >= ENTIRELY_MAPPED)
			first = 0;
		a.add(large_mapcount_of(folio), (int32_t)nr);
	}
	if (first)
		call.lruvec_stat_add(folio, &node->stat[NR_FILE_MAPPED], first);
}

#define PG_swapbacked     17
#define PAGE_MAPPING_ANON 1ull

/* A fresh copy, this process's alone: nobody else can see it yet, so nothing is atomic. */
static ALWAYS_INLINE void add_new_anon_rmap(const struct folio *folio, const struct vm_area *vma,
                                            uint64_t address, const struct pte_calls call)
{
	struct page *page = folio->page;

	page->flags |= 1ull << PG_swapbacked;
	page->mapping = vma->anon_vma | PAGE_MAPPING_ANON;
	page->index = vma->pgoff + ((address - vma->start) >> PTE_PAGE_SHIFT);
	WRITE_ONCE(page->mapcount, 0);
	call.lruvec_stat_add(folio, &vma->mm->node->stat[NR_ANON_MAPPED], 1);
}

/* ---- entries ------------------------------------------------------------------- */

static ALWAYS_INLINE void set_ptes(uint64_t *pte, uint64_t entry, unsigned nr)
{
	for (;; pte++, entry += PTE_PAGE) {
		WRITE_ONCE(*pte, entry);
		if (--nr == 0)
			return;
	}
}

#ifdef CONT_PTES
/* Whole blocks, aligned in addresses and in memory, get the bit; what is left over does not. */
static ALWAYS_INLINE void set_ptes_contiguous(uint64_t address, uint64_t *pte, uint64_t entry,
                                              unsigned nr)
{
	const uint64_t block = CONT_PTES * PTE_PAGE;

	while (nr) {
		unsigned to_boundary = (unsigned)((block - address % block) / PTE_PAGE);
		unsigned part = nr < to_boundary ? nr : to_boundary;
		bool whole = part == CONT_PTES && (entry & PTE_ADDRESS) % block == 0;

		set_ptes(pte, whole ? pte_mkcont(entry) : entry, part);
		pte += part;
		address += part * PTE_PAGE;
		entry += part * PTE_PAGE;
		nr -= part;
	}
}
#endif

static ALWAYS_INLINE bool in_range(uint64_t value, uint64_t start, uint64_t length)
{
	return value - start < length;
}

/* A private write is one page: the caller never has more of them in a run. */
static ALWAYS_INLINE void set_pte_range(struct vm_fault *vmf, const struct folio *folio,
                                        struct page *page, unsigned nr, uint64_t address,
                                        const struct pte_plan plan, const struct pte_calls call)
{
	const struct vm_area *vma = vmf->vma;
	const uint64_t pfn = folio->pfn + (uint64_t)(page - folio->page);
	const bool prefault = !in_range(vmf->address, address, nr * PTE_PAGE);
	uint64_t entry = pfn << PTE_PAGE_SHIFT | vma->page_prot;

	if (prefault && vma->old_prefaulted)
		entry = pte_mkold(entry);
	if (vmf->write) {
		entry = pte_mkdirty(entry);
		if (vma->writable)
			entry = pte_mkwrite(entry);
	}
	if (vmf->write && !vma->shared) {
		call.percpu_counter_add(&vma->mm->rss_stat[MM_ANONPAGES], 1);
		add_new_anon_rmap(folio, vma, address, call);
	} else {
		if (plan.work >= PTE_COUNTERS && !plan.count_later)
			call.percpu_counter_add(&vma->mm->rss_stat[MM_FILEPAGES], (int32_t)nr);
		if (plan.work >= PTE_RMAP)
			call.add_file_rmap(folio, page, nr, vma->mm->node);
	}
#ifdef CONT_PTES
	if (plan.contiguous) {
		set_ptes_contiguous(address, vmf->pte, entry, nr);
		return;
	}
#endif
	set_ptes(vmf->pte, entry, nr);
}

/* ---- walks --------------------------------------------------------------------- */

/* Where a walk stands: page, entry and address belong together. */
struct pte_cursor {
	struct page *page;
	uint64_t address;
};

/* What one walk of a folio's pages added. */
struct mapped {
	unsigned pages;
	bool faulting; /* the page that faulted is among them */
};

static ALWAYS_INLINE bool can_map(const struct page *page, const uint64_t *pte)
{
	if (page->flags & 1ull << PG_hwpoison)
		return false;
	/* A marker is no page, but its entry is not empty: whoever left it handles it. */
	return pte_none(read_pte(pte));
}

static ALWAYS_INLINE struct mapped map_by_page(struct vm_fault *vmf, const struct folio *folio,
                                               struct pte_cursor at, unsigned nr,
                                               const struct pte_plan plan, const struct atomics a,
                                               const struct pte_calls call)
{
	uint64_t *const old_pte = vmf->pte;
	struct mapped mapped = {0};

	for (; nr; nr--, at.page++, at.address += PTE_PAGE, vmf->pte++) {
		if (!can_map(at.page, vmf->pte))
			continue;
		if (vmf->address == at.address)
			mapped.faulting = true;
		mapped.pages++;
		if (plan.work >= PTE_STORE)
			call.set_pte_range(vmf, folio, at.page, 1, at.address);
	}
	vmf->pte = old_pte;
	if (plan.work >= PTE_WHOLE && mapped.pages)
		a.add(&folio->page->refcount, (int32_t)mapped.pages);
	return mapped;
}

/* One run: [at, at + nr). The fault need not be its first page. */
static ALWAYS_INLINE void close_run(struct vm_fault *vmf, const struct folio *folio,
                                    struct pte_cursor at, unsigned nr, struct mapped *mapped,
                                    bool refs_later, const struct pte_plan plan,
                                    const struct atomics a, const struct pte_calls call)
{
	if (!nr)
		return;
	if (plan.work >= PTE_STORE)
		call.set_pte_range(vmf, folio, at.page, nr, at.address);
	if (plan.work >= PTE_WHOLE && !refs_later)
		a.add(&folio->page->refcount, (int32_t)nr);
	mapped->pages += nr;
	mapped->faulting |= in_range(vmf->address, at.address, nr * PTE_PAGE);
}

/* Page, entry and address stay at the start of the open run; `nr` counts what it has. */
static ALWAYS_INLINE struct mapped map_by_run(struct vm_fault *vmf, const struct folio *folio,
                                              struct pte_cursor at, unsigned left, bool refs_later,
                                              const struct pte_plan plan, const struct atomics a,
                                              const struct pte_calls call)
{
	uint64_t *const old_pte = vmf->pte;
	struct mapped mapped = {0};
	unsigned nr = 0;

	for (; left; left--) {
		if (can_map(at.page + nr, vmf->pte + nr)) {
			nr++;
			continue;
		}
		close_run(vmf, folio, at, nr, &mapped, refs_later, plan, a, call);
		nr++; /* over the hole, too */
		at.page += nr;
		vmf->pte += nr;
		at.address += nr * PTE_PAGE;
		nr = 0;
	}
	close_run(vmf, folio, at, nr, &mapped, refs_later, plan, a, call);
	vmf->pte = old_pte;
	if (refs_later && plan.work >= PTE_WHOLE && mapped.pages)
		a.add(&folio->page->refcount, (int32_t)mapped.pages);
	return mapped;
}

static ALWAYS_INLINE uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static ALWAYS_INLINE uint64_t greatest(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/*
 * Linux: filemap_map_pages(). The window is clipped before it is walked: to the end of the
 * file, to the folio (nothing else is in this page cache), to the VMA.
 */
static ALWAYS_INLINE unsigned map_pages(struct vm_fault *vmf, const struct folio *folio,
                                        uint64_t first, uint64_t last, enum pte_way way,
                                        const struct pte_plan plan, const struct atomics a,
                                        const struct pte_calls call)
{
	const struct vm_area *vma = vmf->vma;
	const uint64_t file_pages = (vma->file->size + PTE_PAGE - 1) >> PTE_PAGE_SHIFT;
	const uint64_t folio_end = folio->index + (1ull << order_of(folio));
	const uint64_t vma_end = vma->pgoff + ((vma->end - vma->start) >> PTE_PAGE_SHIFT);
	const uint64_t begin = greatest(first, greatest(folio->index, vma->pgoff));
	const uint64_t end = least(least(last + 1, file_pages), least(folio_end, vma_end));
	uint64_t *const old_pte = vmf->pte;
	struct mapped mapped;
	struct pte_cursor at;

	if (begin >= end || (vmf->write && !vma->shared))
		return 0;
	at = (struct pte_cursor){
		.page = folio->page + (begin - folio->index),
		.address = vma->start + ((begin - vma->pgoff) << PTE_PAGE_SHIFT),
	};
	vmf->pte += begin - first;
	if (way == PTE_BY_PAGE)
		mapped = map_by_page(vmf, folio, at, (unsigned)(end - begin), plan, a, call);
	else
		mapped = map_by_run(vmf, folio, at, (unsigned)(end - begin), way == PTE_BY_CALL,
		                    plan, a, call);
	vmf->pte = old_pte;
	if (plan.count_later && plan.work >= PTE_COUNTERS && mapped.pages)
		call.percpu_counter_add(&vma->mm->rss_stat[MM_FILEPAGES], (int32_t)mapped.pages);
	if (!mapped.faulting)
		return 0;
	if (vma->file->mmap_miss)
		WRITE_ONCE(vma->file->mmap_miss, vma->file->mmap_miss - 1);
	return VM_FAULT_NOPAGE;
}

#endif
