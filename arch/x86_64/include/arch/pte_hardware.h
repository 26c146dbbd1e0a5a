/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ARCH_PTE_HARDWARE_H
#define ARCH_PTE_HARDWARE_H

#include <stdbool.h>

/* Does an access through an old entry make it young, or is it a fault? Intel SDM vol. 3, 4.8. */
static inline bool arch_hardware_sets_young(void)
{
	return true;
}

/* As Linux: the walk that makes an entry young is dear here, so none is left old. */
static inline bool arch_wants_old_prefaulted_pte(void)
{
	return false;
}

#endif
