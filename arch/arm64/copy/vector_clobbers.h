/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With -mgeneral-regs-only the compiler keeps out of vector registers, and refuses them
 * as clobbers. Without it, it must be told. These are those that the copies use: of the
 * others a caller expects something back.
 */
#ifndef ARM64_VECTOR_CLOBBERS_H
#define ARM64_VECTOR_CLOBBERS_H

#ifdef __ARM_NEON
#define VECTOR_CLOBBERS                                                                            \
	"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "p0", "p1",    \
		"memory", "cc"
#else
#define VECTOR_CLOBBERS "memory", "cc"
#endif

#endif
