/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PAGESTAMP_COMPILER_H
#define PAGESTAMP_COMPILER_H

#define ALWAYS_INLINE inline __attribute__((__always_inline__))
#define NOINLINE      __attribute__((__noinline__))

/* As a kernel stores what other CPUs may look at: never merged, never elided. */
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))

#endif
