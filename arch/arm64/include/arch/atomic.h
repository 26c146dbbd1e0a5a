/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Atomic operations as Linux has them on arm64, of both kinds: it patches the LSE
 * instructions in at boot where the CPU has them. Relaxed, but for inc_and_test, which is
 * fully ordered.
 */
#ifndef ARCH_ATOMIC_H
#define ARCH_ATOMIC_H

#include <pagestamp/compiler.h>
#include <stdbool.h>
#include <stdint.h>

/* X(id, name): the kinds there are, what a kernel would use first. */
#define ARCH_ATOMICS(X) X(lse, "lse") X(llsc, "ll/sc")

/* Readable in a Linux process too: the kernel emulates it. */
static inline bool atomics_usable_lse(void)
{
	uint64_t isar0;

	__asm__("mrs %0, id_aa64isar0_el1" : "=r"(isar0));
	return (isar0 >> 20 & 0xf) >= 2;
}

static inline bool atomics_usable_llsc(void)
{
	return true;
}

/* ---- LSE ------------------------------------------------------------------ */

#define LSE(text) ".arch_extension lse\n\t" text

static ALWAYS_INLINE void atomic_add_lse(int32_t *v, int32_t n)
{
	__asm__ volatile(LSE("stadd %w1, %0") : "+Q"(*v) : "r"(n));
}

static ALWAYS_INLINE int32_t atomic_add_return_lse(int32_t *v, int32_t n)
{
	int32_t old;

	__asm__ volatile(LSE("ldadd %w2, %w0, %1") : "=&r"(old), "+Q"(*v) : "r"(n));
	return old + n;
}

static ALWAYS_INLINE bool atomic_inc_and_test_lse(int32_t *v)
{
	int32_t old;

	__asm__ volatile(LSE("ldaddal %w2, %w0, %1") : "=&r"(old), "+Q"(*v) : "r"(1) : "memory");
	return old == -1;
}

static ALWAYS_INLINE void atomic64_add_lse(int64_t *v, int64_t n)
{
	__asm__ volatile(LSE("stadd %1, %0") : "+Q"(*v) : "r"(n));
}

static ALWAYS_INLINE bool try_cmpxchg_local_lse(int32_t *v, int32_t *old, int32_t new)
{
	const int32_t expected = *old;

	__asm__ volatile(LSE("cas %w0, %w2, %1") : "+&r"(*old), "+Q"(*v) : "r"(new));
	return *old == expected;
}

/* ---- load and store exclusive ---------------------------------------------- */

static ALWAYS_INLINE int32_t atomic_add_return_llsc(int32_t *v, int32_t n)
{
	int32_t result;
	uint32_t failed;

	__asm__ volatile("prfm pstl1strm, %2\n"
	                 "1:\tldxr %w0, %2\n\t"
	                 "add %w0, %w0, %w3\n\t"
	                 "stxr %w1, %w0, %2\n\t"
	                 "cbnz %w1, 1b"
	                 : "=&r"(result), "=&r"(failed), "+Q"(*v)
	                 : "r"(n));
	return result;
}

static ALWAYS_INLINE void atomic_add_llsc(int32_t *v, int32_t n)
{
	atomic_add_return_llsc(v, n);
}

static ALWAYS_INLINE bool atomic_inc_and_test_llsc(int32_t *v)
{
	int32_t result;
	uint32_t failed;

	__asm__ volatile("prfm pstl1strm, %2\n"
	                 "1:\tldxr %w0, %2\n\t"
	                 "add %w0, %w0, #1\n\t"
	                 "stlxr %w1, %w0, %2\n\t"
	                 "cbnz %w1, 1b\n\t"
	                 "dmb ish"
	                 : "=&r"(result), "=&r"(failed), "+Q"(*v)
	                 :
	                 : "memory");
	return result == 0;
}

static ALWAYS_INLINE void atomic64_add_llsc(int64_t *v, int64_t n)
{
	int64_t result;
	uint32_t failed;

	__asm__ volatile("prfm pstl1strm, %2\n"
	                 "1:\tldxr %0, %2\n\t"
	                 "add %0, %0, %3\n\t"
	                 "stxr %w1, %0, %2\n\t"
	                 "cbnz %w1, 1b"
	                 : "=&r"(result), "=&r"(failed), "+Q"(*v)
	                 : "r"(n));
}

static ALWAYS_INLINE bool try_cmpxchg_local_llsc(int32_t *v, int32_t *old, int32_t new)
{
	const int32_t expected = *old;
	int32_t seen;
	uint32_t failed;

	__asm__ volatile("prfm pstl1strm, %2\n"
	                 "1:\tldxr %w0, %2\n\t"
	                 "cmp %w0, %w3\n\t"
	                 "b.ne 2f\n\t"
	                 "stxr %w1, %w4, %2\n\t"
	                 "cbnz %w1, 1b\n"
	                 "2:"
	                 : "=&r"(seen), "=&r"(failed), "+Q"(*v)
	                 : "r"(expected), "r"(new)
	                 : "cc");
	*old = seen;
	return seen == expected;
}

#endif
