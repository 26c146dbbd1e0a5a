/* SPDX-License-Identifier: BSD-2-Clause */
/* What the real ndctl wrote into a label area: its first 64 KiB. */
	.section .rodata.label_area, "a", %progbits
	.globl	label_area, label_area_end
	.hidden	label_area, label_area_end
label_area:
	.incbin	"tests/data/nvdimm/fsdax-dev-2M-label.label.bin"
label_area_end:

	.section .note.GNU-stack, "", %progbits
