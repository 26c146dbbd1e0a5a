/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/labels.h>

#include "discover/array.h"
#include "discover/fletcher.h"
#include "discover/le.h"

#include <stdio.h>

#define INDEX_SIZE  72u /* before its bitmap of free slots */
#define INDEX_ALIGN 256u
#define INDEX_SUM   64u
#define LABEL_1_1   128u
#define LABEL_1_2   256u
#define LABEL_SUM   248u /* in version 1.2 */
#define CLAIM_AT    144u

struct index {
	const uint8_t *at;
	uint64_t mysize, labeloff;
	uint32_t nslot;
	unsigned sequence, minor;
	size_t label_size;
};

/* An index block that may stand at `offset`, in all its rules; false: it does not. */
static bool read_index(const uint8_t *area, size_t size, size_t offset, struct index *out)
{
	const uint8_t *at = area + offset;
	uint64_t mysize;

	if (offset > size || size - offset < INDEX_SIZE || memcmp(at, "NAMESPACE_INDEX", 16) != 0 ||
	    le64(at + 24) != offset)
		return false;
	mysize = le64(at + 32);
	if (mysize < INDEX_SIZE || mysize > size - offset || mysize % INDEX_ALIGN)
		return false;
	if (fletcher64(at, mysize, INDEX_SUM) != le64(at + INDEX_SUM))
		return false;
	*out = (struct index){
		.at = at,
		.mysize = mysize,
		.labeloff = le64(at + 48),
		.nslot = le32(at + 56),
		.sequence = le32(at + 20) & 3,
		.minor = le16(at + 62),
		.label_size = le16(at + 62) < 2 ? LABEL_1_1 : (size_t)LABEL_1_1 << (at[19] & 7),
	};
	return le16(at + 60) == 1 && out->sequence &&
	       out->label_size == (out->minor < 2 ? LABEL_1_1 : LABEL_1_2) && at[19] < 8 &&
	       (out->nslot + 7ull) / 8 <= mysize - INDEX_SIZE && out->labeloff >= mysize &&
	       out->labeloff <= UINT64_MAX / 2;
}

/* Sequence numbers go round: 1, 2, 3, 1. Of equals the second (Linux: best_seq()). */
static const struct index *later(const struct index *first, const struct index *second)
{
	return second->sequence == first->sequence || second->sequence == first->sequence % 3 + 1
	               ? second
	               : first;
}

/*
 * The block that counts. The second stands behind the first, whose size the second alone
 * tells when the first is broken: so it is looked for.
 */
static bool find_index(const uint8_t *area, size_t size, struct index *out, bool *one_broken)
{
	struct index first, second;
	bool has_first = read_index(area, size, 0, &first), has_second = false;

	if (has_first)
		has_second = read_index(area, size, first.mysize, &second);
	for (size_t at = INDEX_ALIGN; !has_first && !has_second && at < size; at += INDEX_ALIGN)
		has_second = read_index(area, size, at, &second) && second.mysize == at;
	if (!has_first && !has_second)
		return false;
	*one_broken = !has_first || !has_second;
	*out = !has_second ? first : !has_first ? second : *later(&first, &second);
	return true;
}

static enum label_claim claim_of(const uint8_t *guid)
{
	static const struct {
		uint8_t guid[16];
		enum label_claim claim;
	} claims[] = {
		{{0xa2, 0x63, 0xed, 0x8a, 0xa2, 0x29, 0x66, 0x4c, 0x8b, 0x12, 0xf0, 0x5d, 0x15,
	          0xd3, 0x92, 0x2a},
	         LABEL_CLAIM_BTT},
		{{0xfc, 0x3b, 0x63, 0x18, 0x35, 0x17, 0x17, 0x42, 0x8a, 0xc9, 0x17, 0x23, 0x92,
	          0x82, 0xd3, 0xf8},
	         LABEL_CLAIM_BTT},
		{{0xba, 0x00, 0x64, 0x26, 0x9f, 0xfb, 0x77, 0x46, 0xbc, 0xb0, 0x96, 0x8f, 0x11,
	          0xd0, 0xd2, 0x25},
	         LABEL_CLAIM_FSDAX},
		{{0x9c, 0x6d, 0xa8, 0x97, 0xdd, 0x3c, 0xda, 0x4e, 0x98, 0x6f, 0x50, 0x68, 0xb4,
	          0xf8, 0x00, 0x88},
	         LABEL_CLAIM_DEVDAX},
	};

	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++)
		if (memcmp(guid, claims[i].guid, 16) == 0)
			return claims[i].claim;
	return LABEL_CLAIM_NONE;
}

static bool read_label(const uint8_t *at, const struct index *index, uint32_t slot,
                       struct label *out)
{
	if (le32(at + 120) != slot ||
	    (index->minor >= 2 && fletcher64(at, LABEL_1_2, LABEL_SUM) != le64(at + LABEL_SUM)))
		return false;
	memcpy(out->uuid, at, sizeof(out->uuid));
	for (size_t i = 0; i < sizeof(out->name) - 1 && at[16 + i]; i++)
		out->name[i] = at[16 + i] < ' ' || at[16 + i] > '~' ? '?' : (char)at[16 + i];
	out->flags = le32(at + 80);
	out->nlabel = le16(at + 84);
	out->position = le16(at + 86);
	out->isetcookie = le64(at + 88);
	out->lbasize = le64(at + 96);
	out->dpa = le64(at + 104);
	out->rawsize = le64(at + 112);
	out->slot = slot;
	out->claim = index->minor >= 2 ? claim_of(at + CLAIM_AT) : LABEL_CLAIM_NONE;
	return true;
}

static bool read_labels(const uint8_t *area, size_t size, const struct index *index,
                        struct labels *out)
{
	for (uint32_t slot = 0; slot < index->nslot; slot++) {
		uint64_t offset = index->labeloff + (uint64_t)slot * index->label_size;
		struct label *grown;

		if (index->at[INDEX_SIZE + slot / 8] & 1u << slot % 8)
			continue; /* free */
		if (offset > size || size - offset < index->label_size) {
			out->refused++;
			continue;
		}
		grown = array_grow(out->label, out->nr, sizeof(*grown));
		if (!grown)
			return false;
		out->label = grown;
		if (read_label(area + offset, index, slot, &grown[out->nr]))
			out->nr++;
		else
			out->refused++;
	}
	return true;
}

bool labels_parse(const void *bytes, size_t size, struct labels *out, char *why, size_t why_size)
{
	struct index index;
	bool one_broken;

	*out = (struct labels){0};
	if (!find_index(bytes, size, &index, &one_broken)) {
		snprintf(why, why_size, "label area: no valid index block");
		return false;
	}
	if (!read_labels(bytes, size, &index, out)) {
		snprintf(why, why_size, "label area: out of memory");
		labels_free(out);
		return false;
	}
	out->minor = index.minor;
	out->nslot = index.nslot;
	out->one_broken = one_broken;
	return true;
}

void labels_free(struct labels *labels)
{
	free(labels->label);
	*labels = (struct labels){0};
}
