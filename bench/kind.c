/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/kind.h"
#include "bench/linux_words.h"
#include "bench/oracle.h"
#include "mm/hugetlb_boot.h"
#include "mm/memmap.h"
#include "mm/memmap_range.h"
#include "mm/stamp.h"
#include "mm/template.h"

static const struct memmap_kind zone_device = {
	.zone = ZONE_DEVICE,
	.base = memmap_base,
	.template = memmap_template,
	.stamp = memmap_stamp,
	.stamp_down = memmap_stamp_down,
	.words = linux_device_words,
	.dead_word = -1,
};

static const struct memmap_kind hugetlb = {
	.zone = ZONE_NORMAL,
	.base = hugetlb_base,
	.template = hugetlb_template,
	.stamp = hugetlb_stamp,
	.words = linux_hugetlb_words,
	.dead_word = 2,
	.finish = oracle_prove_pool,
	.views_head = true,
};

static const struct memmap_kind ordinary = {
	.zone = ZONE_NORMAL,
	.base = memmap_range_base,
	.template = memmap_range_template,
	.stamp = memmap_range_stamp,
	.words = linux_ordinary_words,
	.dead_word = -1,
};

const struct memmap_kind *memmap_kind_of(enum experiment_id experiment)
{
	switch (experiment) {
	case EXP_HUGETLB:
		return &hugetlb;
	case EXP_MEMMAP:
		return &ordinary;
	default:
		return &zone_device;
	}
}

memmap_builder kind_builder(const struct memmap_kind *kind, enum method_id method,
                            const struct copy_backend *backend,
                            const struct memmap_variant *variant)
{
	switch (method) {
	case METHOD_BASE:
		return kind->base(variant);
	case METHOD_TEMPLATE:
		return copy_backend_template(backend, variant) ? kind->template : NULL;
	default:
		return variant->size == sizeof(struct page) || backend->stamp_sized ? kind->stamp
		                                                                    : NULL;
	}
}
