/* SPDX-License-Identifier: BSD-2-Clause */
/* Fetches what the user said; discover/load_options.h makes text of the bytes. */
#ifndef BOOT_LOAD_OPTIONS_H
#define BOOT_LOAD_OPTIONS_H

#include <stddef.h>

/* The loaded image's LoadOptions as they are; NULL with *size 0 when there are none. */
const void *load_options_bytes(size_t *size);

/*
 * The text of \pagestamp\pagestamp.conf on the volume the program was started from,
 * NUL-terminated, free() it. NULL when there is no such file; when there is one that
 * cannot be read, NULL and a reason in `why` (else "").
 */
char *config_file_text(char *why, size_t why_size);

#endif
