/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every vector ends here: a trap in the window abandons what trapped. The stack stays
 * the one that was in use: another one wants a task state segment, and with it
 * changes to the firmware's descriptor table.
 */

	.local	saved_stack
	.comm	saved_stack, 8, 8

	.text

/* int trap_guarded_call(void (*fn)(void *), void *arg) */
	.globl	trap_guarded_call
	.hidden	trap_guarded_call
	.type	trap_guarded_call, @function
trap_guarded_call:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	sub	$8, %rsp
	mov	%rsp, saved_stack(%rip)
	mov	%rdi, %rax
	mov	%rsi, %rdi
	call	*%rax
	xor	%eax, %eax
	jmp	leave
abandoned:
	mov	$1, %eax
leave:
	add	$8, %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret

/* The vector is on the stack; under it comes what the CPU pushes elsewhere: a code. */
trap_without_code:
	pushq	(%rsp)
	movq	$0, 8(%rsp)
trap_with_code:
	andq	$0xff, (%rsp)
	push	%rax
	push	%rbx
	push	%rcx
	push	%rdx
	push	%rsi
	push	%rdi
	push	%rbp
	push	%r8
	push	%r9
	push	%r10
	push	%r11
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	cld
	mov	%rsp, %rdi
	call	trap_record
	/* By iretq and not by a jump: it lets the next non-maskable interrupt in. */
	mov	%ss, %eax
	push	%rax
	pushq	saved_stack(%rip)
	pushq	$2 /* flags: none, interrupts off */
	mov	%cs, %eax
	push	%rax
	lea	abandoned(%rip), %rax
	push	%rax
	iretq

/* Vectors for which the CPU pushes an error code: 8, 10-14, 17, 21, 29, 30. */
#define HAS_CODE 0x60227d00

	.globl	trap_vectors
	.hidden	trap_vectors
	.balign	8
trap_vectors:
	.set	vector, 0
	.rept	256
	.balign	8
	/* As a signed byte: the instruction is two bytes long for all of them. */
	pushq	$(vector ^ 0x80) - 0x80
	.if	vector < 32 && ((HAS_CODE >> (vector & 31)) & 1)
	jmp	trap_with_code
	.else
	jmp	trap_without_code
	.endif
	.set	vector, vector + 1
	.endr

	.section .note.GNU-stack, "", @progbits
