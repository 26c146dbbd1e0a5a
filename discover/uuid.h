/* SPDX-License-Identifier: BSD-2-Clause */
/* A UUID as Linux and ndctl print the bytes that lie in memory: no byte order, RFC 4122's dashes.
 */
#ifndef DISCOVER_UUID_H
#define DISCOVER_UUID_H

#include <stdint.h>

/* 36 characters and a NUL. */
void uuid_text(const uint8_t uuid[16], char out[37]);

#endif
