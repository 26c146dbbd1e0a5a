/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/x86_64/cpuid.h"
#include "arch/x86_64/microcode.h"

#include <pagestamp/arch.h>
#include <stdio.h>
#include <string.h>

const char arch_name[] = "x86_64";

static void describe_brand(char *out, size_t size)
{
	char text[49] = "";
	const char *from = text;
	size_t n;

	for (unsigned i = 0; i < 3; i++) {
		struct cpuid r = cpuid(0x80000002 + i, 0);

		memcpy(text + 16 * i, &r, sizeof(r));
	}
	while (*from == ' ')
		from++;
	for (n = strlen(from); n && from[n - 1] == ' '; n--)
		;
	snprintf(out, size, "%.*s", (int)n, from);
}

static void describe_model(char *out, size_t size)
{
	uint32_t eax = cpuid(1, 0).eax;
	unsigned family = eax >> 8 & 15, model = eax >> 4 & 15;

	if (family == 6 || family == 15)
		model |= eax >> 12 & 0xf0;
	if (family == 15)
		family += eax >> 20 & 0xff;
	snprintf(out, size, "%u/%u/%u", family, model, eax & 15);
}

static uint64_t cache_bytes(uint32_t leaf)
{
	uint64_t bytes = 0;
	unsigned best = 0;

	if (!cpuid_has(leaf))
		return 0;
	for (unsigned i = 0; i < 16; i++) {
		struct cpuid r = cpuid(leaf, i);
		unsigned type = r.eax & 31, level = r.eax >> 5 & 7;

		if (type == 0)
			break;
		if (type == 2 || level <= best) /* instructions only */
			continue;
		best = level;
		bytes = (uint64_t)((r.ebx & 0xfff) + 1) * ((r.ebx >> 12 & 0x3ff) + 1) *
		        ((r.ebx >> 22) + 1) * ((uint64_t)r.ecx + 1);
	}
	return bytes;
}

static uint64_t llc_bytes(void)
{
	uint64_t bytes = cache_bytes(4);

	/* AMD's leaf counts only with its topology extensions. */
	if (!bytes && cpuid(0x80000001, 0).ecx >> 22 & 1)
		bytes = cache_bytes(0x8000001d);
	return bytes;
}

enum which { EAX, EBX, ECX, EDX };

static const struct feature {
	uint32_t leaf;
	uint8_t subleaf, which, bit;
	char name[14]; /* not a pointer, which would cost a relocation each */
} features[] = {
	{1, 0, EDX, 26, "sse2"},
	{1, 0, ECX, 19, "sse4.1"},
	{1, 0, ECX, 28, "avx"},
	{7, 0, EBX, 5, "avx2"},
	{7, 0, EBX, 16, "avx512f"},
	{7, 0, EBX, 17, "avx512dq"},
	{7, 0, EBX, 30, "avx512bw"},
	{7, 0, EBX, 31, "avx512vl"},
	{7, 0, EBX, 9, "erms"},
	{7, 0, EDX, 4, "fsrm"},
	{7, 1, EAX, 10, "fzrm"},
	{7, 1, EAX, 11, "fsrs"},
	{7, 0, EBX, 23, "clflushopt"},
	{7, 0, EBX, 24, "clwb"},
	{7, 0, ECX, 27, "movdiri"},
	{7, 0, ECX, 28, "movdir64b"},
	{0x80000008, 0, EBX, 0, "clzero"},
	{0x80000001, 0, EDX, 26, "pdpe1gb"},
	{7, 0, ECX, 16, "la57"},
	{0x80000001, 0, EDX, 27, "rdtscp"},
	{0x80000007, 0, EDX, 8, "invariant-tsc"},
};

static bool has_feature(const struct feature *feature)
{
	struct cpuid r = cpuid(feature->leaf, feature->subleaf);
	uint32_t reg[4] = {r.eax, r.ebx, r.ecx, r.edx};

	/* The highest subleaf of leaf 7 is in EAX of subleaf 0. */
	if (feature->leaf == 7 && feature->subleaf > cpuid(7, 0).eax)
		return false;
	return reg[feature->which] >> feature->bit & 1;
}

static void describe_features(char *out, size_t size)
{
	size_t at = 0;

	out[0] = '\0';
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		size_t need = strlen(features[i].name) + (at ? 1 : 0);

		if (has_feature(&features[i]) && at + need < size)
			at += (size_t)snprintf(out + at, size - at, "%s%s", at ? " " : "",
			                       features[i].name);
	}
}

static void describe_hypervisor(struct machine *machine)
{
	static const struct {
		char signature[13], name[11], accel[4];
	} known[] = {
		{"TCGTCGTCGTCG", "TCG", "tcg"},     {"KVMKVMKVM", "KVM", "kvm"},
		{"Microsoft Hv", "Hyper-V", ""},    {"VMwareVMware", "VMware", ""},
		{"XenVMMXenVMM", "Xen", ""},        {"bhyve bhyve ", "bhyve", ""},
		{"VBoxVBoxVBox", "VirtualBox", ""}, {"ACRNACRNACRN", "ACRN", ""},
	};
	struct cpuid r = cpuid(0x40000000, 0);
	char signature[13] = "";

	memcpy(signature, &r.ebx, 4);
	memcpy(signature + 4, &r.ecx, 4);
	memcpy(signature + 8, &r.edx, 4);
	snprintf(machine->hypervisor, sizeof(machine->hypervisor), "%s", signature);
	machine->accel[0] = '\0';
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(signature, known[i].signature) != 0)
			continue;
		snprintf(machine->hypervisor, sizeof(machine->hypervisor), "%s", known[i].name);
		snprintf(machine->accel, sizeof(machine->accel), "%s", known[i].accel);
	}
}

void arch_cpu_describe(struct machine *machine)
{
	describe_brand(machine->cpu, sizeof(machine->cpu));
	describe_model(machine->family_model_stepping, sizeof(machine->family_model_stepping));
	describe_microcode(machine->microcode, sizeof(machine->microcode));
	machine->midr[0] = '\0';
	machine->llc_bytes = llc_bytes();
	describe_features(machine->features, sizeof(machine->features));
	machine->el = -1;
	describe_hypervisor(machine);
}
