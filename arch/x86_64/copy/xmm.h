/* SPDX-License-Identifier: BSD-2-Clause */
/* SSE2: four registers an image; dst 16-byte aligned. No upper halves. */
#define LOAD_IMAGE(from)                                                                           \
	"movdqu (%[" from "]), %%xmm0\n\tmovdqu 16(%[" from "]), %%xmm1\n\t"                       \
	"movdqu 32(%[" from "]), %%xmm2\n\tmovdqu 48(%[" from "]), %%xmm3\n\t"
#define LOAD_DELTA(from)                                                                           \
	"movdqu (%[" from "]), %%xmm4\n\tmovdqu 16(%[" from "]), %%xmm5\n\t"                       \
	"movdqu 32(%[" from "]), %%xmm6\n\tmovdqu 48(%[" from "]), %%xmm7\n\t"
#define STORE_IMAGE(at)                                                                            \
	STORE " %%xmm0, " at "(%[dst])\n\t" STORE " %%xmm1, 16+" at "(%[dst])\n\t" STORE           \
	      " %%xmm2, 32+" at "(%[dst])\n\t" STORE " %%xmm3, 48+" at "(%[dst])\n\t"
#define ADD_DELTA                                                                                  \
	"paddq %%xmm4, %%xmm0\n\tpaddq %%xmm5, %%xmm1\n\t"                                         \
	"paddq %%xmm6, %%xmm2\n\tpaddq %%xmm7, %%xmm3\n\t"
#define LEAVE          ""
#define REGISTER       "%%xmm"
#define REGISTER_BYTES 16
#define LOAD(from, to) "movdqa " from ", " to
#define ADD(from, to)  "paddq " from ", " to
#define SAME_LENGTH    "%{disp32%} %{rex%} "

#include "arch/x86_64/copy/vector.h"
