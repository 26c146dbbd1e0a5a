/* SPDX-License-Identifier: BSD-2-Clause */
/* A line of persistent memory that cannot be read. */
#ifndef TESTS_FAULTS_POISON_H
#define TESTS_FAULTS_POISON_H

#include <pagestamp/range.h>

#include <stdbool.h>
#include <stdint.h>

/* Where it lies in what is mapped, in bytes; at its begin where that is no larger. */
#define POISON_AT 4096ull

/*
 * <arch>/poison.c: what is mapped, [offset, offset + size) of the range at `va`, gets one;
 * `*fn` is what is to run in the window, perhaps another than it was. Called outside it.
 */
bool poison_view(uintptr_t va, const struct pmem_range *range, uint64_t offset, uint64_t size,
                 void (**fn)(void *arg));

#endif
