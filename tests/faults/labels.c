/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * NVDIMMs whose label areas the firmware gives, good and bad: neither OVMF nor AAVMF has the
 * protocol.
 */
#include "tests/faults/faults.h"

#include <string.h>

#define MOST 1000u /* bytes at a time: no divisor of anything */

extern const UINT8 label_area[] __attribute__((visibility("hidden")));
extern const UINT8 label_area_end[] __attribute__((visibility("hidden")));

struct protocol {
	EFI_STATUS(EFIAPI *information)(struct protocol *self, UINT32 *size, UINT32 *most);
	EFI_STATUS(EFIAPI *read)
	(const struct protocol *self, UINT32 offset, UINT32 size, UINT8 *to);
	EFI_STATUS(EFIAPI *write)(struct protocol *self, UINT32 offset, UINT32 size, UINT8 *from);
	UINT32 size, most;
	const UINT8 *area; /* NULL = zeros */
};

static EFI_STATUS EFIAPI information(struct protocol *self, UINT32 *size, UINT32 *most)
{
	if (FAULT(LabelStorageInformation))
		return EFI_DEVICE_ERROR;
	*size = self->size;
	*most = self->most;
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI read_area(const struct protocol *self, UINT32 offset, UINT32 size,
                                   UINT8 *to)
{
	if (FAULT(LabelStorageRead))
		return EFI_DEVICE_ERROR;
	if (size > self->most || offset > self->size || size > self->size - offset) {
		faults_say("labels: %u at %u are asked for", size, offset);
		return EFI_INVALID_PARAMETER;
	}
	if (self->area)
		memcpy(to, self->area + offset, size);
	else
		memset(to, 0, size);
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI write_area(struct protocol *self, UINT32 offset, UINT32 size, UINT8 *from)
{
	(void)self;
	(void)offset;
	(void)size;
	(void)from;
	faults_say("labels are written");
	return EFI_DEVICE_ERROR;
}

/* ACPI's NVDIMM node and the end; QEMU numbers its NVDIMMs from 1 on, too. */
#define PATH(handle)                                                                               \
	{                                                                                          \
		2, 4, 8, 0, handle, 0, 0, 0, 0x7f, 0xff, 4, 0                                      \
	}

void faults_install_labels(void)
{
	static UINT8 path[][12] = {PATH(1), PATH(2), PATH(3), PATH(4)};
	static struct protocol nvdimm[] = {
		{information, read_area, write_area, 0, MOST, label_area},
		{information, read_area, write_area, 0xfffffff0, MOST, NULL},
		{information, read_area, write_area, 4096, 0, NULL},
		{information, read_area, write_area, 4096, MOST,
	         NULL}, /* as it comes from the shop */
	};
	static EFI_GUID labels = {
		0xd40b6b80, 0x97d5, 0x4282, {0xbb, 0x1d, 0x22, 0x3a, 0x16, 0x91, 0x80, 0x58}};
	static EFI_GUID device_path = DEVICE_PATH_PROTOCOL;
	EFI_BOOT_SERVICES *bs = faults_st->BootServices;

	nvdimm[0].size = (UINT32)(label_area_end - label_area);
	for (unsigned i = 0; i < sizeof(nvdimm) / sizeof(nvdimm[0]); i++) {
		EFI_HANDLE handle = NULL;

		if (bs->InstallProtocolInterface(&handle, &device_path, EFI_NATIVE_INTERFACE,
		                                 path[i]) ||
		    bs->InstallProtocolInterface(&handle, &labels, EFI_NATIVE_INTERFACE,
		                                 &nvdimm[i]))
			faults_say("no label protocol");
	}
}
