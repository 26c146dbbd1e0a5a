/* SPDX-License-Identifier: BSD-2-Clause */
#include "sysreg.h"

#include <pagestamp/arch.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char arch_name[] = "arm64";

/*
 * Names of cores, not of products: a Graviton 2 says that it is a Neoverse N1, and so
 * does this table.
 */
static const struct core {
	uint8_t implementer;
	uint16_t part;
	const char *name;
} cores[] = {
	{0x00, 0x051, "QEMU max"},
	{0x41, 0xd03, "Cortex-A53"},
	{0x41, 0xd04, "Cortex-A35"},
	{0x41, 0xd05, "Cortex-A55"},
	{0x41, 0xd07, "Cortex-A57"},
	{0x41, 0xd08, "Cortex-A72"},
	{0x41, 0xd09, "Cortex-A73"},
	{0x41, 0xd0a, "Cortex-A75"},
	{0x41, 0xd0b, "Cortex-A76"},
	{0x41, 0xd0c, "Neoverse N1"},
	{0x41, 0xd0d, "Cortex-A77"},
	{0x41, 0xd40, "Neoverse V1"},
	{0x41, 0xd41, "Cortex-A78"},
	{0x41, 0xd44, "Cortex-X1"},
	{0x41, 0xd46, "Cortex-A510"},
	{0x41, 0xd47, "Cortex-A710"},
	{0x41, 0xd48, "Cortex-X2"},
	{0x41, 0xd49, "Neoverse N2"},
	{0x41, 0xd4a, "Neoverse E1"},
	{0x41, 0xd4d, "Cortex-A715"},
	{0x41, 0xd4e, "Cortex-X3"},
	{0x41, 0xd4f, "Neoverse V2"},
	{0x41, 0xd80, "Cortex-A520"},
	{0x41, 0xd81, "Cortex-A720"},
	{0x41, 0xd82, "Cortex-X4"},
	{0x41, 0xd84, "Neoverse V3"},
	{0x41, 0xd8e, "Neoverse N3"},
	{0x42, 0x516, "Broadcom Vulcan (ThunderX2)"},
	{0x43, 0x0a1, "Cavium ThunderX"},
	{0x43, 0x0af, "Cavium ThunderX2"},
	{0x46, 0x001, "Fujitsu A64FX"},
	{0x48, 0xd01, "HiSilicon TSV110 (Kunpeng 920)"},
	{0x4e, 0x004, "NVIDIA Carmel"},
	{0x50, 0x000, "Applied Micro X-Gene"},
	{0x51, 0x001, "Qualcomm Oryon"},
	{0x51, 0xc00, "Qualcomm Falkor"},
	{0x61, 0x022, "Apple Icestorm (M1)"},
	{0x61, 0x023, "Apple Firestorm (M1)"},
	{0x61, 0x032, "Apple Blizzard (M2)"},
	{0x61, 0x033, "Apple Avalanche (M2)"},
	{0x6d, 0xd49, "Microsoft Azure Cobalt 100"},
	{0xc0, 0xac3, "Ampere-1"},
	{0xc0, 0xac4, "Ampere-1A"},
};

static void describe_core(struct machine *machine)
{
	uint64_t midr = READ_SYSREG(midr_el1);
	unsigned implementer = (unsigned)bits(midr, 24, 8), part = (unsigned)bits(midr, 4, 12);
	unsigned variant = (unsigned)bits(midr, 20, 4), revision = (unsigned)bits(midr, 0, 4);

	snprintf(machine->midr, sizeof(machine->midr), "0x%08llx", (unsigned long long)midr);
	for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++)
		if (cores[i].implementer == implementer && cores[i].part == part) {
			snprintf(machine->cpu, sizeof(machine->cpu), "%s r%up%u", cores[i].name,
			         variant, revision);
			return;
		}
	snprintf(machine->cpu, sizeof(machine->cpu), "implementer 0x%02x part 0x%03x r%up%u",
	         implementer, part, variant, revision);
}

/*
 * The outermost cache that the CPU itself lists; one of the interconnect is not among
 * them. A hypervisor may show one set of one way for every cache: that is "unknown".
 */
static uint64_t last_level_cache(void)
{
	uint64_t clidr = READ_SYSREG(clidr_el1), selected, ccsidr, sets, ways, line;
	unsigned level = 7;

	do { /* types 2, 3, 4: data, separate, unified */
		if (level-- == 0)
			return 0;
	} while (bits(clidr, 3 * level, 3) < 2);

	selected = READ_SYSREG(csselr_el1);
	WRITE_SYSREG(csselr_el1, level << 1);
	isb();
	ccsidr = READ_SYSREG(ccsidr_el1);
	WRITE_SYSREG(csselr_el1, selected);
	isb();

	line = 16ull << bits(ccsidr, 0, 3);
	if (bits(READ_SYSREG(id_aa64mmfr2_el1), 20, 4)) { /* CCIDX */
		ways = bits(ccsidr, 3, 21) + 1;
		sets = bits(ccsidr, 32, 24) + 1;
	} else {
		ways = bits(ccsidr, 3, 10) + 1;
		sets = bits(ccsidr, 13, 15) + 1;
	}
	return sets * ways > 1 ? sets * ways * line : 0;
}

static void add_feature(struct machine *machine, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void add_feature(struct machine *machine, const char *format, ...)
{
	size_t used = strlen(machine->features), size = sizeof(machine->features);
	va_list args;

	if (used && used + 1 < size)
		machine->features[used++] = ' ';
	va_start(args, format);
	vsnprintf(machine->features + used, size - used, format, args);
	va_end(args);
}

static void describe_features(struct machine *machine)
{
	uint64_t pfr0 = READ_SYSREG(id_aa64pfr0_el1), isar0 = READ_SYSREG(id_aa64isar0_el1);
	uint64_t isar1 = READ_SYSREG(id_aa64isar1_el1), mmfr0 = READ_SYSREG(id_aa64mmfr0_el1);
	uint64_t dczid = READ_SYSREG(dczid_el0);
	/* By encoding: an assembler may not know the names. Unallocated ones read as zero. */
	uint64_t isar2 = READ_SYSREG(S3_0_C0_C6_2), zfr0 = READ_SYSREG(S3_0_C0_C4_4);
	bool sve = bits(pfr0, 32, 4);

	machine->features[0] = '\0';
	if (bits(pfr0, 20, 4) != 0xf)
		add_feature(machine, "asimd");
	if (sve)
		add_feature(machine, "sve");
	if (sve && bits(zfr0, 0, 4))
		add_feature(machine, "sve2");
	if (bits(isar2, 16, 4))
		add_feature(machine, "mops");
	if (bits(dczid, 4, 1))
		add_feature(machine, "dczva-prohibited");
	else
		add_feature(machine, "dczva=%u", 4u << bits(dczid, 0, 4));
	if (bits(isar0, 20, 4) >= 2)
		add_feature(machine, "lse");
	if (bits(isar1, 0, 4) >= 1)
		add_feature(machine, "dcpop");
	if (bits(isar1, 0, 4) >= 2)
		add_feature(machine, "dcpodp");
	if (bits(mmfr0, 28, 4) == 1)
		add_feature(machine, "lpa2");
	if (current_el() == 2 && !own_is_el2())
		add_feature(machine, "e2h");
}

void arch_cpu_describe(struct machine *machine)
{
	describe_core(machine);
	describe_features(machine);
	machine->family_model_stepping[0] = '\0';
	machine->microcode[0] = '\0';
	machine->llc_bytes = last_level_cache();
	machine->el = (int)current_el();
	machine->hypervisor[0] = '\0'; /* no register tells a guest */
}
