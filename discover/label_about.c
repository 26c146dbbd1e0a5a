/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/labels.h>

#include "discover/uuid.h"

#include <stdio.h>

void label_describe(const struct label *label, char *out, size_t out_size)
{
	static const char claims[][8] = {
		[LABEL_CLAIM_NONE] = "raw",
		[LABEL_CLAIM_BTT] = "sector",
		[LABEL_CLAIM_FSDAX] = "fsdax",
		[LABEL_CLAIM_DEVDAX] = "devdax",
	};
	char uuid[37];

	uuid_text(label->uuid, uuid);
	snprintf(out, out_size, "%s%s%s (%s), 0x%llx bytes at 0x%llx, part %u of %u%s", uuid,
	         label->name[0] ? " " : "", label->name, claims[label->claim],
	         (unsigned long long)label->rawsize, (unsigned long long)label->dpa,
	         label->position + 1u, (unsigned)label->nlabel,
	         label->flags & LABEL_UPDATING ? ", being changed" : "");
}
