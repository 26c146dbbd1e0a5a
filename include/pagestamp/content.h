/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies on a range: a namespace, nothing, or somebody's data. */
#ifndef PAGESTAMP_CONTENT_H
#define PAGESTAMP_CONTENT_H

#include <pagestamp/blank.h>
#include <pagestamp/range.h>

#include <stddef.h>

struct content_reader {
	/*
	 * Copies the range's bytes; false when they cannot be read. At most 4096 at a time.
	 * Where a poisoned line is why, `read` and `zero` leave its address in
	 * range->poisoned, of the range that is judged.
	 */
	bool (*read)(void *ctx, uint64_t offset, void *out, size_t size);
	blank_reader zero;
	void *ctx;
};

/*
 * Sets range->content, holds and (CONTENT_NAMESPACE) ns. Nothing is ever taken for free
 * that is not: a range that cannot be read, a superblock with a wrong checksum, and one
 * that Linux would not bind are CONTENT_FOREIGN, and so is whatever has a poisoned line,
 * which `holds` then begins with. memmap= ranges count as blank and are
 * not read; virtual disks are not looked at and stay CONTENT_UNREAD.
 */
void content_judge(struct pmem_range *range, const struct content_reader *reader);

#endif
