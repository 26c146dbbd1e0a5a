/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MM_STAMP_H
#define MM_STAMP_H

#include <pagestamp/memmap.h>

/*
 * memmap_init_zone_device() by stamping: the final image of every line is prepared
 * first, then each line is written once, from registers, a run at a time through
 * backend->stamp; no line is read or patched after it was streamed, one drain at the
 * end. A memmap_builder for every variant; sizes other than 64 want backend->stamp_sized.
 */
uint64_t memmap_stamp(const struct memmap_job *job, const struct copy_backend *backend);

/*
 * The same from the last compound to the first and within each from the last descriptor
 * to the first, through backend->stamp_down: 64-byte descriptors, vmemmap model.
 */
uint64_t memmap_stamp_down(const struct memmap_job *job, const struct copy_backend *backend);

#endif
