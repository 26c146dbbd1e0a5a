/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/content.c discover/blank.c discover/superblock.c discover/number.c */
#include "tests/fuzz/fuzz.h"

#include <pagestamp/content.h>
#include <pagestamp/superblock.h>

struct device {
	const uint8_t *data;
	size_t size; /* zeros behind it */
	uint64_t range_size;
};

static bool read_bytes(void *ctx, uint64_t offset, void *out, size_t size)
{
	const struct device *device = ctx;

	ALWAYS(size <= 4096 && offset + size <= device->range_size);
	memset(out, 0, size);
	if (offset < device->size)
		memcpy(out, device->data + offset,
		       size < device->size - offset ? size : device->size - offset);
	return true;
}

static bool is_zero(void *ctx, uint64_t offset, uint64_t size)
{
	const struct device *device = ctx;

	ALWAYS(offset + size <= device->range_size);
	for (uint64_t i = offset; i < offset + size && i < device->size; i++)
		if (device->data[i])
			return false;
	return true;
}

/* The bytes are the device's first; what lies beyond them is zero. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct device device = {data, size, 1ull << 30};
	const struct content_reader reader = {read_bytes, is_zero, &device};
	struct pmem_range range = {
		.kind = RANGE_PERSISTENT, .base = 1ull << 32, .size = 1ull << 30};

	content_judge(&range, &reader);
	ALWAYS(range.content != CONTENT_UNREAD);
	ALWAYS(range.holds[0] && strlen(range.holds) < sizeof(range.holds) - 1);
	ALWAYS((range.content == CONTENT_BLANK) == is_zero(&device, 0, size));
	ALWAYS(range.content != CONTENT_NAMESPACE || range.ns.dataoff < range.size);
	return 0;
}
