/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine may be switched off at any moment. A file written under its final name
 * can end up cut short, and replacing one can lose both; so: a temporary file in the
 * same directory, flushed, closed, then renamed to a name that was never used. What a
 * kill leaves behind is at most a temporary file, and its number is not used again.
 */
#include "boot/results_file.h"
#include "boot/text.h"
#include "boot/volume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DIRECTORY     L"\\pagestamp"
#define WRITE_CHUNK   (64u << 10) /* some firmware fails on large writes */
#define NUMBER_MAX    999999u
#define OPEN_WRITABLE (EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE)

/* n of "results-<n>.json" or "results-<n>.tmp", else 0. */
static unsigned number_of(const char *name)
{
	char *end;
	unsigned long n;

	if (strncasecmp(name, "results-", 8) != 0 || name[8] < '1' || name[8] > '9')
		return 0;
	n = strtoul(name + 8, &end, 10);
	if (n > NUMBER_MAX || (strcasecmp(end, ".json") != 0 && strcasecmp(end, ".tmp") != 0))
		return 0;
	return (unsigned)n;
}

static EFI_STATUS next_number(EFI_FILE_HANDLE directory, unsigned *next)
{
	union {
		EFI_FILE_INFO info;
		char room[sizeof(EFI_FILE_INFO) + 256 * sizeof(CHAR16)];
	} entry;
	EFI_STATUS status;

	*next = 1;
	for (;;) {
		UINTN size = sizeof(entry);
		char name[64];
		unsigned n;

		status = directory->Read(directory, &size, &entry);
		if (status == EFI_BUFFER_TOO_SMALL)
			continue; /* no name of ours is that long; the position moved on */
		if (status != EFI_SUCCESS || size == 0)
			return status;
		text_from_utf16(entry.info.FileName, name, sizeof(name));
		n = number_of(name);
		if (n >= *next)
			*next = n + 1;
	}
}

static EFI_STATUS write_all(EFI_FILE_HANDLE file, const char *text, size_t len)
{
	while (len) {
		UINTN now = len < WRITE_CHUNK ? len : WRITE_CHUNK;
		EFI_STATUS status = file->Write(file, &now, (void *)text);

		if (status != EFI_SUCCESS)
			return status;
		if (now == 0)
			return EFI_DEVICE_ERROR;
		text += now;
		len -= now;
	}
	return EFI_SUCCESS;
}

static EFI_STATUS rename_to(EFI_FILE_HANDLE file, const CHAR16 *name, size_t units)
{
	EFI_GUID file_info = EFI_FILE_INFO_ID;
	EFI_FILE_INFO *info;
	EFI_STATUS status = volume_file_info(file, units * sizeof(CHAR16), &info);

	if (status != EFI_SUCCESS)
		return status;
	memcpy(info->FileName, name, units * sizeof(CHAR16));
	info->Size = SIZE_OF_EFI_FILE_INFO + units * sizeof(CHAR16);
	status = file->SetInfo(file, &file_info, info->Size, info);
	free(info);
	return status;
}

static EFI_STATUS write_in(EFI_FILE_HANDLE directory, const char *text, size_t len, unsigned *n)
{
	char name[32];
	CHAR16 temporary[32], final[32];
	EFI_FILE_HANDLE file = NULL;
	EFI_STATUS status = next_number(directory, n), closed;

	if (status != EFI_SUCCESS)
		return status;
	if (*n > NUMBER_MAX)
		return EFI_VOLUME_FULL;
	snprintf(name, sizeof(name), "results-%u.tmp", *n);
	text_to_utf16(name, temporary, 32);
	snprintf(name, sizeof(name), "results-%u.json", *n);
	text_to_utf16(name, final, 32);

	status = directory->Open(directory, &file, temporary, OPEN_WRITABLE | EFI_FILE_MODE_CREATE,
	                         0);
	if (status != EFI_SUCCESS)
		return status;
	status = write_all(file, text, len);
	if (status == EFI_SUCCESS)
		status = file->Flush(file);
	if (status != EFI_SUCCESS) {
		/* It has a number that nobody used: what it takes up is given back. */
		file->Delete(file);
		return status;
	}
	closed = file->Close(file);
	if (closed != EFI_SUCCESS)
		return closed;

	status = directory->Open(directory, &file, temporary, OPEN_WRITABLE, 0);
	if (status != EFI_SUCCESS)
		return status;
	status = rename_to(file, final, strlen(name) + 1);
	if (status == EFI_SUCCESS)
		status = file->Flush(file);
	volume_close(file);
	return status;
}

