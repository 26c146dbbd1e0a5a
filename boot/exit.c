/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/efi.h"
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

	if (!efi_st->ConIn)
		return;
	/* A key pressed before the question is no answer to it. */
	efi_st->ConIn->Reset(efi_st->ConIn, FALSE);
	for (int left = COUNTDOWN_SECONDS; left > 0; left--) {
		printf("\rpress a key to leave (%d s) ", left);
		fflush(stdout);
		for (int tick = 0; tick < 10; tick++) {
			if (efi_st->ConIn->ReadKeyStroke(efi_st->ConIn, &key) == EFI_SUCCESS) {
				printf("\n");
				return;
			}
			efi_bs->Stall(100000);
		}
	}
	printf("\n");
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
		efi_st->RuntimeServices->ResetSystem(EfiResetCold, status, 0, NULL);
		break;
	case EXIT_SHUTDOWN:
		efi_st->RuntimeServices->ResetSystem(EfiResetShutdown, status, 0, NULL);
		break;
	case EXIT_AUTO:
		if (!started_by_shell())
			wait_for_key();
		break;
	case EXIT_RETURN:
		break;
	}
	fflush(stdout);
	libc_fini();
	efi_bs->Exit(efi_image, status, 0, NULL);
	for (;;)
		efi_bs->Stall(1000000);
}
