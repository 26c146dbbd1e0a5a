/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/arm64/include/arch/page_flags_layout.h"
#define DEVICE_FLAGS 0x09ffff0000002000ull
#include "tests/unit/linux_words.h"
