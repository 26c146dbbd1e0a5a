/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BOOT_RELOCATE_H
#define BOOT_RELOCATE_H

#include <stdbool.h>
#include <stdint.h>

struct elf_dyn {
	int64_t tag;
	uint64_t value;
};

/*
 * Applies the image's relocations for a load at `base`. Calls nothing and needs no
 * relocated data itself. False: a kind that the linker should not have left.
 */
bool relocate(uintptr_t base, const struct elf_dyn *dynamic);

#endif
