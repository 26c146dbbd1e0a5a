/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ARCH_X86_64_VECTORS_H
#define ARCH_X86_64_VECTORS_H

#include <stdint.h>

#define NR_VECTORS  256
#define VECTOR_SIZE 8

/* As vectors.S and the CPU leave it on the stack. */
struct trap_frame {
	uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax;
	uint64_t vector, code;
	uint64_t rip, cs, rflags, rsp, ss;
};

/* vectors.S: entry i is at trap_vectors + i * VECTOR_SIZE. */
extern const char trap_vectors[] __attribute__((visibility("hidden")));

/*
 * vectors.S: calls fn(arg). 0 when it returned, 1 when it trapped: then it is left where
 * it was, as longjmp() would, with the callee-saved registers as they were at the call.
 */
int trap_guarded_call(void (*fn)(void *arg), void *arg);

/* window.c: called with a trap's frame before fn is abandoned. */
void trap_record(const struct trap_frame *frame);

#endif
