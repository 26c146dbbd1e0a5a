/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The information block of an fsdax or devdax namespace (Linux: struct nd_pfn_sb), and
 * whether a kernel with 4 KiB pages and 64-byte descriptors would bind it.
 */
#ifndef PAGESTAMP_SUPERBLOCK_H
#define PAGESTAMP_SUPERBLOCK_H

#include <pagestamp/range.h>

#define SUPERBLOCK_OFFSET 4096u /* from the start of the range */
#define SUPERBLOCK_SIZE   4096u

enum superblock_state {
	SUPERBLOCK_NONE,    /* no signature */
	SUPERBLOCK_BROKEN,  /* a signature over a wrong checksum: somebody's data */
	SUPERBLOCK_REFUSED, /* intact, and Linux would not bind it here: `*why` says why */
	SUPERBLOCK_GOOD,
};

/*
 * Reads the block of SUPERBLOCK_SIZE bytes that stands at SUPERBLOCK_OFFSET of the range
 * [base, base + size). Rules and version quirks: Linux nd_pfn_validate(). The parent UUID
 * is not compared: it is in the label area, which is not read.
 * On SUPERBLOCK_GOOD and SUPERBLOCK_REFUSED `*out` is filled as far as the block says.
 * out->size is what ndctl reports: the range behind dataoff, less end_trunc, and no more
 * than the block's npfns (a namespace may be smaller than its region).
 */
enum superblock_state superblock_read(const uint8_t *block, uint64_t base, uint64_t size,
                                      struct pmem_namespace *out, const char **why);

/* Fletcher-64 over the block with its last 8 bytes taken as zero (Linux: nd_sb_checksum()). */
uint64_t superblock_checksum(const uint8_t *block);

/* "fsdax map=dev align=2M" */
void superblock_describe(const struct pmem_namespace *ns, char *out, size_t out_size);

#endif
