/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/tell_labels.h"
#include "boot/efi.h"
#include "discover/le.h"
#include "report/text.h"

#include <pagestamp/labels.h>
#include <stdio.h>
#include <stdlib.h>

#define INDENT 8

/* Two index blocks at the least; at the most far above the 128 KiB to 2 MiB that there are. */
#define AREA_LEAST 512u
#define AREA_MOST  (16u << 20)

/* EFI_NVDIMM_LABEL_PROTOCOL, which gnu-efi lacks. Its third call writes: it has no type here. */
struct label_storage {
	EFI_STATUS(EFIAPI *LabelStorageInformation)
	(const struct label_storage *storage, UINT32 *size, UINT32 *most);
	EFI_STATUS(EFIAPI *LabelStorageRead)
	(const struct label_storage *storage, UINT32 offset, UINT32 length, UINT8 *out);
	void *unused;
};

/* The NFIT's handle of it, as its device path has it (UEFI 2.8, 10.3.3.4); 0 = it says none. */
static UINT32 nvdimm_of(EFI_HANDLE handle)
{
	static const EFI_GUID guid = DEVICE_PATH_PROTOCOL;
	const UINT8 *node = efi_protocol(handle, &guid);

	/* Type, subtype, two bytes of length; a length below that is no node. */
	while (node && node[0] != END_DEVICE_PATH_TYPE && le16(node + 2) >= 4) {
		if (node[0] == ACPI_DEVICE_PATH && node[1] == 4)
			return le32(node + 4);
		node += le16(node + 2);
	}
	return 0;
}

/* The whole area: free() it. NULL with the call that failed, or what else is wrong. */
static uint8_t *read_area(const struct label_storage *storage, UINT32 *size, char *why,
                          size_t why_size)
{
	const char *call = "LabelStorageInformation";
	UINT32 most = 0, done = 0;
	EFI_STATUS status = storage->LabelStorageInformation(storage, size, &most);
	uint8_t *area = NULL;

	if (status == EFI_SUCCESS && (*size < AREA_LEAST || *size > AREA_MOST || !most)) {
		snprintf(why, why_size, "not readable: 0x%x bytes, 0x%x at a time", *size, most);
		return NULL;
	}
	if (status == EFI_SUCCESS) {
		call = "LabelStorageRead";
		area = malloc(*size);
		status = area ? EFI_SUCCESS : EFI_OUT_OF_RESOURCES;
	}
	for (; status == EFI_SUCCESS && done < *size; done += most) {
		if (most > *size - done)
			most = *size - done;
		status = storage->LabelStorageRead(storage, done, most, area + done);
	}
	if (status == EFI_SUCCESS)
		return area;
	snprintf(why, why_size, "not readable: %s: %s", call, efi_status_text(status));
	free(area);
	return NULL;
}

static void tell_area(EFI_HANDLE handle, const struct label_storage *storage,
                      struct results *results)
{
	char nvdimm[24], text[192];
	struct labels labels;
	UINT32 size;
	uint8_t *area = read_area(storage, &size, text, sizeof(text));

	snprintf(nvdimm, sizeof(nvdimm), "NVDIMM 0x%x", nvdimm_of(handle));
	if (!area || !labels_parse(area, size, &labels, text, sizeof(text))) {
		results_skip(results, NULL, text, "labels of %s", nvdimm);
		free(area);
		return;
	}
	text_wrap(stdout, "labels: ", INDENT, "%s: namespaces: %zu, %zu refused, of %u", nvdimm,
	          labels.nr, labels.refused, (unsigned)labels.nslot);
	for (size_t i = 0; i < labels.nr; i++) {
		label_describe(&labels.label[i], text, sizeof(text));
		text_wrap(stdout, "labels: ", INDENT, "%s", text);
	}
	labels_free(&labels);
	free(area);
}

void tell_labels(const struct nfit *nfit, struct results *results)
{
	static const EFI_GUID guid = {
		0xd40b6b80, 0x97d5, 0x4282, {0xbb, 0x1d, 0x22, 0x3a, 0x16, 0x91, 0x80, 0x58}};
	UINTN nr;
	EFI_HANDLE *handles = efi_handles(&guid, &nr);

	if (!nr && nfit->nr_mappings)
		text_wrap(stdout, "labels: ", INDENT,
		          "not readable: the firmware has no NVDIMM label protocol");
	for (UINTN i = 0; i < nr; i++) {
		const struct label_storage *storage = efi_protocol(handles[i], &guid);

		if (storage)
			tell_area(handles[i], storage, results);
	}
	efi_free(handles);
}
