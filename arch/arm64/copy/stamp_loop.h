/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loop of every stamp whose image is in registers. ONE(at) is the assembly that
 * stores the descriptor at byte `at` behind %[dst] and, with deltas, advances the image
 * to the next one. Eight descriptors a turn, since the loop's own three instructions
 * would show beside two stores, then the rest one by one. No turn at all is fine.
 */
#ifndef ARM64_STAMP_LOOP_H
#define ARM64_STAMP_LOOP_H

#define STAMP_LOOP(ONE)                                                                            \
	"cmp %[dst], %[eights]\n\t"                                                                \
	"b.eq 2f\n"                                                                                \
	"1:\n\t" ONE("0") ONE("64") ONE("128") ONE("192") ONE("256") ONE("320") ONE("384")         \
		ONE("448") "add %[dst], %[dst], #512\n\t"                                          \
			   "cmp %[dst], %[eights]\n\t"                                             \
			   "b.ne 1b\n"                                                             \
			   "2:\n\t"                                                                \
			   "cmp %[dst], %[end]\n\t"                                                \
			   "b.eq 4f\n"                                                             \
			   "3:\n\t" ONE("0") "add %[dst], %[dst], #64\n\t"                         \
					     "cmp %[dst], %[end]\n\t"                              \
					     "b.ne 3b\n"                                           \
					     "4:\n\t"

/* A constant image from the last descriptor, behind which %[dst] stands, to %[begin]. */
#define STAMP_LOOP_DOWN(ONE)                                                                       \
	"cmp %[dst], %[begin]\n\t"                                                                 \
	"b.eq 2f\n"                                                                                \
	"1:\n\t"                                                                                   \
	"sub %[dst], %[dst], #64\n\t" ONE("0") "cmp %[dst], %[begin]\n\t"                          \
					       "b.ne 1b\n"                                         \
					       "2:\n\t"

/* Where the turns of eight end, and where all does. */
#define STAMP_ENDS(dst, n)                                                                         \
	[eights] "r"((char *)(dst) + 512 * ((n) / 8)), [end] "r"((char *)(dst) + 64 * (n))

#endif
