/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BOOT_MAIN_H
#define BOOT_MAIN_H

/* The whole program. Ends by program_exit(). */
_Noreturn void boot_main(void);
/* The verdict FAIL with this reason, and the end, by the way that exit= asked for. */
_Noreturn void boot_fail(const char *why);

#endif
