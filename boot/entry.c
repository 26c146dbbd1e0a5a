/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the firmware enters. With EFI's calling convention on this function the
 * compiler saves what that convention wants saved: no assembly is needed.
 */
#include "boot/efi.h"
#include "boot/console.h"
#include "boot/libc.h"
#include "boot/main.h"

#include <pagestamp/exit.h>

EFI_STATUS EFIAPI efi_entry(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table);

EFI_STATUS EFIAPI efi_entry(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table)
{
	static const EFI_GUID loaded_image = EFI_LOADED_IMAGE_PROTOCOL_GUID;

	efi_image = image;
	efi_st = system_table;
	efi_bs = system_table->BootServices;
	efi_loaded = efi_protocol(image, &loaded_image);
	if (!efi_loaded)
		return EFI_LOAD_ERROR;

	/* Firmware resets a machine whose boot option has not returned after 5 minutes. */
	efi_bs->SetWatchdogTimer(0, 0, 0, NULL);
	if (!libc_init())
		return EFI_OUT_OF_RESOURCES;
	console_init();
	boot_main();
}
