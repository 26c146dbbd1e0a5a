/* SPDX-License-Identifier: BSD-2-Clause */
/* What shim looks at to revoke a generation of a program. */
#define SBAT                                                                                       \
	"sbat,1,SBAT Version,sbat,1,https://github.com/rhboot/shim/blob/main/SBAT.md\n"            \
	"pagestamp,1,pagestamp,pagestamp,1,\n"

/* Without the NUL: the section is the text, to the byte. */
__attribute__((section(".sbat"), used)) const char sbat[sizeof(SBAT) - 1] = SBAT;
