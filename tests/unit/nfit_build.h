/* SPDX-License-Identifier: BSD-2-Clause */
/* NFITs made to order. */
#ifndef TESTS_UNIT_NFIT_BUILD_H
#define TESTS_UNIT_NFIT_BUILD_H

#include "tests/unit/samples.h"

static const uint8_t nfit_persistent_guid[16] = {0x79, 0xd3, 0xf0, 0x66, 0xf3, 0xb4, 0x74, 0x40,
                                                 0xac, 0x43, 0x0d, 0x33, 0x18, 0xb7, 0x8c, 0xdb};
static const uint8_t nfit_volatile_guid[16] = {0x4f, 0x94, 0x05, 0x73, 0xda, 0xfd, 0xe3, 0x44,
                                               0xb1, 0x6c, 0x3f, 0x22, 0xd2, 0x52, 0xe5, 0xd0};
static const uint8_t nfit_control_guid[16] = {0xf6, 0x01, 0xf7, 0x92, 0xb4, 0x13, 0x5d, 0x40,
                                              0x91, 0x0b, 0x29, 0x93, 0x67, 0xe8, 0x23, 0x4c};
static const uint8_t nfit_virtual_disk_guid[16] = {0x5a, 0x53, 0xab, 0x77, 0xfc, 0x45, 0x4b, 0x62,
                                                   0x55, 0x60, 0xf7, 0xb2, 0x81, 0xd1, 0xf9, 0x6e};

static inline struct bytes nfit_begin(void)
{
	struct bytes table = acpi_begin("NFIT", 1);

	bytes_add(&table, 4);
	return table;
}

static inline uint8_t *nfit_add(struct bytes *table, uint16_t type, uint16_t length)
{
	uint8_t *at = bytes_add(table, length);

	put16(at, type);
	put16(at + 2, length);
	return at;
}

/* Attributes 0x8008; no proximity domain until the caller sets one (flags at 6, domain at 12). */
static inline uint8_t *nfit_add_range(struct bytes *table, uint16_t length, uint16_t index,
                                      const uint8_t *guid, uint64_t base, uint64_t size)
{
	uint8_t *at = nfit_add(table, 0, length);

	put16(at + 4, index);
	memcpy(at + 16, guid, 16);
	put64(at + 32, base);
	put64(at + 40, size);
	put64(at + 48, 0x8008);
	return at;
}

static inline uint8_t *nfit_add_mapping(struct bytes *table, uint16_t length, uint16_t range,
                                        uint16_t state)
{
	uint8_t *at = nfit_add(table, 1, length);

	put16(at + 12, range);
	put16(at + 44, state);
	return at;
}

#endif
