/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/superblock.c discover/geometry.c discover/number.c */
#include "tests/fuzz/fuzz.h"

#include <pagestamp/geometry.h>
#include <pagestamp/superblock.h>

/* 16 bytes of base and size, then the block behind its signature; sealed, so that fields count. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t block[SUPERBLOCK_SIZE];
	struct pmem_range range = {.content = CONTENT_NAMESPACE};
	struct geometry g;
	uint64_t sum;
	static const struct memmap_variant usual = {.size = 64, .page_shift = 12};
	const char *why;
	char text[64];

	if (size < 17)
		return 0;
	memcpy(&range.base, data, 8);
	memcpy(&range.size, data + 8, 8);
	range.base = (range.base & 0xffffffffff) << 12;
	range.size = (range.size & 0xfffffffff) << 12;
	memset(block, 0, sizeof(block));
	memcpy(block, data[16] & 1 ? "NVDIMM_PFN_INFO" : "NVDIMM_DAX_INFO", 16);
	memcpy(block + 16, data + 17, size - 17 < 4064 ? size - 17 : 4064);
	sum = superblock_checksum(block);
	for (unsigned i = 0; i < 8; i++)
		block[4088 + i] = (uint8_t)(sum >> (8 * i));
	switch (superblock_read(block, range.base, range.size, &range.ns, &why)) {
	case SUPERBLOCK_GOOD:
		break;
	case SUPERBLOCK_REFUSED:
		ALWAYS(why[0]);
		return 0;
	default:
		abort();
	}
	ALWAYS(range.ns.dataoff < range.size && range.ns.size <= range.size - range.ns.dataoff);
	superblock_describe(&range.ns, text, sizeof(text));
	for (unsigned e = EXP_FSDAX; e <= EXP_DEVDAX_1G; e++) {
		if (!namespace_matches(&range, e, &usual) ||
		    !geometry_for(&range, e, &usual, true, true, &g))
			continue;
		ALWAYS(g.store_begin >= DESCRIPTOR_AREA && g.store_end <= g.dataoff);
		ALWAYS((g.start_pfn + g.nr_pages) * 4096 <= range.base + range.size);
		ALWAYS(g.start_pfn * 4096 >= range.base + g.dataoff);
	}
	return 0;
}
