/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memcpy_nt(dst, src, n): memcpy without a result that streams past the cache when
 * dst is 8-byte aligned and n is a non-zero multiple of 4; otherwise it is exactly
 * memcpy. Stores ascend. memcpy_nt_drain() orders the streamed stores before
 * anything later. An architecture that supplies neither degrades to memcpy and an
 * empty drain. Rule: the series' memcpy_nt contract (docs/design.md, "Streaming").
 */
#ifndef PAGESTAMP_MEMCPY_NT_H
#define PAGESTAMP_MEMCPY_NT_H

#include <arch/memcpy_nt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool memcpy_nt_streams(const void *dst, size_t n)
{
	return !((uintptr_t)dst & 7) && n && !(n & 3);
}

static ALWAYS_INLINE void memcpy_nt(void *dst, const void *src, size_t n)
{
#ifdef ARCH_HAS_MEMCPY_NT
	if (memcpy_nt_streams(dst, n)) {
		arch_memcpy_nt(dst, src, n);
		return;
	}
#endif
	memcpy(dst, src, n);
}

static ALWAYS_INLINE void memcpy_nt_drain(void)
{
#ifdef ARCH_HAS_MEMCPY_NT
	arch_memcpy_nt_drain();
#endif
}

#endif
