/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend that needs no architecture: each table's first row. */
#ifndef MM_COPY_PLAIN_H
#define MM_COPY_PLAIN_H

#include <pagestamp/copy.h>

extern const struct copy_backend copy_backend_plain;

#endif
