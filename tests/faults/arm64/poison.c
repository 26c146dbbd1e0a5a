/* SPDX-License-Identifier: BSD-2-Clause */
/* An address of QEMU's "virt" where nothing is: reading it is a real external abort. */
#include "tests/faults/poison.h"

#include <pagestamp/window.h>

bool __real_window_map_readonly(uintptr_t va, const struct pmem_range *range, uint64_t offset,
                                uint64_t size);

#define NOTHING 0x0b000000ull

bool poison_view(uintptr_t va, const struct pmem_range *range, uint64_t offset, uint64_t size,
                 void (**fn)(void *arg))
{
	const struct pmem_range nothing = {.base = NOTHING, .size = WINDOW_PAGE};

	(void)range;
	(void)offset;
	(void)fn;
	/* By the wrapper's own name: what is seen here is no view of a range. */
	return __real_window_map_readonly(va + (size > POISON_AT ? POISON_AT : 0), &nothing, 0,
	                                  WINDOW_PAGE);
}
