/* SPDX-License-Identifier: BSD-2-Clause */
#include "mm/copy_plain.h"

extern const struct copy_backend copy_backend_movq, copy_backend_prefetchw, copy_backend_rep_movsb,
	copy_backend_rep_movsq, copy_backend_movdqa_xmm, copy_backend_movdqa_ymm,
	copy_backend_movdqa_zmm, copy_backend_movq_clwb, copy_backend_movnti,
	copy_backend_movntdq_xmm, copy_backend_movntdq_ymm, copy_backend_movntdq_zmm,
	copy_backend_movdir64b, copy_backend_clzero;

/* Ordinary stores, then streaming ones, then the warning. */
/* clang-format off */
const struct copy_backend *const copy_backends[] = {
	&copy_backend_plain,
	&copy_backend_movq,
	&copy_backend_prefetchw,
	&copy_backend_rep_movsb,
	&copy_backend_rep_movsq,
	&copy_backend_movdqa_xmm,
	&copy_backend_movdqa_ymm,
	&copy_backend_movdqa_zmm,
	&copy_backend_movq_clwb,
	&copy_backend_movnti,
	&copy_backend_movntdq_xmm,
	&copy_backend_movntdq_ymm,
	&copy_backend_movntdq_zmm,
	&copy_backend_movdir64b,
	&copy_backend_clzero,
};
/* clang-format on */
const size_t nr_copy_backends = sizeof(copy_backends) / sizeof(copy_backends[0]);
