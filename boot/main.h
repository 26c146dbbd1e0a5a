/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BOOT_MAIN_H
#define BOOT_MAIN_H

/* The whole program. Ends by program_exit(). */
_Noreturn void boot_main(void);

#endif
