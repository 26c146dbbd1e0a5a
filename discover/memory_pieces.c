/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose memory lies where: the EFI map's, by the SRAT's nodes. */
#include <pagestamp/hugepage_alloc.h>

#include "discover/array.h"

#include <stdio.h>

static bool add_node(struct memory_pieces *pieces, uint32_t node)
{
	uint32_t *grown;
	size_t at = 0;

	while (at < pieces->nr_nodes && pieces->node[at] < node)
		at++;
	if (at < pieces->nr_nodes && pieces->node[at] == node)
		return true;
	grown = array_grow(pieces->node, pieces->nr_nodes, sizeof(*grown));
	if (!grown)
		return false;
	pieces->node = grown;
	memmove(grown + at + 1, grown + at, (pieces->nr_nodes++ - at) * sizeof(*grown));
	grown[at] = node;
	return true;
}

bool memory_pieces_add(struct memory_pieces *pieces, uint64_t base, uint64_t size, uint32_t node)
{
	struct memory_piece *last = pieces->nr ? &pieces->piece[pieces->nr - 1] : NULL;
	struct memory_piece *grown;

	if (last && last->node == node && last->base + last->size == base) {
		last->size += size;
		return true;
	}
	grown = array_grow(pieces->piece, pieces->nr, sizeof(*grown));
	if (!grown)
		return false;
	pieces->piece = grown;
	grown[pieces->nr++] = (struct memory_piece){base, size, node};
	return add_node(pieces, node);
}

/* The first address in (at, end) where the SRAT may begin to say something else; else end. */
static uint64_t next_edge(const struct srat *srat, uint64_t at, uint64_t end)
{
	for (size_t i = 0; i < srat->nr; i++) {
		const struct srat_memory *memory = &srat->memory[i];

		if (memory->base > at && memory->base < end)
			end = memory->base;
		else if (memory->base <= at && memory->length > at - memory->base &&
		         memory->length < end - memory->base)
			end = memory->base + memory->length;
	}
	return end;
}

bool memory_pieces_build(const struct efi_map *map, const struct srat *srat,
                         struct memory_pieces *out, char *why, size_t why_size)
{
	const struct efi_region *region;
	size_t cursor = 0;

	*out = (struct memory_pieces){0};
	while ((region = efi_map_next_conventional(map, &cursor))) {
		const uint64_t end = region->base + region->size;
		uint64_t edge;

		for (uint64_t at = region->base; at < end; at = edge) {
			uint32_t node = 0;

			edge = next_edge(srat, at, end);
			srat_domain(srat, at, &node);
			if (memory_pieces_add(out, at, edge - at, node))
				continue;
			snprintf(why, why_size, "memory of the nodes: out of memory");
			memory_pieces_free(out);
			return false;
		}
	}
	return true;
}

void memory_pieces_free(struct memory_pieces *pieces)
{
	free(pieces->piece);
	free(pieces->node);
	*pieces = (struct memory_pieces){0};
}
