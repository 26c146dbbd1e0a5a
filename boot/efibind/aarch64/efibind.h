/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gnu-efi's package holds the binding of its own architecture only. The bindings of
 * the 64-bit ones differ in nothing that a C11 compiler sees but EFIAPI, which
 * boot/efi.h sets itself; so the other one serves, and no foreign package is needed.
 */
#include <x86_64/efibind.h>
