/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef HOST_LIMITS_H
#define HOST_LIMITS_H

#include <pagestamp/result.h>

/*
 * What else moves memory on this machine, beside the streaming fill of every table: plain
 * fills, reads and read-modify-writes of 256 MiB, and as peers one descriptor a call by the
 * C library's memcpy and libpmem's non-temporal one (where libpmem.so.1 is installed). Before them,
 * the first touch of `memmap_bytes`, which also makes the memory of the tables known to the
 * machine.
 */
void host_measure_limits(struct results *results, uint64_t memmap_bytes);

#endif
