/* SPDX-License-Identifier: BSD-2-Clause */
/* On an arm64 machine: see ../aarch64/efibind.h. */
#include <aarch64/efibind.h>
