/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Consent: the one way to a writable mapping of persistent memory.
 *
 * A `struct pmem_range` can only be mapped read-only. A writable mapping wants a
 * `const struct consented *`, and consent_judge() is the only function that makes
 * one. The table of docs/options.md ("What runs, what is written") is this
 * function, row by row.
 */
#ifndef PAGESTAMP_CONSENT_H
#define PAGESTAMP_CONSENT_H

#include <pagestamp/options.h>
#include <pagestamp/range.h>

enum consent_verdict {
	CONSENT_GIVEN,
	CONSENT_NOT_ASKED, /* no write= names the range: the cell is not run */
	CONSENT_REFUSED,   /* named, but the range holds something: needs '!' */
};

/* Opaque on purpose: only consent.c can fill one. */
struct consented;

/*
 * Judges a map=dev cell of `experiment` on `range`, whose content must be known.
 * `align` is the experiment's compound size in bytes. On CONSENT_GIVEN `*out` is
 * a new object (consent_free() it) that allows writes in [2 MiB, dataoff) of the
 * range, where dataoff is the one that geometry_for() yields; otherwise `*out` is
 * NULL and `why` says in one line what is missing or what the range holds.
 */
enum consent_verdict consent_judge(const struct pmem_range *range, const struct options *options,
                                   enum experiment_id experiment, struct consented **out, char *why,
                                   size_t why_size);
void consent_free(struct consented *consented);

const struct pmem_range *consented_range(const struct consented *consented);
/* The bytes of the range that may be written: offsets from its base, end exclusive. */
uint64_t consented_begin(const struct consented *consented);
uint64_t consented_end(const struct consented *consented);
/* True when the range's own superblock is respected (its dataoff), false when treated as blank. */
bool consented_keeps_namespace(const struct consented *consented);

#endif
