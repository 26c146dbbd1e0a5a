/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loop of every stamp whose image is in registers. ONE(at) is the assembly that
 * stores the descriptor at byte `at` behind %[dst] and, with deltas, advances the image
 * to the next one. Eight descriptors a turn, since the loop's own three instructions
 * would show beside two stores, then the rest one by one. No turn at all is fine.
 */
#ifndef X86_64_STAMP_LOOP_H
#define X86_64_STAMP_LOOP_H

#define STAMP_LOOP(ONE)                                                                            \
	"cmpq %[eights], %[dst]\n\t"                                                               \
	"je 2f\n"                                                                                  \
	"1:\n\t" ONE("0") ONE("64") ONE("128") ONE("192") ONE("256") ONE("320") ONE("384")         \
		ONE("448") "addq $512, %[dst]\n\t"                                                 \
			   "cmpq %[eights], %[dst]\n\t"                                            \
			   "jne 1b\n"                                                              \
			   "2:\n\t"                                                                \
			   "cmpq %[end], %[dst]\n\t"                                               \
			   "je 4f\n"                                                               \
			   "3:\n\t" ONE("0") "addq $64, %[dst]\n\t"                                \
					     "cmpq %[end], %[dst]\n\t"                             \
					     "jne 3b\n"                                            \
					     "4:\n\t"

/* A constant image from the last descriptor, behind which %[dst] stands, to %[begin]. */
#define STAMP_LOOP_DOWN(ONE)                                                                       \
	"cmpq %[begin], %[dst]\n\t"                                                                \
	"je 2f\n"                                                                                  \
	"1:\n\t"                                                                                   \
	"subq $64, %[dst]\n\t" ONE("0") "cmpq %[begin], %[dst]\n\t"                                \
					"jne 1b\n"                                                 \
					"2:\n\t"

/* Where the turns of eight end, and where all does. */
#define STAMP_ENDS(dst, n)                                                                         \
	[eights] "r"((char *)(dst) + 512 * ((n) / 8)), [end] "r"((char *)(dst) + 64 * (n))

#endif
