/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PAGESTAMP_ARCH_EXIT_H
#define PAGESTAMP_ARCH_EXIT_H

/*
 * Ends QEMU with `code`. Only when exit=qemu was given: on any other machine this
 * writes to an unknown port or traps. Returns when nothing answered.
 */
void arch_qemu_exit(unsigned code);

#endif
