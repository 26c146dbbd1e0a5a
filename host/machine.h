/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef HOST_MACHINE_H
#define HOST_MACHINE_H

#include <pagestamp/machine.h>

void host_machine_describe(struct machine *out);

#endif
