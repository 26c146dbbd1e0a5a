/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/x86_64/include/arch/page_flags_layout.h"
#define DEVICE_FLAGS 0x0027ffffc0002000ull
#include "tests/unit/linux_words.h"
