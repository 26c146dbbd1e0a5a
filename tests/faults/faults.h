/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fault build: the very objects of the production image, entered through
 * faults_entry(), which hands them a copy of the firmware's tables whose entries count
 * and, for the one call that was chosen, answer with an error. The production image
 * holds none of it. docs/build.md says how it is run.
 */
#ifndef TESTS_FAULTS_H
#define TESTS_FAULTS_H

#include "boot/efi.h"

#include <stddef.h>

/* Every call of the firmware that can be answered with an error, and three things of our own. */
#define FAULT_CALLS(X)                                                                             \
	X(AllocatePages)                                                                           \
	X(FreePages)                                                                               \
	X(GetMemoryMap)                                                                            \
	X(FreePool)                                                                                \
	X(HandleProtocol)                                                                          \
	X(LocateHandleBuffer)                                                                      \
	X(ConnectController)                                                                       \
	X(SetWatchdogTimer)                                                                        \
	X(CreateEvent)                                                                             \
	X(SetTimer)                                                                                \
	X(CheckEvent)                                                                              \
	X(CloseEvent)                                                                              \
	X(Stall)                                                                                   \
	X(Exit)                                                                                    \
	X(GetVariable)                                                                             \
	X(ResetSystem)                                                                             \
	X(OutputString)                                                                            \
	X(Reset)                                                                                   \
	X(ReadKeyStroke)                                                                           \
	X(OpenVolume)                                                                              \
	X(Open)                                                                                    \
	X(Read)                                                                                    \
	X(Write)                                                                                   \
	X(Flush)                                                                                   \
	X(Close)                                                                                   \
	X(GetInfo)                                                                                 \
	X(SetInfo)                                                                                 \
	X(Delete)                                                                                  \
	X(LabelStorageInformation)                                                                 \
	X(LabelStorageRead)                                                                        \
	X(poison)                                                                                  \
	X(malloc)                                                                                  \
	X(window)

enum fault_call {
#define FAULT_ENUM(name) FAULT_##name,
	FAULT_CALLS(FAULT_ENUM)
#undef FAULT_ENUM
		NR_FAULT_CALLS
};

/* The firmware's own tables. */
extern EFI_SYSTEM_TABLE *faults_st;

/*
 * Reads the choice, "pagestamp:fault=..." among SMBIOS's OEM strings:
 *	NAME:N    the N-th call of that name fails
 *	NAME:N+   and all after it
 *	NAME:N!   before the N-th call the machine stands still, to be switched off
 *	random:N  each call fails with probability 1/64, by a sequence that N begins
 *	no-console  none, and the firmware has no console
 *	count     none fails; where they are made is told at the end
 */
void faults_choose(EFI_HANDLE image);

extern bool faults_no_console;

/* Counts the call made at `site`; true when it is to fail. */
bool fault_now(enum fault_call call, const void *site);
#define FAULT(name) fault_now(FAULT_##name, __builtin_return_address(0))

/* One line "fault: ..." past the program, to the firmware's own console. */
void faults_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What is ours at this moment; at the end none of it may be. */
struct fault_holdings {
	long pages, pools, files, tpl;
};
extern struct fault_holdings fault_holdings;

/* Tells what was counted and what is still held. */
void faults_tell(void);

/* files.c: a file system whose files count. */
EFI_FILE_IO_INTERFACE *faults_file_system(EFI_FILE_IO_INTERFACE *real);

/* labels.c: the firmware gets a handle with a label area to read. */
void faults_install_labels(void);

#endif
