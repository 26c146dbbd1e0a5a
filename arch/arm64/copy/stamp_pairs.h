/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stamp from eight general registers in pairs, for the including backend's STORE
 * mnemonic. Advancing words are an add each, their deltas in registers too.
 */
static void stamp_pairs(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	uint64_t a = image[0], b = image[1], c = image[2], d = image[3];
	uint64_t e = image[4], f = image[5], g = image[6], h = image[7];
	const char *end = (char *)dst + 64 * n;

	if (!n)
		return;
	if (!delta) {
		__asm__ volatile(
			"1:\n\t" STORE " %2, %3, [%0]\n\t" STORE " %4, %5, [%0, #16]\n\t" STORE
			" %6, %7, [%0, #32]\n\t" STORE " %8, %9, [%0, #48]\n\t"
			"add %0, %0, #64\n\t"
			"cmp %0, %1\n\t"
			"b.ne 1b"
			: "+r"(dst)
			: "r"(end), "r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f), "r"(g), "r"(h)
			: "memory", "cc");
		return;
	}
	for (char *to = dst; to != end; to += 64) {
		__asm__ volatile(STORE " %1, %2, [%0]\n\t" STORE " %3, %4, [%0, #16]\n\t" STORE
		                       " %5, %6, [%0, #32]\n\t" STORE " %7, %8, [%0, #48]"
		                 :
		                 : "r"(to), "r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f), "r"(g),
		                   "r"(h)
		                 : "memory");
		a += delta[0];
		b += delta[1];
		c += delta[2];
		d += delta[3];
		e += delta[4];
		f += delta[5];
		g += delta[6];
		h += delta[7];
	}
}
