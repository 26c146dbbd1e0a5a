/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/efi.h"
#include "boot/console.h"
#include "boot/libc.h"

#include <pagestamp/arch_exit.h>
#include <pagestamp/exit.h>
#include <stdio.h>

#define COUNTDOWN_SECONDS 10

static bool started_by_shell(void)
{
	static const EFI_GUID shell_parameters = {
		0x752f3136, 0x4e16, 0x4fdc, {0xa2, 0x2a, 0xe5, 0xf4, 0x68, 0x12, 0xf4, 0xca}};

	/* The shell puts this protocol on what it starts; nobody else does. */
	return efi_protocol(efi_image, &shell_parameters) != NULL;
}

static void wait_for_key(void)
{
	EFI_INPUT_KEY key;

	EFI_STATUS status;

	if (!efi_st->ConIn)
		return;
	/* A key pressed before the question is no answer to it. */
	status = efi_st->ConIn->Reset(efi_st->ConIn, FALSE);
	if (status != EFI_SUCCESS)
		efi_note("ConIn Reset", status);
	for (int left = COUNTDOWN_SECONDS; left > 0; left--) {
		printf("\rpress a key to leave (%d s) ", left);
		fflush(stdout);
		for (int tick = 0; tick < 10; tick++) {
			const char *call = "ConIn ReadKeyStroke";

			status = efi_st->ConIn->ReadKeyStroke(efi_st->ConIn, &key);
			if (status == EFI_NOT_READY) {
				call = "Stall";
				status = efi_bs->Stall(100000);
				if (status == EFI_SUCCESS)
					continue;
			}
			printf("\n");
			/* No key will come, or no second pass: there is nothing to wait for. */
			if (status != EFI_SUCCESS)
				efi_note(call, status);
			return;
		}
	}
	printf("\n");
}

static void reset(EFI_RESET_TYPE type, EFI_STATUS status)
{
	efi_st->RuntimeServices->ResetSystem(type, status, 0, NULL);
	console_puts("note: the firmware's ResetSystem failed: it came back\n");
}

_Noreturn void program_exit(enum exit_way way, bool pass)
{
	EFI_STATUS status = pass ? EFI_SUCCESS : EFI_ABORTED;

	fflush(stdout);
	switch (way) {
	case EXIT_QEMU:
		arch_qemu_exit(pass ? EXIT_CODE_PASS : EXIT_CODE_FAIL);
		break;
	case EXIT_RESET:
		reset(EfiResetCold, status);
		break;
	case EXIT_SHUTDOWN:
		reset(EfiResetShutdown, status);
		break;
	case EXIT_AUTO:
		if (!started_by_shell())
			wait_for_key();
		break;
	case EXIT_RETURN:
		break;
	}
	libc_fini();
	efi_bs->Exit(efi_image, status, 0, NULL);
	console_puts("note: the firmware's Exit failed: resetting\n");
	reset(EfiResetCold, status);
	console_puts("switch it off: the firmware does not take it back\n");
	for (;;)
		efi_bs->Stall(1000000);
}
