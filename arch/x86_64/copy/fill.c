/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory's own limits, no work beside them: one register, stored by the widest stores
 * that are usable, streaming or ordinary. On some machines 8-byte ones reach the same, on
 * others they take a third longer.
 */
#include "arch/x86_64/copy/usable.h"
#include <pagestamp/copy.h>

/* All of them: [dst, end) is not empty. */
typedef void (*fill_fn)(char *dst, char *end, uint64_t word);

#ifdef __SSE__
#define FILL_CLOBBERS "xmm0", "memory", "cc"
#else
#define FILL_CLOBBERS "memory", "cc"
#endif

#define FILL(BEGIN, STORES, LEAVE)                                                                 \
	__asm__ volatile(BEGIN "1:\n\t" STORES "addq $64, %[dst]\n\t"                              \
	                       "cmpq %[end], %[dst]\n\t"                                           \
	                       "jne 1b\n\t" LEAVE                                                  \
	                 : [dst] "+r"(dst)                                                         \
	                 : [end] "r"(end), [word] "r"(word)                                        \
	                 : FILL_CLOBBERS)

#define DEFINE_FILL_GPR(name, STORE)                                                               \
	static void name(char *dst, char *end, uint64_t word)                                      \
	{                                                                                          \
		FILL("",                                                                           \
		     STORE " %[word], (%[dst])\n\t" STORE " %[word], 8(%[dst])\n\t" STORE          \
		           " %[word], 16(%[dst])\n\t" STORE " %[word], 24(%[dst])\n\t" STORE       \
		           " %[word], 32(%[dst])\n\t" STORE " %[word], 40(%[dst])\n\t" STORE       \
		           " %[word], 48(%[dst])\n\t" STORE " %[word], 56(%[dst])\n\t",            \
		     "");                                                                          \
	}

#define DEFINE_FILL_YMM(name, STORE)                                                               \
	static void name(char *dst, char *end, uint64_t word)                                      \
	{                                                                                          \
		FILL("vmovq %[word], %%xmm0\n\tvpbroadcastq %%xmm0, %%ymm0\n",                     \
		     STORE " %%ymm0, (%[dst])\n\t" STORE " %%ymm0, 32(%[dst])\n\t", "vzeroupper"); \
	}

#define DEFINE_FILL_ZMM(name, STORE)                                                               \
	static void name(char *dst, char *end, uint64_t word)                                      \
	{                                                                                          \
		FILL("vpbroadcastq %[word], %%zmm0\n", STORE " %%zmm0, (%[dst])\n\t",              \
		     "vzeroupper");                                                                \
	}

DEFINE_FILL_GPR(streaming_gpr, "movnti")
DEFINE_FILL_YMM(streaming_ymm, "vmovntdq")
DEFINE_FILL_ZMM(streaming_zmm, "vmovntdq")
DEFINE_FILL_GPR(ordinary_gpr, "movq")
DEFINE_FILL_YMM(ordinary_ymm, "vmovdqa")
DEFINE_FILL_ZMM(ordinary_zmm, "vmovdqa64")

static const struct fills {
	fill_fn streaming, ordinary;
} by_gpr = {streaming_gpr, ordinary_gpr}, by_ymm = {streaming_ymm, ordinary_ymm},
  by_zmm = {streaming_zmm, ordinary_zmm};

/* Wide ones want whole lines. */
static const struct fills *fills_for(const void *dst)
{
	/* Asked once: under a hypervisor each CPUID takes as long as a thousand lines. */
	static const struct fills *widest;

	if (!widest)
		widest = !missing_avx512f() ? &by_zmm : !missing_avx2() ? &by_ymm : &by_gpr;
	return (uintptr_t)dst & 63 ? &by_gpr : widest;
}

void fill_streaming(void *dst, uint64_t word, size_t bytes)
{
	if (bytes)
		fills_for(dst)->streaming(dst, (char *)dst + bytes, word);
}

void fill_streaming_drain(void)
{
	__asm__ volatile("sfence" : : : "memory");
}

void fill_ordinary(void *dst, uint64_t word, size_t bytes)
{
	if (bytes)
		fills_for(dst)->ordinary(dst, (char *)dst + bytes, word);
}
