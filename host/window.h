/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef HOST_WINDOW_H
#define HOST_WINDOW_H

/* What the memmaps of this run stand on so far. */
enum host_pages { HOST_PAGES_UNUSED, HOST_PAGES_SMALL, HOST_PAGES_THP, HOST_PAGES_HUGETLB };

#endif
