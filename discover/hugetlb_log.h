/* SPDX-License-Identifier: BSD-2-Clause */
/* Linux's lines about huge pages, kept as they are made. */
#ifndef DISCOVER_HUGETLB_LOG_H
#define DISCOVER_HUGETLB_LOG_H

#include <pagestamp/hugepages.h>

/* A line, "HugeTLB: " before it. Without memory for it log->lost is set. */
void hugetlb_say(struct hugetlb_log *log, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void hugetlb_log_free(struct hugetlb_log *log);

/*
 * "2.00 MiB", "16.0 GiB", "512 MiB": three digits, as Linux's string_get_size() has them for
 * a power of two, 1 KiB or more. Room for 16 always fits.
 */
void hugepage_size_text(uint64_t bytes, char *out, size_t out_size);

#endif
