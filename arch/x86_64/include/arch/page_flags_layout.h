/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where node, zone and last_cpupid stand in page->flags of the vmemmap model, read
 * from descriptors of Debian's 6.12 (tests/data/linux-struct-page/README.md).
 */
#ifndef ARCH_PAGE_FLAGS_LAYOUT_H
#define ARCH_PAGE_FLAGS_LAYOUT_H

#define NODES_PGSHIFT       54
#define NODES_WIDTH         10
#define ZONES_PGSHIFT       51
#define LAST_CPUPID_PGSHIFT 30
#define LAST_CPUPID_WIDTH   21

#endif
