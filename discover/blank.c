/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/blank.h>

#define EDGE      (2ull << 20)
#define BLOCK     4096ull
#define NR_BLOCKS 4096u

bool blank_judge(blank_reader zero, void *ctx, uint64_t size)
{
	uint64_t between;

	if (size <= 2 * EDGE + NR_BLOCKS * BLOCK)
		return zero(ctx, 0, size);
	if (!zero(ctx, 0, EDGE) || !zero(ctx, size - EDGE, EDGE))
		return false;
	between = size - 2 * EDGE;
	for (uint64_t i = 0; i < NR_BLOCKS; i++)
		if (!zero(ctx, EDGE + between * i / NR_BLOCKS / BLOCK * BLOCK, BLOCK))
			return false;
	return true;
}
