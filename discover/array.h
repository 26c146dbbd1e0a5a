/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays that grow by one item at a time: tables say how much there is only at their end. */
#ifndef DISCOVER_ARRAY_H
#define DISCOVER_ARRAY_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * Makes room for one more zeroed item behind `nr` items of `item_size` bytes at
 * `items`. Returns the array, perhaps moved, or NULL (out of memory; the old array
 * stands). Capacity doubles at powers of two, so it need not be kept.
 */
static inline void *array_grow(void *items, size_t nr, size_t item_size)
{
	if ((nr & (nr - 1)) == 0) /* 0, 1, 2, 4, ... items: full */
		items = realloc(items, (nr ? 2 * nr : 1) * item_size);
	if (items)
		memset((char *)items + nr * item_size, 0, item_size);
	return items;
}

#endif
