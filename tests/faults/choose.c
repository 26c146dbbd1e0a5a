/* SPDX-License-Identifier: BSD-2-Clause */
/* Which call fails, and from where each was made. */
#include "tests/faults/faults.h"

#include <pagestamp/firmware.h>
#include <pagestamp/smbios.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR_SITES 512

struct site {
	enum fault_call call;
	uint64_t at; /* in the image */
	unsigned first, calls;
};

enum mode { MODE_NONE, MODE_ONE, MODE_FROM, MODE_STAND, MODE_RANDOM, MODE_COUNT };

static const char *const names[NR_FAULT_CALLS] = {
#define FAULT_NAME(name) #name,
	FAULT_CALLS(FAULT_NAME)
#undef FAULT_NAME
};

EFI_SYSTEM_TABLE *faults_st;
struct fault_holdings fault_holdings;

bool faults_no_console;

static enum mode mode;
static enum fault_call chosen;
static unsigned chosen_nr;
static uint64_t random_state, image_base;
static unsigned calls[NR_FAULT_CALLS];
static struct site sites[NR_SITES];
static unsigned nr_sites;
/* Said as soon as the console may be used. */
static unsigned unsaid, unsaid_nr;

/* Not the program's printf: its memory may be what is made to fail. */
static void out(const char *text)
{
	CHAR16 wide[200];
	size_t i = 0;

	for (; text[i] && i + 1 < sizeof(wide) / sizeof(wide[0]); i++)
		wide[i] = (CHAR16)text[i];
	wide[i] = 0;
	faults_st->ConOut->OutputString(faults_st->ConOut, wide);
}

void faults_say(const char *format, ...)
{
	char text[160];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	out("\r\nfault: ");
	out(text);
	out("\r\n");
}

void faults_choose(EFI_HANDLE image)
{
	static EFI_GUID guid = EFI_LOADED_IMAGE_PROTOCOL_GUID;
	EFI_LOADED_IMAGE *loaded = NULL;
	struct firmware_bytes structures;
	const char *text = NULL;
	char *end;

	faults_st->BootServices->HandleProtocol(image, &guid, (void **)&loaded);
	image_base = (uintptr_t)loaded->ImageBase;
	if (firmware_smbios(&structures))
		text = smbios_oem_string(structures.data, structures.size, "pagestamp:fault=");
	if (text && strcmp(text, "count") == 0) {
		mode = MODE_COUNT;
		return;
	}
	if (text && strcmp(text, "no-console") == 0) {
		faults_no_console = true;
		return;
	}
	if (text && strncmp(text, "random:", 7) == 0) {
		mode = MODE_RANDOM;
		random_state = strtoul(text + 7, NULL, 10);
		return;
	}
	for (unsigned i = 0; text && i < NR_FAULT_CALLS; i++) {
		const size_t len = strlen(names[i]);

		if (strncmp(text, names[i], len) != 0 || text[len] != ':')
			continue;
		chosen = i;
		chosen_nr = (unsigned)strtoul(text + len + 1, &end, 10);
		mode = *end == '+' ? MODE_FROM : *end == '!' ? MODE_STAND : MODE_ONE;
		return;
	}
	faults_say("none chosen: %s", text ? text : "no pagestamp:fault= in SMBIOS");
}

static void count(enum fault_call call, uint64_t at)
{
	for (unsigned i = 0; i < nr_sites; i++) {
		if (sites[i].call == call && sites[i].at == at) {
			sites[i].calls++;
			return;
		}
	}
	if (nr_sites == NR_SITES) {
		faults_say("more than %d sites", NR_SITES);
		return;
	}
	sites[nr_sites++] = (struct site){call, at, calls[call], 1};
}

static bool fails(enum fault_call call)
{
	switch (mode) {
	case MODE_ONE:
		return call == chosen && calls[call] == chosen_nr;
	case MODE_FROM:
		return call == chosen && calls[call] >= chosen_nr;
	case MODE_RANDOM:
		random_state = random_state * 6364136223846793005 + 1442695040888963407;
		return random_state >> 58 == 0;
	default:
		return false;
	}
}

bool fault_now(enum fault_call call, const void *site)
{
	bool fail;

	calls[call]++;
	if (mode == MODE_COUNT)
		count(call, (uintptr_t)site - image_base);
	if (mode == MODE_STAND && call == chosen && calls[call] == chosen_nr) {
		faults_say("%s %u stands still", names[call], chosen_nr);
		for (;;)
			faults_st->BootServices->Stall(1000000);
	}
	fail = fails(call);
	if (fail) {
		unsaid = call + 1;
		unsaid_nr = calls[call];
	}
	if (unsaid && !fault_holdings.tpl) {
		faults_say("%s %u fails", names[unsaid - 1], unsaid_nr);
		unsaid = 0;
	}
	return fail;
}

void faults_tell(void)
{
	for (unsigned i = 0; i < nr_sites; i++)
		faults_say("site %s 0x%llx first %u calls %u", names[sites[i].call],
		           (unsigned long long)sites[i].at, sites[i].first, sites[i].calls);
	faults_say("held: pages %ld pools %ld files %ld tpl %ld", fault_holdings.pages,
	           fault_holdings.pools, fault_holdings.files, fault_holdings.tpl);
}
