/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/x86_64/include/arch/page_flags_layout.h"
#include "arch/x86_64/include/arch/pte.h"
#define EXPECTED_READONLY 0x8000000000000025ull /* NX, accessed, user, present */
#define EXPECTED_DIRTY    0x0000000000000840ull /* soft-dirty, dirty */
#define EXPECTED_WRITABLE 0x0000000000000002ull
#define EXPECTED_CLEARED  0x0000000000000000ull /* of a writable, dirty entry */
#define EXPECTED_YOUNG    0x0000000000000020ull
#define STRAY_BITS        0x0000000000000060ull /* an entry that is empty all the same */
#include "tests/unit/pte_range.h"
