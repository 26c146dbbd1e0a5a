/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stamp from eight general registers, for the including backend's STORE mnemonic.
 * Advancing words are an add each: their deltas stay in memory, the image does not.
 */
static void stamp_gpr(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	register uint64_t a __asm__("r8") = image[0];
	register uint64_t b __asm__("r9") = image[1];
	register uint64_t c __asm__("r10") = image[2];
	register uint64_t d __asm__("r11") = image[3];
	register uint64_t e __asm__("r12") = image[4];
	register uint64_t f __asm__("r13") = image[5];
	register uint64_t g __asm__("r14") = image[6];
	register uint64_t h __asm__("r15") = image[7];
	char *end = (char *)dst + 64 * n;

	if (!n)
		return;
	if (!delta) {
		__asm__ volatile(
			"1:\n\t" STORE " %2, (%0)\n\t" STORE " %3, 8(%0)\n\t" STORE
			" %4, 16(%0)\n\t" STORE " %5, 24(%0)\n\t" STORE " %6, 32(%0)\n\t" STORE
			" %7, 40(%0)\n\t" STORE " %8, 48(%0)\n\t" STORE " %9, 56(%0)\n\t"
			"addq $64, %0\n\t"
			"cmpq %1, %0\n\t"
			"jne 1b"
			: "+r"(dst)
			: "r"(end), "r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f), "r"(g), "r"(h)
			: "memory", "cc");
		return;
	}
	__asm__ volatile("1:\n\t" STORE " %1, (%0)\n\t" STORE " %2, 8(%0)\n\t" STORE
	                 " %3, 16(%0)\n\t" STORE " %4, 24(%0)\n\t" STORE " %5, 32(%0)\n\t" STORE
	                 " %6, 40(%0)\n\t" STORE " %7, 48(%0)\n\t" STORE " %8, 56(%0)\n\t"
	                 "addq (%10), %1\n\taddq 8(%10), %2\n\taddq 16(%10), %3\n\t"
	                 "addq 24(%10), %4\n\taddq 32(%10), %5\n\taddq 40(%10), %6\n\t"
	                 "addq 48(%10), %7\n\taddq 56(%10), %8\n\t"
	                 "addq $64, %0\n\t"
	                 "cmpq %9, %0\n\t"
	                 "jne 1b"
	                 : "+r"(dst), "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g),
	                   "+r"(h)
	                 : "r"(end), "r"(delta)
	                 : "memory", "cc");
}
