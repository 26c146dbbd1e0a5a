/* SPDX-License-Identifier: BSD-2-Clause */
/* A sparse make-believe device: the first bytes given, zeros behind them, and single marks. */
#ifndef TESTS_UNIT_PMEM_IMAGE_H
#define TESTS_UNIT_PMEM_IMAGE_H

#include "tests/unit/samples.h"

#include <pagestamp/content.h>
#include <pagestamp/superblock.h>

struct image {
	struct bytes head;
	uint64_t size;
	uint64_t mark;   /* offset of one non-zero byte, UINT64_MAX = none */
	uint64_t poison; /* offset of a line that raises an error, UINT64_MAX = none */
	bool broken;     /* nothing can be read */
	struct pmem_range *judged;
	uint64_t zero_calls, zero_bytes;
};

static inline bool image_poisoned(const struct image *image, uint64_t offset, uint64_t size)
{
	if (image->poison >= offset + size || image->poison + 64 <= offset)
		return false;
	image->judged->poisoned = image->judged->base + image->poison;
	return true;
}

static inline bool image_read(void *ctx, uint64_t offset, void *out, size_t size)
{
	struct image *image = ctx;
	uint8_t *to = out;

	assert_true(offset + size <= image->size && size <= 4096);
	for (uint64_t i = offset; i < offset + size; i++)
		*to++ = i == image->mark ? 1 : i < image->head.size ? image->head.data[i] : 0;
	return !image->broken && !image_poisoned(image, offset, size);
}

static inline bool image_zero(void *ctx, uint64_t offset, uint64_t size)
{
	struct image *image = ctx;

	assert_true(offset + size <= image->size && size);
	image->zero_calls++;
	image->zero_bytes += size;
	if (image_poisoned(image, offset, size))
		return false;
	for (uint64_t i = offset; i < offset + size && i < image->head.size; i++)
		if (image->head.data[i])
			return false;
	return !image->broken && !(image->mark >= offset && image->mark < offset + size);
}

/* A range of `size` bytes at `base` whose first bytes are those of tests/data/nvdimm/<name>. */
static inline struct pmem_range image_range(struct image *image, const char *name, uint64_t base,
                                            uint64_t size)
{
	char path[128];

	*image = (struct image){.size = size, .mark = UINT64_MAX, .poison = UINT64_MAX};
	if (name) {
		snprintf(path, sizeof(path), "nvdimm/%s.head.bin", name);
		image->head = data_file(path);
	}
	return (struct pmem_range){.id = "pmem0",
	                           .kind = RANGE_PERSISTENT,
	                           .source = "nfit",
	                           .base = base,
	                           .size = size};
}

static inline void image_judge(struct image *image, struct pmem_range *range)
{
	const struct content_reader reader = {image_read, image_zero, image};

	image->judged = range;
	content_judge(range, &reader);
}

static inline void image_reseal(uint8_t *superblock)
{
	put64(superblock + 4088, superblock_checksum(superblock));
}

#endif
