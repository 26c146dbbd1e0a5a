/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the firmware enters. With EFI's calling convention on this function the
 * compiler saves what that convention wants saved: no assembly is needed.
 */
#include "boot/efi.h"
#include "boot/console.h"
#include "boot/libc.h"
#include "boot/main.h"

#include <stdio.h>

EFI_STATUS EFIAPI efi_entry(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table);

EFI_STATUS EFIAPI efi_entry(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table)
{
	static const EFI_GUID loaded_image = EFI_LOADED_IMAGE_PROTOCOL_GUID;
	EFI_STATUS status;

	efi_image = image;
	efi_st = system_table;
	efi_bs = system_table->BootServices;
	if (!libc_init())
		return EFI_ABORTED;
	efi_loaded = efi_protocol(image, &loaded_image);
	if (!efi_loaded) {
		printf("pagestamp: FAIL the firmware does not say what it loaded\n");
		libc_fini();
		return EFI_ABORTED;
	}

	/* Firmware resets a machine whose boot option has not returned after 5 minutes. */
	status = efi_bs->SetWatchdogTimer(0, 0, 0, NULL);
	if (status != EFI_SUCCESS && status != EFI_UNSUPPORTED)
		efi_note("SetWatchdogTimer", status);
	boot_main();
}
