/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PAGESTAMP_POOLS_H
#define PAGESTAMP_POOLS_H

#include <pagestamp/result.h>

/*
 * The huge page pools that the options ask for, from results->memory: results->pools and
 * Linux's own lines for what it would refuse, ignore or give less of (as skipped). Sets
 * their addresses aside, so call it before any backing is taken. False with one line in
 * `why`: a size that the architecture does not have, or no memory for it.
 */
bool pools_find(struct results *results, char *why, size_t why_size);

#endif
