/* SPDX-License-Identifier: BSD-2-Clause */
/* Atomic operations as Linux has them on x86-64. Each is also a full barrier, but _local. */
#ifndef ARCH_ATOMIC_H
#define ARCH_ATOMIC_H

#include <pagestamp/compiler.h>
#include <stdbool.h>
#include <stdint.h>

/* X(id, name): the kinds there are, what a kernel would use first. */
#define ARCH_ATOMICS(X) X(lock, "lock")

static inline bool atomics_usable_lock(void)
{
	return true;
}

static ALWAYS_INLINE void atomic_add_lock(int32_t *v, int32_t n)
{
	__asm__ volatile("lock addl %1, %0" : "+m"(*v) : "er"(n) : "memory");
}

static ALWAYS_INLINE int32_t atomic_add_return_lock(int32_t *v, int32_t n)
{
	int32_t old = n;

	__asm__ volatile("lock xaddl %0, %1" : "+r"(old), "+m"(*v) : : "memory");
	return old + n;
}

static ALWAYS_INLINE bool atomic_inc_and_test_lock(int32_t *v)
{
	bool zero;

	__asm__ volatile("lock incl %0" : "+m"(*v), "=@ccz"(zero) : : "memory");
	return zero;
}

static ALWAYS_INLINE void atomic64_add_lock(int64_t *v, int64_t n)
{
	__asm__ volatile("lock addq %1, %0" : "+m"(*v) : "er"(n) : "memory");
}

/* Atomic on this CPU only: no lock prefix, as this_cpu_try_cmpxchg(). */
static ALWAYS_INLINE bool try_cmpxchg_local_lock(int32_t *v, int32_t *old, int32_t new)
{
	bool done;

	__asm__ volatile("cmpxchgl %3, %1"
	                 : "=@ccz"(done), "+m"(*v), "+a"(*old)
	                 : "r"(new)
	                 : "memory");
	return done;
}

#endif
