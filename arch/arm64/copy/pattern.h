/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The turns of a stamp by pattern (mm/stamp_pattern.h) by pairs of 128-bit registers, for
 * the including backend's STORE mnemonic. Only registers that a caller does not expect back
 * are used: v0 to v7 and v16 to v29 are the pattern's eleven pairs, v30 and v31 its steps.
 *
 * A turn of fewer than 11 pairs enters the row of stages at its first one. That is stage 0,
 * 2, 4, 6 or 8, for a turn has an odd number of pairs; each is a landing pad (BTI j, a hint).
 */
#include "arch/arm64/copy/vector_clobbers.h"
#include "mm/stamp_pattern.h"

#define PATTERN_PAIR 32 /* bytes */

/* X(stage, low, high), two stages each. */
#define PATTERN_ROW(X)                                                                             \
	X("0", "0", "1", "2", "3")                                                                 \
	X("2", "4", "5", "6", "7")                                                                 \
	X("4", "16", "17", "18", "19")                                                             \
	X("6", "20", "21", "22", "23")                                                             \
	X("8", "24", "25", "26", "27")

#define PATTERN_LOAD(stage, low, high) "ldp q" low ", q" high ", [%[word], #32*(" stage ")]\n\t"
#define PATTERN_STAGE(stage, low, high)                                                            \
	STORE " q" low ", q" high ", [%[to], #32*(" stage ")]\n\t"                                 \
	      "ldp q30, q31, [%[step], #32*(" stage ")]\n\t"                                       \
	      "add v" low ".2d, v" low ".2d, v30.2d\n\t"                                           \
	      "add v" high ".2d, v" high ".2d, v31.2d\n\t"
#define PATTERN_LOADS(stage, a, b, c, d) PATTERN_LOAD(stage, a, b) PATTERN_LOAD(stage "+1", c, d)
#define PATTERN_STAGES(stage, a, b, c, d)                                                          \
	"hint #36\n\t" PATTERN_STAGE(stage, a, b) PATTERN_STAGE(stage "+1", c, d)

#ifdef __ARM_NEON
#define PATTERN_CLOBBERS                                                                           \
	VECTOR_CLOBBERS, "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29",     \
		"v30", "v31"
#else
#define PATTERN_CLOBBERS VECTOR_CLOBBERS
#endif

static void store_turns(void *to, const struct stamp_pattern *pattern, size_t turns, unsigned skip)
{
	const size_t bytes = PATTERN_PAIR * (PATTERN_REGISTERS - (size_t)skip);
	char *stage0 = (char *)to - PATTERN_PAIR * (size_t)skip;
	const uint64_t two_stages = 36;
	uint64_t entry;

	/* clang-format off */
	__asm__ volatile(
		PATTERN_ROW(PATTERN_LOADS)
		PATTERN_LOAD("10", "28", "29")
		"adr %[entry], 1f\n\t"
		"madd %[entry], %[pairs], %[two_stages], %[entry]\n\t"
		"br %[entry]\n"
		"1:\n\t"
		PATTERN_ROW(PATTERN_STAGES)
		"2:\n\t"
		".if 2b - 1b != 5 * 36\n\t"
		".error \"the stages are not as long as they should be\"\n\t"
		".endif\n\t"
		PATTERN_STAGE("10", "28", "29")
		"add %[to], %[to], %[bytes]\n\t"
		"cmp %[to], %[end]\n\t"
		"b.eq 3f\n\t"
		"br %[entry]\n"
		"3:"
		: [to] "+r"(stage0), [entry] "=&r"(entry)
		: [end] "r"(stage0 + bytes * turns), [bytes] "r"(bytes), [word] "r"(pattern->word),
		  [step] "r"(pattern->step), [pairs] "r"((uint64_t)skip / 2),
		  [two_stages] "r"(two_stages)
		: PATTERN_CLOBBERS);
	/* clang-format on */
}
