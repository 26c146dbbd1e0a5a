/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The image is a position-independent ELF wrapped as PE: objcopy makes no PE base
 * relocations out of ELF's, so the program applies its own, first of all.
 */
#include "boot/relocate.h"

#include <stddef.h>

enum { DT_NULL = 0, DT_RELA = 7, DT_RELASZ = 8, DT_RELAENT = 9 };
#ifdef __x86_64__
enum { R_NONE = 0, R_RELATIVE = 8 };
#else
enum { R_NONE = 0, R_RELATIVE = 1027 };
#endif

struct elf_rela {
	uint64_t offset, info;
	int64_t addend;
};

bool relocate(uintptr_t base, const struct elf_dyn *dynamic)
{
	uintptr_t rela = 0;
	uint64_t size = 0, entry = sizeof(struct elf_rela);

	for (; dynamic->tag != DT_NULL; dynamic++) {
		switch (dynamic->tag) {
		case DT_RELA:
			rela = base + dynamic->value;
			break;
		case DT_RELASZ:
			size = dynamic->value;
			break;
		case DT_RELAENT:
			entry = dynamic->value;
			break;
		}
	}
	if (entry != sizeof(struct elf_rela))
		return false;

	for (uint64_t at = 0; at + entry <= size; at += entry) {
		const struct elf_rela *r = (const struct elf_rela *)(rela + at);

		switch ((uint32_t)r->info) {
		case R_NONE:
			break;
		case R_RELATIVE:
			*(uint64_t *)(base + r->offset) = base + (uint64_t)r->addend;
			break;
		default:
			return false;
		}
	}
	return true;
}
