/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/superblock.h>

#include "discover/fletcher.h"
#include "discover/le.h"
#include "discover/number.h"

#include <stdio.h>
#include <string.h>

/* Linux: memremap_compat_align() of both architectures at 4 KiB pages, one subsection. */
#define COMPAT_ALIGN (2ull << 20)
/* Linux: nd_info_block_reserve(). */
#define RESERVE 8192u

#define CHECKSUM_AT (SUPERBLOCK_SIZE - 8)

enum { MODE_RAM = 1, MODE_PMEM = 2 };

uint64_t superblock_checksum(const uint8_t *block)
{
	return fletcher64(block, SUPERBLOCK_SIZE, CHECKSUM_AT);
}

static bool is_aligned(uint64_t value, uint64_t align)
{
	return (value & (align - 1)) == 0;
}

static bool is_power_of_two(uint64_t value)
{
	return value && (value & (value - 1)) == 0;
}

static uint64_t lowest_power_not_above(uint64_t value)
{
	while (value & (value - 1))
		value &= value - 1;
	return value;
}

/* NULL when a kernel would bind it on [base, base + size). */
static const char *objection(const struct pmem_namespace *ns, uint64_t raw_dataoff, uint32_t mode,
                             uint64_t base, uint64_t size)
{
	if (mode != MODE_RAM && mode != MODE_PMEM)
		return "its mode is neither RAM nor PMEM";
	if (mode == MODE_PMEM && ns->page_size > 4096)
		return "made for larger base pages";
	if (mode == MODE_PMEM && ns->page_struct_size < 64)
		return "made for smaller descriptors";
	if (!is_power_of_two(ns->page_size) || ns->page_size < 4096)
		return "its page size cannot be";
	if (!is_power_of_two(ns->align) || ns->align > size)
		return "its alignment cannot be";
	if (ns->mode == NS_DEVDAX && ns->align != 4096 && ns->align != 2ull << 20 &&
	    ns->align != 1ull << 30)
		return "its alignment is not supported";
	if (raw_dataoff < RESERVE || !is_aligned(raw_dataoff, 4096))
		return "its data offset cannot be";
	if (raw_dataoff >= size || raw_dataoff + ns->start_pad + (uint64_t)ns->end_trunc >= size)
		return "its data lie beyond the range";
	if (!is_aligned(base + ns->dataoff, ns->align))
		return "its data are not aligned at this address";
	if (!is_aligned(base + ns->start_pad, COMPAT_ALIGN) ||
	    !is_aligned(base + size - ns->end_trunc, COMPAT_ALIGN))
		return "the range is not aligned to 2 MiB";
	if (ns->npfns == 0)
		return "it has no pages";
	return NULL;
}

static uint64_t data_size(const struct pmem_namespace *ns, uint64_t size)
{
	uint64_t behind = size - ns->dataoff - ns->end_trunc;

	return ns->npfns < behind / ns->page_size ? ns->npfns * ns->page_size : behind;
}

enum superblock_state superblock_read(const uint8_t *block, uint64_t base, uint64_t size,
                                      struct pmem_namespace *out, const char **why)
{
	unsigned minor = le16(block + 54);
	uint64_t raw_dataoff = le64(block + 56);
	uint32_t mode = le32(block + 72);

	*out = (struct pmem_namespace){0};
	if (memcmp(block, "NVDIMM_PFN_INFO", 16) == 0)
		out->mode = NS_FSDAX;
	else if (memcmp(block, "NVDIMM_DAX_INFO", 16) == 0)
		out->mode = NS_DEVDAX;
	else
		return SUPERBLOCK_NONE;
	if (le64(block + CHECKSUM_AT) != superblock_checksum(block))
		return SUPERBLOCK_BROKEN;

	memcpy(out->uuid, block + 16, sizeof(out->uuid));
	out->map = mode == MODE_PMEM ? NS_MAP_DEV : NS_MAP_MEM;
	out->npfns = le64(block + 64);
	/* Fields that a version did not have yet are not looked at, whatever stands there. */
	out->start_pad = minor >= 1 ? le32(block + 76) : 0;
	out->end_trunc = minor >= 1 ? le32(block + 80) : 0;
	out->align = minor >= 2 ? le32(block + 84) : 0;
	out->page_size = minor >= 4 ? le32(block + 88) : 4096;
	out->page_struct_size = minor >= 4 ? le16(block + 92) : 64;
	if (out->align == 0)
		out->align = lowest_power_not_above(raw_dataoff);
	out->dataoff = raw_dataoff + out->start_pad;
	*why = objection(out, raw_dataoff, mode, base, size);
	if (*why)
		return SUPERBLOCK_REFUSED;
	out->size = data_size(out, size);
	return SUPERBLOCK_GOOD;
}

void superblock_describe(const struct pmem_namespace *ns, char *out, size_t out_size)
{
	char align[24];

	size_text(ns->align, align, sizeof(align));
	snprintf(out, out_size, "%s map=%s align=%s", ns->mode == NS_FSDAX ? "fsdax" : "devdax",
	         ns->map == NS_MAP_DEV ? "dev" : "mem", align);
}
