/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ARCH_X86_64_MICROCODE_H
#define ARCH_X86_64_MICROCODE_H

#include <stddef.h>

/* The revision as "0x2b000603", "" when it is not to be had. */
void describe_microcode(char *out, size_t size);

#endif
