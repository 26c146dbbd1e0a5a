/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * AVX-512: one register an image; dst 64-byte aligned. VZEROUPPER clears the upper parts
 * of zmm0 to zmm15, so only those are used.
 */
#define LOAD_IMAGE(from) "vmovdqu64 (%[" from "]), %%zmm0\n\t"
#define LOAD_DELTA(from) "vmovdqu64 (%[" from "]), %%zmm1\n\t"
#define STORE_IMAGE(at)  STORE " %%zmm0, " at "(%[dst])\n\t"
#define ADD_DELTA        "vpaddq %%zmm1, %%zmm0, %%zmm0\n\t"
#define LEAVE            "vzeroupper\n\t"
#define REGISTER         "%%zmm"
#define REGISTER_BYTES   64
#define LOAD(from, to)   "vmovdqa64 " from ", " to
#define ADD(from, to)    "vpaddq " from ", " to ", " to
#define SAME_LENGTH      "%{disp32%} "

#include "arch/x86_64/copy/vector.h"
