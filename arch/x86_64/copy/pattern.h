/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The turns of a stamp by pattern (mm/stamp_pattern.h), behind xmm.h, ymm.h or zmm.h, which
 * have defined REGISTER, REGISTER_BYTES, LOAD(from, to), ADD(from, to) and SAME_LENGTH: the
 * prefixes that make an instruction as long for any of its registers and displacements.
 *
 * A turn of fewer than 11 registers enters the row of stages at its first one, so that all
 * stages are equally long.
 */
#include "mm/stamp_pattern.h"

/* clang-format off */
#define PATTERN_ROW(X) X("0") X("1") X("2") X("3") X("4") X("5") X("6") X("7") X("8") X("9") X("10")
#define PATTERN_AT(k, base) "%c[width]*" k "(%[" base "])"
#define PATTERN_LOAD(k) LOAD(PATTERN_AT(k, "word"), REGISTER k) "\n\t"
#define PATTERN_STAGE(k) \
	SAME_LENGTH STORE " " REGISTER k ", " PATTERN_AT(k, "to") "\n\t" \
	SAME_LENGTH ADD(PATTERN_AT(k, "step"), REGISTER k) "\n\t"
/* clang-format on */

#ifdef __SSE__
#define PATTERN_CLOBBERS VECTOR_CLOBBERS, "xmm8", "xmm9", "xmm10"
#else
#define PATTERN_CLOBBERS VECTOR_CLOBBERS
#endif

static void store_turns(void *to, const struct stamp_pattern *pattern, size_t turns, unsigned skip)
{
	const size_t bytes = REGISTER_BYTES * (PATTERN_REGISTERS - (size_t)skip);
	char *stage0 = (char *)to - REGISTER_BYTES * (size_t)skip;
	uint64_t entry = skip, first;

	/* clang-format off */
	__asm__ volatile(
		PATTERN_ROW(PATTERN_LOAD)
		"imulq $(2f-1f)/11, %[entry], %[entry]\n\t"
		"leaq 1f(%%rip), %[first]\n\t"
		"addq %[first], %[entry]\n\t"
		"notrack jmpq *%[entry]\n"
		"1:\n\t"
		PATTERN_ROW(PATTERN_STAGE)
		"2:\n\t"
		"addq %[bytes], %[to]\n\t"
		"cmpq %[end], %[to]\n\t"
		"je 3f\n\t"
		"notrack jmpq *%[entry]\n"
		"3:\n\t"
		LEAVE
		: [to] "+r"(stage0), [entry] "+&r"(entry), [first] "=&r"(first)
		: [end] "r"(stage0 + bytes * turns), [bytes] "r"(bytes), [word] "r"(pattern->word),
		  [step] "r"(pattern->step), [width] "i"(REGISTER_BYTES)
		: PATTERN_CLOBBERS);
	/* clang-format on */
}
