/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX: two registers an image; dst 32-byte aligned. */
#define LOAD_IMAGE(from) "vmovdqu (%[" from "]), %%ymm0\n\tvmovdqu 32(%[" from "]), %%ymm1\n\t"
#define LOAD_DELTA(from) "vmovdqu (%[" from "]), %%ymm2\n\tvmovdqu 32(%[" from "]), %%ymm3\n\t"
#define STORE_IMAGE(at)  STORE " %%ymm0, " at "(%[dst])\n\t" STORE " %%ymm1, 32+" at "(%[dst])\n\t"
#define ADD_DELTA        "vpaddq %%ymm2, %%ymm0, %%ymm0\n\tvpaddq %%ymm3, %%ymm1, %%ymm1\n\t"
#define LEAVE            "vzeroupper\n\t"
#define REGISTER         "%%ymm"
#define REGISTER_BYTES   32
#define LOAD(from, to)   "vmovdqa " from ", " to
#define ADD(from, to)    "vpaddq " from ", " to ", " to
#define SAME_LENGTH      "%{disp32%} "

#include "arch/x86_64/copy/vector.h"
