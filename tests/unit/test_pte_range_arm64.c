/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/arm64/include/arch/page_flags_layout.h"
#include "arch/arm64/include/arch/pte.h"
#define EXPECTED_READONLY   0x0060000000000fc3ull /* XN, nG, AF, shared, RDONLY, user, page */
#define EXPECTED_DIRTY      0x0080000000000000ull
#define EXPECTED_WRITABLE   0x0008000000000000ull /* DBM */
#define EXPECTED_CLEARED    0x0000000000000080ull /* RDONLY, of a writable, dirty entry */
#define EXPECTED_YOUNG      0x0000000000000400ull
#define EXPECTED_CONTIGUOUS 0x0010000000000000ull
#define STRAY_BITS          0
#include "tests/unit/pte_range.h"
