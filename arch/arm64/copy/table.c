/* SPDX-License-Identifier: BSD-2-Clause */
#include "mm/copy_plain.h"

extern const struct copy_backend copy_backend_stp, copy_backend_stp_q, copy_backend_sve_st1,
	copy_backend_mops, copy_backend_dc_zva, copy_backend_stnp, copy_backend_stnp_q,
	copy_backend_sve_stnt1;

/* Ordinary stores, then streaming ones. */
/* clang-format off */
const struct copy_backend *const copy_backends[] = {
	&copy_backend_plain,
	&copy_backend_stp,
	&copy_backend_stp_q,
	&copy_backend_sve_st1,
	&copy_backend_mops,
	&copy_backend_dc_zva,
	&copy_backend_stnp,
	&copy_backend_stnp_q,
	&copy_backend_sve_stnt1,
};
/* clang-format on */
const size_t nr_copy_backends = sizeof(copy_backends) / sizeof(copy_backends[0]);
