/* SPDX-License-Identifier: BSD-2-Clause */
/* For `list`: the namespaces that the NVDIMMs' label areas hold, a line each, on the console. */
#ifndef BOOT_TELL_LABELS_H
#define BOOT_TELL_LABELS_H

#include <pagestamp/nfit.h>
#include <pagestamp/result.h>

/*
 * Label areas are read by the firmware's EFI_NVDIMM_LABEL_PROTOCOL (UEFI 2.8, 13.19), one for
 * each NVDIMM; nothing is written. Where the firmware has none, and the NFIT an NVDIMM, one
 * line says so. An area that cannot be read, or that is not one, goes to results->skipped.
 */
void tell_labels(const struct nfit *nfit, struct results *results);

#endif
