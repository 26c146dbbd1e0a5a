/* SPDX-License-Identifier: BSD-2-Clause */
/* How the program ends. */
#ifndef PAGESTAMP_EXIT_H
#define PAGESTAMP_EXIT_H

#include <pagestamp/options.h>

/*
 * What the emulator's exit devices are told. Neither 0 nor 1, which a reset, a
 * triple fault or a crashed emulator could give: a pass is said, never implied.
 * QEMU's own status is then the code on arm64 and (code << 1) | 1 on x86_64.
 */
#define EXIT_CODE_PASS 0x2a
#define EXIT_CODE_FAIL 0x2b

/*
 * Ends the program. EXIT_AUTO returns to a shell that started it; without a shell it
 * waits up to ten seconds for a key first, so that a screen can be read. A way that
 * did not work falls back to returning to the firmware.
 */
_Noreturn void program_exit(enum exit_way way, bool pass);

#endif
