/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/labels.c discover/label_about.c discover/uuid.c */
#include "tests/fuzz/fuzz.h"

#include "discover/fletcher.h"

#include <pagestamp/labels.h>

static void seal(uint8_t *at, size_t size, size_t own)
{
	uint64_t sum = fletcher64(at, size, own);

	for (unsigned i = 0; i < 8; i++)
		at[own + i] = (uint8_t)(sum >> (8 * i));
}

/* The bytes as they are, and with the checksums of both blocks and of all labels made right. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t mysize = 256;
	uint8_t *area = malloc(size + 1);
	struct labels labels;
	char why[160] = "";

	if (!labels_parse(data, size, &labels, why, sizeof(why)))
		ALWAYS(why[0] && !labels.label && !labels.nr);
	labels_free(&labels);
	if (!area)
		return 0;
	if (size)
		memcpy(area, data, size);
	for (size_t at = 2 * mysize; at + 256 <= size; at += 256)
		seal(area + at, 256, 248);
	for (size_t at = 0; at < 2 * mysize && at + mysize <= size; at += mysize) {
		memcpy(area + at, "NAMESPACE_INDEX", 16);
		memset(area + at + 24, 0, 16);
		area[at + 25] = at > 0;
		area[at + 33] = 1;
		seal(area + at, mysize, 64);
	}
	if (labels_parse(area, size, &labels, why, sizeof(why))) {
		ALWAYS(labels.nr + labels.refused <= labels.nslot);
		for (size_t i = 0; i < labels.nr; i++) {
			ALWAYS(labels.label[i].slot < labels.nslot);
			ALWAYS(strlen(labels.label[i].name) <= 64);
			label_describe(&labels.label[i], why, sizeof(why));
			for (const char *c = why; *c; c++)
				ALWAYS(*c >= ' ' && *c <= '~');
			ALWAYS(i == 0 || labels.label[i - 1].slot < labels.label[i].slot);
		}
	}
	labels_free(&labels);
	free(area);
	return 0;
}
