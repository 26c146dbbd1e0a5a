/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A range: one stretch of memory that a memmap can be built for, where it was
 * found, and what lies on it. Filled by discover/, read by everybody else.
 */
#ifndef PAGESTAMP_RANGE_H
#define PAGESTAMP_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum range_kind {
	RANGE_PERSISTENT, /* NFIT persistent-memory SPA, or EFI type 14 */
	RANGE_VIRTUAL,    /* NFIT virtual disk or CD: reported, never used */
	RANGE_SPECIAL,    /* EFI_MEMORY_SP: reported, off unless named */
	RANGE_MEMMAP,     /* RAM named by memmap=nn!ss */
};

/* What the pfn/dax superblock at offset 4096 says (Linux: struct nd_pfn_sb). */
enum namespace_mode { NS_FSDAX, NS_DEVDAX };
enum namespace_map { NS_MAP_MEM, NS_MAP_DEV };

struct pmem_namespace {
	enum namespace_mode mode;
	enum namespace_map map;
	uint8_t uuid[16];
	uint64_t align;   /* bytes */
	uint64_t dataoff; /* bytes from the start of the range to the first data page (start_pad
	                     included) */
	uint64_t npfns;
	uint64_t size; /* bytes of data, as ndctl reports it */
	uint32_t start_pad, end_trunc;
	uint32_t page_size, page_struct_size;
};

enum range_content {
	CONTENT_UNREAD,    /* nobody looked yet */
	CONTENT_BLANK,     /* judged by the rule in pagestamp/blank.h */
	CONTENT_NAMESPACE, /* a superblock with a good checksum */
	CONTENT_FOREIGN,   /* anything else, recognised or not: somebody's data */
};

struct pmem_range {
	char id[16]; /* "pmem0", "special0", ... */
	enum range_kind kind;
	char source[24];     /* "nfit", "efi", "nfit+efi", "memmap=" */
	uint64_t base, size; /* bytes */
	uint32_t node;       /* proximity domain, 0 when the tables do not say */
	char nodes[40];      /* what each table says of it: "nfit 2, srat 3"; "" = none does */
	char about[256]; /* what else they say: "2 NVDIMMs, 2 ways; CXL window 0"; "" = nothing */
	uint64_t attributes; /* EFI_MEMORY_* of the source */
	bool reserved;       /* RAM that the firmware had free, and we hold while we run */
	bool read_only;      /* the NVDIMM is not armed: as Linux, never write there */
	enum range_content content;
	char holds[104]; /* "fsdax map=dev align=2M", "nothing (blank)", "unknown contents", ... */
	uint64_t poisoned; /* physical address of the first line that could not be read; 0 = none */
	struct pmem_namespace ns; /* only with CONTENT_NAMESPACE */
};

struct pmem_ranges {
	struct pmem_range *item;
	size_t nr;
};

#endif
