/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/main.h"

#include <pagestamp/exit.h>
#include <pagestamp/version.h>
#include <stdio.h>

_Noreturn void boot_main(void)
{
	printf("pagestamp %s %s: alive\n", pagestamp_version, pagestamp_arch);
	for (int i = 0; i < 3; i++)
		printf("012345678901234567890123456789012345678901234567890123456789012345678901234"
		       "5678"
		       "9ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUV"
		       "WXYZ%"
		       "llu %f\n",
		       1ull << 63, 1.5);
	printf("pagestamp: pass\n");
	program_exit(EXIT_QEMU, true);
}