/* `create`: make the directory where there is none. */
static EFI_STATUS write_on(EFI_HANDLE device, bool create, const char *text, size_t len,
                           char *where, size_t where_size)
{
	EFI_FILE_HANDLE root = NULL, directory = NULL;
	EFI_STATUS status = volume_root(device, &root);
	unsigned n;
	char label[32];

	if (status != EFI_SUCCESS)
		return status;
	status = root->Open(root, &directory, DIRECTORY, OPEN_WRITABLE, 0);
	if (status == EFI_NOT_FOUND && create)
		status = root->Open(root, &directory, DIRECTORY,
		                    OPEN_WRITABLE | EFI_FILE_MODE_CREATE, EFI_FILE_DIRECTORY);
	if (status == EFI_SUCCESS) {
		status = write_in(directory, text, len, &n);
		volume_close(directory);
	}
	if (status == EFI_SUCCESS) {
		volume_label(root, label, sizeof(label));
		snprintf(where, where_size, "\\pagestamp\\results-%u.json%s%s%s", n,
		         label[0] ? " (volume " : "", label, label[0] ? ")" : "");
	}
	volume_close(root);
	return status;
}

/* Of a volume that was passed over: what it answered, unless that is what it is for. */
static void note_volume(const char *which, EFI_STATUS status)
{
	if (status != EFI_SUCCESS && status != EFI_UNSUPPORTED && status != EFI_NOT_FOUND &&
	    status != EFI_WRITE_PROTECTED)
		printf("note: writing results on %s failed: %s\n", which, efi_status_text(status));
}

/* The first volume but `own` that has the directory and takes the file. */
static EFI_STATUS write_elsewhere(EFI_HANDLE own, const char *text, size_t len, char *where,
                                  size_t where_size)
{
	static const EFI_GUID simple_fs = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
	EFI_STATUS status = EFI_NOT_FOUND;
	UINTN nr;
	EFI_HANDLE *handles = efi_handles(&simple_fs, &nr);

	for (UINTN i = 0; i < nr; i++) {
		EFI_STATUS answer;

		if (handles[i] == own)
			continue;
		answer = write_on(handles[i], false, text, len, where, where_size);
		note_volume("another volume", answer);
		/* "Has no such directory" is no news beside "has one and it failed". */
		if (answer != EFI_NOT_FOUND)
			status = answer;
		if (answer == EFI_SUCCESS)
			break;
	}
	efi_free(handles);
	return status;
}

/* A firmware in a hurry has bound only the drivers that its boot option needs. */
static void connect_all(void)
{
	UINTN nr;
	EFI_HANDLE *handles = efi_handles(NULL, &nr);
	EFI_STATUS failed = EFI_SUCCESS;

	for (UINTN i = 0; i < nr; i++) {
		EFI_STATUS status = efi_bs->ConnectController(handles[i], NULL, NULL, TRUE);

		/* Most have no driver to be connected to. */
		if (status != EFI_SUCCESS && status != EFI_NOT_FOUND)
			failed = status;
	}
	if (failed != EFI_SUCCESS)
		efi_note("ConnectController", failed);
	efi_free(handles);
}

bool results_file_write(const char *text, size_t len, char *where, size_t where_size, char *why,
                        size_t why_size)
{
	EFI_HANDLE own = efi_loaded->DeviceHandle;
	EFI_STATUS own_status, status;

	own_status = write_on(own, true, text, len, where, where_size);
	if (own_status == EFI_SUCCESS)
		return true;
	note_volume("its own volume", own_status);
	status = write_elsewhere(own, text, len, where, where_size);
	if (status == EFI_NOT_FOUND) {
		connect_all();
		status = write_elsewhere(own, text, len, where, where_size);
	}
	if (status == EFI_SUCCESS)
		return true;
	snprintf(why, why_size, "own volume: %s; ", efi_status_text(own_status));
	snprintf(why + strlen(why), why_size - strlen(why),
	         "other volumes with a \\pagestamp directory: %s", efi_status_text(status));
	return false;
}
