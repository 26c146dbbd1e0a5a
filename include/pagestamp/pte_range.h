/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Mapping what was initialised: the pages of one file folio through 4 KiB entries of one
 * page table in one VMA, as Linux's fault-around does. Names are Linux's; of each structure
 * there is what this path reads and writes. Sources of the rules: do_fault_around(),
 * filemap_map_pages(), set_pte_range() and folio_add_file_rmap_ptes() of 6.12, with the
 * readahead counter and the end of file as later kernels have them.
 */
#ifndef PAGESTAMP_PTE_RANGE_H
#define PAGESTAMP_PTE_RANGE_H

#include <pagestamp/memmap.h>

#define PTRS_PER_PTE    512
#define PTE_PAGE        4096ull
#define VM_FAULT_NOPAGE 0x100u

/* Linux: struct percpu_counter, on the one CPU that runs. */
struct percpu_counter {
	int64_t count;
	int32_t lock;
	int32_t local __attribute__((aligned(64))); /* that CPU's part */
};

/* Linux: a node's statistic: the CPU's difference, folded into both sums at a threshold. */
struct node_stat {
	int64_t node, global;
	int8_t diff __attribute__((aligned(64)));
};

enum mm_counter { MM_FILEPAGES, MM_ANONPAGES, NR_MM_COUNTERS };
enum node_stat_item { NR_FILE_MAPPED, NR_ANON_MAPPED, NR_NODE_STAT_ITEMS };

struct node {
	struct node_stat stat[NR_NODE_STAT_ITEMS];
};

struct mm {
	struct percpu_counter rss_stat[NR_MM_COUNTERS];
	struct node *node; /* whose pages these are */
};

int64_t mm_counter_sum(const struct mm *mm, enum mm_counter which);
int64_t node_stat_sum(const struct node *node, enum node_stat_item which);

struct file {
	uint64_t size;      /* bytes (i_size) */
	unsigned mmap_miss; /* readahead: synchronous misses, never below 0 */
};

/* A folio in the page cache, over descriptors of 64 bytes; its order stands in them. */
struct folio {
	struct page *page; /* the head */
	uint64_t pfn;      /* of the head */
	uint64_t index;    /* page of the file that the head holds */
};

struct vm_area {
	uint64_t start, end; /* bytes, whole pages */
	uint64_t pgoff;      /* page of the file at start */
	uint64_t page_prot;  /* attributes of a young, clean, read-only entry */
	bool writable, shared;
	bool old_prefaulted; /* Linux: arch_wants_old_prefaulted_pte() */
	uint64_t anon_vma;   /* address; for private copies */
	struct mm *mm;
	struct file *file;
};

struct vm_fault {
	const struct vm_area *vma;
	uint64_t address; /* that faulted, of its page */
	bool write;
	uint64_t *pte; /* entry of the first page of the window */
};

/*
 * Linux: do_fault_around(): the pages of the file, [*first, *last], that a fault maps along
 * with its own: `nr_pages` (a power of two, 1 to PTRS_PER_PTE) aligned in the page table,
 * clipped to it and to the VMA. The fault lies in the VMA.
 */
void fault_around_window(const struct vm_fault *vmf, unsigned nr_pages, uint64_t *first,
                         uint64_t *last);

/*
 * Maps what of the folio lies in pages [first, last] of the file, in the VMA and before the
 * end of the file, and is neither poisoned nor has an entry already. vmf->pte is the entry of
 * `first` (where that lies before the VMA: would be) and is the same afterwards. Returns
 * VM_FAULT_NOPAGE if the faulting page is one of those it mapped, else 0. A write fault of a
 * private mapping is no fault-around: 0, nothing mapped; its copy goes by map_one_page().
 * file->mmap_miss falls by one with VM_FAULT_NOPAGE, as in kernels after the seed's: they
 * count the faulting page alone.
 */
typedef unsigned (*pte_walk)(struct vm_fault *vmf, const struct folio *folio, uint64_t first,
                             uint64_t last);

/*
 * page: what the batching patch replaced. One set_pte_range() a page, counters with it, one
 *       folio reference add for all.
 * run:  the patch. One set_pte_range(), one counter add, one reference add for each run.
 * call: as run, but the mm's counter and the folio's references are added once, at the end.
 */
enum pte_way { PTE_BY_PAGE, PTE_BY_RUN, PTE_BY_CALL, PTE_WAY_NR };

/*
 * The same walk with more and more of its work in it, to see where time goes. Only PTE_WHOLE
 * leaves a consistent state. Each contains those before it.
 */
enum pte_work {
	PTE_LOOK,     /* at poison and entries */
	PTE_STORE,    /* the entries */
	PTE_RMAP,     /* mapcounts, NR_FILE_MAPPED */
	PTE_COUNTERS, /* the mm's */
	PTE_WHOLE,    /* the folio's references */
	PTE_WORK_NR
};

/* Compiled once for each kind of atomic operation that the architecture has. */
struct pte_walks {
	const char *atomics;  /* "lock", "ll/sc", "lse" */
	bool (*usable)(void); /* on this CPU */
	pte_walk walk[PTE_WAY_NR][PTE_WORK_NR];
	pte_walk contiguous; /* by run, with the contiguous bit; NULL where there is none */
	/*
	 * The end of a fault that maps one page: the folio's page of vmf->address, at vmf->pte.
	 * A write fault of a private mapping maps it as a fresh anonymous page, a copy.
	 */
	void (*map_one_page)(struct vm_fault *vmf, const struct folio *folio);
};

/* Those that a kernel would use come first. */
extern const struct pte_walks pte_walks[];
extern const unsigned nr_pte_walks;
/* The first one that this CPU can run. */
const struct pte_walks *pte_walks_here(void);

/* Tests and the bench alone: what mapping changed in a folio's descriptors, by its fields. */
int32_t folio_large_mapcount(const struct folio *folio);  /* -1 = not mapped */
int32_t folio_nr_pages_mapped(const struct folio *folio); /* large folios: pages mapped */
unsigned folio_order(const struct folio *folio);
/* A folio as it was when initialised: nobody maps its pages [from, to), one reference. */
void folio_forget_mappings(const struct folio *folio, uint64_t from, uint64_t to);

#define PG_hwpoison 20

#endif
