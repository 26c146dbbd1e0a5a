/* SPDX-License-Identifier: BSD-2-Clause */
/* What the program says of the machine it stands on. An unknown string is "" (null in the JSON). */
#ifndef PAGESTAMP_MACHINE_H
#define PAGESTAMP_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine {
	char cpu[64];
	char family_model_stepping[24]; /* x86: "26/2/1" */
	char microcode[16];             /* x86 */
	char midr[24];                  /* arm64: "0x410fd0c1" */
	uint64_t llc_bytes;             /* 0 = unknown */
	char features[512];             /* space-separated */
	char firmware[96];
	int secure_boot;       /* 1, 0, -1 unknown */
	int el;                /* arm64: 1 or 2; -1 elsewhere */
	char hypervisor[32];   /* "TCG", "KVM", "" = none seen */
	char accel[16];        /* "tcg", "tcg-icount", "kvm", "" = not an emulator we know */
	unsigned icount_shift; /* only with tcg-icount: a tick's ns = instructions << shift */
	uint64_t memory_bytes; /* of RAM in the firmware's map */
	unsigned nodes;
};

#endif
