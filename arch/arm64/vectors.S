/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The window's vectors: every exception saves the interrupted code's registers and
 * resumes in window_call()'s caller. Works with any stack pointer, valid or not.
 */
#include "context.h"

	.section .text.window_vectors, "ax", %progbits

/* TPIDRRO_EL0 holds x0 for the moment; window.c gives it back its old value. */
	.macro	vector number
	.balign	128
	msr	tpidrro_el0, x0
	mrs	x0, tpidr_el1
	str	x1, [x0, #CONTEXT_X0 + 8]
	mov	x1, #\number
	b	save_and_resume
	.endm

	.globl	window_vectors
	.hidden	window_vectors
	.type	window_vectors, %object
	.balign	2048
window_vectors:
	vector	0
	vector	1
	vector	2
	vector	3
	vector	4
	vector	5
	vector	6
	vector	7
	vector	8
	vector	9
	vector	10
	vector	11
	vector	12
	vector	13
	vector	14
	vector	15
	.size	window_vectors, . - window_vectors

	.type	save_and_resume, %function
save_and_resume:
	str	x1, [x0, #CONTEXT_VECTOR]
	mrs	x1, tpidrro_el0
	str	x1, [x0, #CONTEXT_X0]
	stp	x2, x3, [x0, #CONTEXT_X0 + 2 * 8]
	stp	x4, x5, [x0, #CONTEXT_X0 + 4 * 8]
	stp	x6, x7, [x0, #CONTEXT_X0 + 6 * 8]
	stp	x8, x9, [x0, #CONTEXT_X0 + 8 * 8]
	stp	x10, x11, [x0, #CONTEXT_X0 + 10 * 8]
	stp	x12, x13, [x0, #CONTEXT_X0 + 12 * 8]
	stp	x14, x15, [x0, #CONTEXT_X0 + 14 * 8]
	stp	x16, x17, [x0, #CONTEXT_X0 + 16 * 8]
	stp	x18, x19, [x0, #CONTEXT_X0 + 18 * 8]
	stp	x20, x21, [x0, #CONTEXT_X0 + 20 * 8]
	stp	x22, x23, [x0, #CONTEXT_X0 + 22 * 8]
	stp	x24, x25, [x0, #CONTEXT_X0 + 24 * 8]
	stp	x26, x27, [x0, #CONTEXT_X0 + 26 * 8]
	stp	x28, x29, [x0, #CONTEXT_X0 + 28 * 8]
	str	x30, [x0, #CONTEXT_X0 + 30 * 8]

	/*
	 * Resume with the PSTATE that was interrupted (stack pointer select, PAN, ...),
	 * less what belongs to the one instruction: SS, IL, BTYPE.
	 */
	adrp	x7, abandoned
	add	x7, x7, :lo12:abandoned
	mov	x8, #0x300000
	orr	x8, x8, #0xc00
	mrs	x6, CurrentEL
	cmp	x6, #2 << 2
	b.eq	1f
	mrs	x2, elr_el1
	mrs	x3, spsr_el1
	mrs	x4, esr_el1
	mrs	x5, far_el1
	bic	x8, x3, x8
	msr	elr_el1, x7
	msr	spsr_el1, x8
	b	2f
1:	mrs	x2, elr_el2
	mrs	x3, spsr_el2
	mrs	x4, esr_el2
	mrs	x5, far_el2
	bic	x8, x3, x8
	msr	elr_el2, x7
	msr	spsr_el2, x8
2:	stp	x2, x3, [x0, #CONTEXT_PC]
	stp	x4, x5, [x0, #CONTEXT_ESR]
	mov	x1, sp
	tbnz	x3, #0, 3f		/* PSTATE.SP: else it ran on SP_EL0 */
	mrs	x1, sp_el0
3:	str	x1, [x0, #CONTEXT_AT_SP]
	eret
	.size	save_and_resume, . - save_and_resume

/* bool window_call(struct window_context *context, void (*fn)(void *), void *arg) */
	.section .text.window_call, "ax", %progbits
	.globl	window_call
	.hidden	window_call
	.type	window_call, %function
window_call:
	stp	x19, x20, [x0, #CONTEXT_X19 + 0 * 8]
	stp	x21, x22, [x0, #CONTEXT_X19 + 2 * 8]
	stp	x23, x24, [x0, #CONTEXT_X19 + 4 * 8]
	stp	x25, x26, [x0, #CONTEXT_X19 + 6 * 8]
	stp	x27, x28, [x0, #CONTEXT_X19 + 8 * 8]
	stp	x29, x30, [x0, #CONTEXT_X19 + 10 * 8]
	mov	x3, sp
	str	x3, [x0, #CONTEXT_SP]
	stp	d8, d9, [x0, #CONTEXT_D8 + 0 * 8]
	stp	d10, d11, [x0, #CONTEXT_D8 + 2 * 8]
	stp	d12, d13, [x0, #CONTEXT_D8 + 4 * 8]
	stp	d14, d15, [x0, #CONTEXT_D8 + 6 * 8]
	mov	x19, x0
	mov	x0, x2
	blr	x1
	mov	x0, x19
	mov	w1, #0
	b	1f
abandoned:				/* x0 = context, from save_and_resume */
	mov	w1, #1
1:	ldp	x19, x20, [x0, #CONTEXT_X19 + 0 * 8]
	ldp	x21, x22, [x0, #CONTEXT_X19 + 2 * 8]
	ldp	x23, x24, [x0, #CONTEXT_X19 + 4 * 8]
	ldp	x25, x26, [x0, #CONTEXT_X19 + 6 * 8]
	ldp	x27, x28, [x0, #CONTEXT_X19 + 8 * 8]
	ldp	x29, x30, [x0, #CONTEXT_X19 + 10 * 8]
	ldr	x3, [x0, #CONTEXT_SP]
	mov	sp, x3
	ldp	d8, d9, [x0, #CONTEXT_D8 + 0 * 8]
	ldp	d10, d11, [x0, #CONTEXT_D8 + 2 * 8]
	ldp	d12, d13, [x0, #CONTEXT_D8 + 4 * 8]
	ldp	d14, d15, [x0, #CONTEXT_D8 + 6 * 8]
	mov	w0, w1
	ret
	.size	window_call, . - window_call

	.section .note.GNU-stack, "", %progbits
