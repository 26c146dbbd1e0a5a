/* SPDX-License-Identifier: BSD-2-Clause */
/* The ACPI power-management timer: 3.579545 MHz, free-running, 24 or 32 bits. */
#ifndef BOOT_PM_TIMER_H
#define BOOT_PM_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#define PM_TIMER_HZ 3579545u

struct pm_timer {
	uint16_t port;
	uint32_t mask;
};

/* False: the platform has none, or not at an I/O port. */
bool pm_timer_find(struct pm_timer *out);
uint32_t pm_timer_read(const struct pm_timer *timer);

#endif
