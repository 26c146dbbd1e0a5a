/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the firmware has to say, as raw bytes: boot/firmware.c fetches, discover/
 * understands. No EFI type here. The bytes are the firmware's own memory unless
 * said otherwise: read them outside the window, never write or free them.
 */
#ifndef PAGESTAMP_FIRMWARE_H
#define PAGESTAMP_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct firmware_bytes {
	const uint8_t *data;
	size_t size;
};

/* A copy: free() `bytes`. `stride` is the firmware's; it may exceed the descriptor it describes. */
struct firmware_memory_map {
	uint8_t *bytes;
	size_t size, stride;
	uint32_t version;
};

bool firmware_memory_map(struct firmware_memory_map *out);

/*
 * The index-th ACPI table with this signature, header included, as long as its
 * header says. The checksum is not judged here. False: no such table.
 */
bool firmware_acpi_table(const char signature[4], size_t index, struct firmware_bytes *out);

/* The SMBIOS structures, by the first entry point that is whole ("_SM3_", then "_SM_"). */
bool firmware_smbios(struct firmware_bytes *structures);

/* 1 on, 0 off, -1 the firmware does not say. */
int firmware_secure_boot(void);

/* "vendor revision", ASCII; "" when the firmware has no name. */
void firmware_name(char *out, size_t size);

#endif
