/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes a loader or a configuration file gives us, made into the text that options_parse()
 * reads. */
#ifndef PAGESTAMP_LOAD_OPTIONS_H
#define PAGESTAMP_LOAD_OPTIONS_H

#include <stddef.h>

enum options_text {
	OPTIONS_TEXT_NONE,     /* nothing was said: look elsewhere */
	OPTIONS_TEXT_GIVEN,    /* *text holds it */
	OPTIONS_TEXT_NOT_TEXT, /* ignored; `why` says what was found there instead */
	OPTIONS_TEXT_NO_MEMORY,
};

/*
 * EFI_LOADED_IMAGE_PROTOCOL.LoadOptions (UEFI 2.10, 9.1): UTF-16LE by convention only.
 * NULL, no terminator, NULs inside, a byte order mark, blanks: all are met in the field.
 * The first word is dropped when it names the program: it has a '\', '/' or (without '=')
 * ':' in it, ends in ".efi" (any case), or is "pagestamp". Double quotes are dropped,
 * as shells and some loaders leave them in.
 * On OPTIONS_TEXT_GIVEN `*text` is ASCII, NUL-terminated, to be free()d; else it is NULL.
 * OPTIONS_TEXT_NONE also when only a program name or blanks were there.
 */
enum options_text load_options_text(const void *data, size_t size, char **text, char *why,
                                    size_t why_size);

/*
 * A configuration file: one or more options per line, '#' starts a comment (in any
 * encoding), lines end in LF or CRLF, a UTF-8 byte order mark may come first. Elsewhere
 * a byte that is not ASCII text makes the file OPTIONS_TEXT_NOT_TEXT, with its line.
 */
enum options_text config_file_options(const void *data, size_t size, char **text, char *why,
                                      size_t why_size);

#endif
