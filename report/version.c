/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/version.h>

#include "version-generated.h"

const char pagestamp_version[] = PAGESTAMP_VERSION;
#ifdef __clang__
const char pagestamp_compiler[] = "clang " __clang_version__;
#else
const char pagestamp_compiler[] = "gcc " __VERSION__;
#endif
const char pagestamp_build_flags[] = PAGESTAMP_BUILD_FLAGS;
