/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_ANSWERS_H
#define BENCH_ANSWERS_H

#include <pagestamp/result.h>

/* The rows in plain words, one answer for each memmap that was measured. */
void answer_questions(struct results *results);

#endif
