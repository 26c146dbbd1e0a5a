/* SPDX-License-Identifier: BSD-2-Clause */
/* What was built: the only strings that change with every commit, in one object file. */
#ifndef PAGESTAMP_VERSION_H
#define PAGESTAMP_VERSION_H

extern const char pagestamp_version[];     /* git describe */
extern const char pagestamp_compiler[];    /* "gcc 12.2.0" */
extern const char pagestamp_build_flags[]; /* of mm/ and the copies, what is measured */

#endif
