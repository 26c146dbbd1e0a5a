/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef REPORT_PTE_TABLE_H
#define REPORT_PTE_TABLE_H

#include "figures.h"
#include <stdio.h>

/* All rows of experiment=pte on the range of `first`, the first of them. */
void pte_table_print(FILE *out, const struct results *results, const struct run *first);

#endif
