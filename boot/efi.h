/* SPDX-License-Identifier: BSD-2-Clause */
/* The only door to EFI's headers, and what every file in boot/ needs of EFI. */
#ifndef BOOT_EFI_H
#define BOOT_EFI_H

/* Stated here and not left to the binding: see efibind/aarch64/efibind.h. */
#ifdef __x86_64__
#define EFIAPI __attribute__((ms_abi))
#else
#define EFIAPI
#endif

#include <efi.h>
#include <stdbool.h>

/* Set once by the entry, before anything else runs. */
extern EFI_HANDLE efi_image;
extern EFI_SYSTEM_TABLE *efi_st;
extern EFI_BOOT_SERVICES *efi_bs;
extern EFI_LOADED_IMAGE *efi_loaded; /* of efi_image; never NULL */

/*
 * What the run can go on without, and went on without: one line on the console. For calls
 * that failed; "there is none" is an answer.
 */
void efi_note(const char *call, EFI_STATUS status);
/* The interface, or NULL. */
void *efi_protocol(EFI_HANDLE handle, const EFI_GUID *guid);
/* All handles with a protocol (NULL: all there are); efi_free() the array. NULL with *nr 0 when
 * there is none. */
EFI_HANDLE *efi_handles(const EFI_GUID *guid, UINTN *nr);
void efi_free(void *pool);
bool efi_guid_is(const EFI_GUID *a, const EFI_GUID *b);
/* "write protected", ... or "EFI status 0x..." in a static buffer. */
const char *efi_status_text(EFI_STATUS status);

#endif
