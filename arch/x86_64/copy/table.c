/* SPDX-License-Identifier: BSD-2-Clause */
#include "mm/copy_plain.h"

extern const struct copy_backend copy_backend_movq, copy_backend_movnti;

const struct copy_backend *const copy_backends[] = {
	&copy_backend_plain,
	&copy_backend_movq,
	&copy_backend_movnti,
};
const size_t nr_copy_backends = sizeof(copy_backends) / sizeof(copy_backends[0]);
