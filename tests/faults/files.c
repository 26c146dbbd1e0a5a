/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that count: each of ours stands before one of the firmware's. */
#include "tests/faults/faults.h"

struct file {
	EFI_FILE ours;
	EFI_FILE *real;
};

struct file_system {
	EFI_FILE_IO_INTERFACE ours;
	EFI_FILE_IO_INTERFACE *real;
};

static EFI_FILE *real_of(EFI_FILE *file)
{
	return ((struct file *)file)->real;
}

static EFI_FILE *wrap(EFI_FILE *real);

static EFI_STATUS EFIAPI file_open(EFI_FILE *file, EFI_FILE **opened, CHAR16 *name, UINT64 mode,
                                   UINT64 attributes)
{
	EFI_STATUS status;

	if (FAULT(Open))
		return EFI_DEVICE_ERROR;
	status = real_of(file)->Open(real_of(file), opened, name, mode, attributes);
	if (status == EFI_SUCCESS)
		*opened = wrap(*opened);
	return status;
}

static EFI_STATUS EFIAPI file_close(EFI_FILE *file)
{
	EFI_FILE *real = real_of(file);
	bool fail = FAULT(Close);

	/* Whatever it answers, a file is closed: UEFI 2.10, 13.5. */
	fault_holdings.files--;
	real->Close(real);
	faults_st->BootServices->FreePool(file);
	return fail ? EFI_DEVICE_ERROR : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI file_read(EFI_FILE *file, UINTN *size, void *buffer)
{
	if (FAULT(Read))
		return EFI_DEVICE_ERROR;
	return real_of(file)->Read(real_of(file), size, buffer);
}

static EFI_STATUS EFIAPI file_write(EFI_FILE *file, UINTN *size, void *buffer)
{
	if (FAULT(Write))
		return EFI_DEVICE_ERROR;
	return real_of(file)->Write(real_of(file), size, buffer);
}

static EFI_STATUS EFIAPI file_flush(EFI_FILE *file)
{
	if (FAULT(Flush))
		return EFI_DEVICE_ERROR;
	return real_of(file)->Flush(real_of(file));
}

static EFI_STATUS EFIAPI file_get_info(EFI_FILE *file, EFI_GUID *type, UINTN *size, void *buffer)
{
	if (FAULT(GetInfo))
		return EFI_DEVICE_ERROR;
	return real_of(file)->GetInfo(real_of(file), type, size, buffer);
}

static EFI_STATUS EFIAPI file_set_info(EFI_FILE *file, EFI_GUID *type, UINTN size, void *buffer)
{
	if (FAULT(SetInfo))
		return EFI_DEVICE_ERROR;
	return real_of(file)->SetInfo(real_of(file), type, size, buffer);
}

static EFI_STATUS EFIAPI file_delete(EFI_FILE *file)
{
	EFI_FILE *real = real_of(file);
	bool fail = FAULT(Delete);

	fault_holdings.files--;
	faults_st->BootServices->FreePool(file);
	if (fail) {
		real->Close(real);
		return EFI_WARN_DELETE_FAILURE;
	}
	return real->Delete(real);
}

static EFI_FILE *wrap(EFI_FILE *real)
{
	struct file *file = NULL;

	faults_st->BootServices->AllocatePool(EfiLoaderData, sizeof(*file), (void **)&file);
	file->real = real;
	file->ours = (EFI_FILE){
		.Revision = real->Revision,
		.Open = file_open,
		.Close = file_close,
		.Delete = file_delete,
		.Read = file_read,
		.Write = file_write,
		.Flush = file_flush,
		.GetInfo = file_get_info,
		.SetInfo = file_set_info,
	};
	fault_holdings.files++;
	return &file->ours;
}

static EFI_STATUS EFIAPI open_volume(EFI_FILE_IO_INTERFACE *fs, EFI_FILE **root)
{
	EFI_FILE_IO_INTERFACE *real = ((struct file_system *)fs)->real;
	EFI_STATUS status;

	if (FAULT(OpenVolume))
		return EFI_DEVICE_ERROR;
	status = real->OpenVolume(real, root);
	if (status == EFI_SUCCESS)
		*root = wrap(*root);
	return status;
}

EFI_FILE_IO_INTERFACE *faults_file_system(EFI_FILE_IO_INTERFACE *real)
{
	struct file_system *fs = NULL;

	faults_st->BootServices->AllocatePool(EfiLoaderData, sizeof(*fs), (void **)&fs);
	*fs = (struct file_system){{real->Revision, open_volume}, real};
	return &fs->ours;
}
