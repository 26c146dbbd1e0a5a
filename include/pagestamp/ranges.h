/* SPDX-License-Identifier: BSD-2-Clause */
/* Which ranges this machine has, put together from all that speaks of them. */
#ifndef PAGESTAMP_RANGES_H
#define PAGESTAMP_RANGES_H

#include <pagestamp/cedt.h>
#include <pagestamp/efi_map.h>
#include <pagestamp/hmat.h>
#include <pagestamp/nfit.h>
#include <pagestamp/options.h>
#include <pagestamp/range.h>
#include <pagestamp/srat.h>

/* A missing table is an empty one ({0}). */
struct range_sources {
	struct nfit nfit;
	struct efi_map efi;
	struct srat srat;
	struct hmat hmat;
	struct cedt cedt;
	const struct memmap_arg *memmaps;
	size_t nr_memmaps;
};

/* Something that was seen and is not used. */
struct range_note {
	char what[96];
	char why[128];
};

struct range_notes {
	struct range_note *item;
	size_t nr;
};

/*
 * Ranges in address order, contents unread:
 * - persistent memory of the NFIT ("nfit"; "nfit+efi" where the memory map calls all of
 *   it persistent), virtual disks and CDs likewise (RANGE_VIRTUAL);
 * - what the memory map alone calls persistent ("efi");
 * - special-purpose memory of the memory map that nobody uses now (RANGE_SPECIAL);
 * - memmap= (RANGE_MEMMAP): RAM that must be wholly conventional now. The caller has to
 *   allocate it before firmware does.
 * Ids count per kind in that order: pmem0.. for persistent memory and memmap=,
 * special0.., virtual0... A proximity domain comes from the NFIT when valid, else from
 * the SRAT, else 0.
 *
 * Volatile, control and block-window ranges, NVDIMMs with a failed save, restore, flush
 * or mapping, ranges that cannot be (misaligned, overlapping RAM in use or one another), and
 * memory that a confidential guest has not accepted become notes. An NVDIMM that is not
 * armed gives a read_only range.
 *
 * False, with one line in `why` (a memmap= that cannot be, or no memory), leaves both
 * results empty.
 */
bool ranges_build(const struct range_sources *sources, struct pmem_ranges *out,
                  struct range_notes *notes, char *why, size_t why_size);
void ranges_free(struct pmem_ranges *ranges, struct range_notes *notes);

/*
 * Fills range->nodes and range->about from the tables; ranges_build() does it. Both texts are
 * whole, whatever the tables say:
 *	nodes	"nfit 2, srat 3"
 *	about	"6 NVDIMMs, 6 ways", "health events", "CXL window 0", and from its nearest node
 *		"HMAT from node 0: read 90 ns, write 100 ns, read 20000 MB/s, write 9000 MB/s"
 */
void range_about(const struct range_sources *sources, struct pmem_range *range);

#endif
