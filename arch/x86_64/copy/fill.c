/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory's own limit, no work beside it: one register, streamed by the widest stores
 * that are usable. On some machines 8-byte ones reach the same, on others they take a
 * third longer.
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

static void fill_gpr(char *dst, char *end, uint64_t word)
{
	FILL("",
	     "movnti %[word], (%[dst])\n\tmovnti %[word], 8(%[dst])\n\t"
	     "movnti %[word], 16(%[dst])\n\tmovnti %[word], 24(%[dst])\n\t"
	     "movnti %[word], 32(%[dst])\n\tmovnti %[word], 40(%[dst])\n\t"
	     "movnti %[word], 48(%[dst])\n\tmovnti %[word], 56(%[dst])\n\t",
	     "");
}

static void fill_ymm(char *dst, char *end, uint64_t word)
{
	FILL("vmovq %[word], %%xmm0\n\tvpbroadcastq %%xmm0, %%ymm0\n",
	     "vmovntdq %%ymm0, (%[dst])\n\tvmovntdq %%ymm0, 32(%[dst])\n\t", "vzeroupper");
}

static void fill_zmm(char *dst, char *end, uint64_t word)
{
	FILL("vpbroadcastq %[word], %%zmm0\n", "vmovntdq %%zmm0, (%[dst])\n\t", "vzeroupper");
}

static fill_fn widest(void)
{
	return !missing_avx512f() ? fill_zmm : !missing_avx2() ? fill_ymm : fill_gpr;
}

void fill_streaming(void *dst, uint64_t word, size_t bytes)
{
	/* Asked once: under a hypervisor each CPUID takes as long as a thousand lines. */
	static fill_fn fill;

	if (!fill)
		fill = widest();
	if (!bytes)
		return;
	/* Wide ones want whole lines. */
	((uintptr_t)dst & 63 ? fill_gpr : fill)(dst, (char *)dst + bytes, word);
}

void fill_streaming_drain(void)
{
	__asm__ volatile("sfence" : : : "memory");
}
