/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memmap of ordinary memory. Pages without a pgmap: their list heads point to
 * themselves, which is the one word pair that depends on where the descriptor stands.
 */
#ifndef MM_MEMMAP_RANGE_H
#define MM_MEMMAP_RANGE_H

#include <pagestamp/memmap.h>

/*
 * memmap_builders; job->order is 0. Linux: memmap_init_range(), every pageblock marked
 * movable when the walk enters it. NULL when the variant has no instance.
 */
memmap_builder memmap_range_base(const struct memmap_variant *variant);
/* The list heads refreshed in the template as well, then one whole copy a page. */
uint64_t memmap_range_template(const struct memmap_job *job, const struct copy_backend *backend);
/* The list heads advance in registers, an add a descriptor. */
uint64_t memmap_range_stamp(const struct memmap_job *job, const struct copy_backend *backend);

#endif
