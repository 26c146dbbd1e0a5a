/* SPDX-License-Identifier: BSD-2-Clause */
#include "discover/uuid.h"

#include <stdio.h>

void uuid_text(const uint8_t uuid[16], char out[37])
{
	for (unsigned i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*out++ = '-';
		snprintf(out, 3, "%02x", uuid[i]);
		out += 2;
	}
}
