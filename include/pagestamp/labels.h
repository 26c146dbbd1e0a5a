/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The label area of an NVDIMM (UEFI 2.10, 13.19; Linux: struct nd_namespace_index and
 * nd_namespace_label, versions 1.1 and 1.2): how its memory is divided into namespaces.
 */
#ifndef PAGESTAMP_LABELS_H
#define PAGESTAMP_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum label_flags {
	LABEL_READ_ONLY = 1 << 0,
	LABEL_LOCAL = 1 << 1,
	LABEL_BTT = 1 << 2,
	LABEL_UPDATING = 1 << 3, /* a change was begun and not ended */
};

/* What the namespace is made into; versions before 1.2 do not say. */
enum label_claim { LABEL_CLAIM_NONE, LABEL_CLAIM_BTT, LABEL_CLAIM_FSDAX, LABEL_CLAIM_DEVDAX };

struct label {
	uint8_t uuid[16];          /* of the namespace: a superblock's parent_uuid */
	char name[65];             /* ASCII that can be printed; '?' for what cannot */
	uint32_t flags;            /* label_flags */
	uint16_t nlabel, position; /* labels that make up the namespace, and which this is */
	uint64_t isetcookie;       /* of the interleave set that it was made on */
	uint64_t lbasize;          /* bytes, 0 = not given */
	uint64_t dpa, rawsize;     /* bytes on this NVDIMM */
	uint32_t slot;
	enum label_claim claim;
};

struct labels {
	struct label *label; /* by slot */
	size_t nr;
	unsigned minor;  /* of the index's version 1.x */
	size_t refused;  /* slots in use that hold no label: checksum, place, or beyond the bytes */
	uint32_t nslot;  /* slots there are */
	bool one_broken; /* one of the two index blocks is not valid */
};

/*
 * `bytes` are the first `size` bytes of the area, from its first index block on; labels
 * beyond them are refused one by one. Of two valid index blocks the later in sequence is
 * taken (Linux: nd_label_validate()). False, with one reason, where neither is valid (an
 * NVDIMM without labels has none), or memory is short.
 */
bool labels_parse(const void *bytes, size_t size, struct labels *out, char *why, size_t why_size);
void labels_free(struct labels *labels);

/* For people: UUID, name, claim, place and part of the namespace, in one line. */
void label_describe(const struct label *label, char *out, size_t out_size);

#endif
