/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/pm_timer.h"

#include <pagestamp/arch.h>
#include <pagestamp/firmware.h>
#include <string.h>

/* Offsets into the FADT (ACPI 6.5, 5.2.9). */
enum {
	FADT_PM_TMR_BLK = 76,
	FADT_PM_TMR_LEN = 91,
	FADT_FLAGS = 112,
	FADT_X_PM_TMR_BLK = 208,
	FADT_X_PM_TMR_END = 220,
};
#define FLAG_32_BITS          (1u << 8)
#define FLAG_HARDWARE_REDUCED (1u << 20)
#define SPACE_IO              1

static uint64_t field(const struct firmware_bytes *table, size_t at, size_t bytes)
{
	uint64_t value = 0;

	if (at + bytes <= table->size)
		memcpy(&value, table->data + at, bytes);
	return value;
}

bool pm_timer_find(struct pm_timer *out)
{
	struct firmware_bytes fadt;
	uint64_t flags, port;

	if (!firmware_acpi_table("FACP", 0, &fadt))
		return false;
	flags = field(&fadt, FADT_FLAGS, 4);
	port = field(&fadt, FADT_PM_TMR_BLK, 4);
	if (flags & FLAG_HARDWARE_REDUCED)
		return false;
	/* The extended address, where it is given, is the one that holds. */
	if (fadt.size >= FADT_X_PM_TMR_END && field(&fadt, FADT_X_PM_TMR_BLK + 4, 8)) {
		if (field(&fadt, FADT_X_PM_TMR_BLK, 1) != SPACE_IO)
			return false;
		port = field(&fadt, FADT_X_PM_TMR_BLK + 4, 8);
	} else if (field(&fadt, FADT_PM_TMR_LEN, 1) != 4) {
		return false;
	}
	if (!port || port > UINT16_MAX)
		return false;
	*out = (struct pm_timer){(uint16_t)port, flags & FLAG_32_BITS ? 0xffffffff : 0xffffff};
	return arch_port_read32(out->port, &(uint32_t){0});
}

uint32_t pm_timer_read(const struct pm_timer *timer)
{
	uint32_t value = 0;

	arch_port_read32(timer->port, &value);
	return value & timer->mask;
}
