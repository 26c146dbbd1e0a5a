/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef HOST_CPU_H
#define HOST_CPU_H

#include <pagestamp/machine.h>

/* What the CPU says to an unprivileged program; one file an architecture, host/cpu_<arch>.c. */
void host_cpu_describe(struct machine *out);

#endif
