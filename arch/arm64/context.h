/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the window's assembly keeps: the caller's registers to return to, and those of
 * the code that faulted. TPIDR_EL1 points to it while our vectors are installed: one
 * context a CPU, and a fault needs no stack.
 */
#ifndef ARM64_CONTEXT_H
#define ARM64_CONTEXT_H

#define CONTEXT_X19    0 /* x19..x30 */
#define CONTEXT_SP     96
#define CONTEXT_D8     104 /* d8..d15 */
#define CONTEXT_X0     168 /* the rest: at the fault */
#define CONTEXT_AT_SP  416
#define CONTEXT_PC     424
#define CONTEXT_PSTATE 432
#define CONTEXT_ESR    440
#define CONTEXT_FAR    448
#define CONTEXT_VECTOR 456
#define CONTEXT_SIZE   464

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct window_context {
	uint64_t x19_x30[12], sp, d8_d15[8];
	uint64_t x[31], at_sp, pc, pstate, esr, far;
	uint64_t vector; /* index in the vector table: 16 entries */
};

_Static_assert(offsetof(struct window_context, sp) == CONTEXT_SP, "context.h");
_Static_assert(offsetof(struct window_context, d8_d15) == CONTEXT_D8, "context.h");
_Static_assert(offsetof(struct window_context, x) == CONTEXT_X0, "context.h");
_Static_assert(offsetof(struct window_context, at_sp) == CONTEXT_AT_SP, "context.h");
_Static_assert(offsetof(struct window_context, vector) == CONTEXT_VECTOR, "context.h");
_Static_assert(sizeof(struct window_context) == CONTEXT_SIZE, "context.h");

extern const char window_vectors[];

/* Calls fn(arg). True when it faulted: it was abandoned, the rest of `context` is filled. */
bool window_call(struct window_context *context, void (*fn)(void *arg), void *arg);

struct window_fault;
void window_fault_describe(const struct window_context *context, struct window_fault *fault);
#endif

#endif
