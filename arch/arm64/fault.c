/* SPDX-License-Identifier: BSD-2-Clause */
/* An exception in words: ESR's class and status, and the registers. */
#include "context.h"
#include "sysreg.h"

#include <pagestamp/window.h>

#include <stdio.h>
#include <string.h>

#define ESR_FNV (1u << 10) /* FAR holds nothing */
#define ESR_WNR (1u << 6)
#define ESR_IDS (1u << 24) /* an SError's syndrome is the CPU's own */

#define ESR_SET_UNCONTAINED 2
#define ESR_AET_UEU         1 /* unrecoverable; 0 = uncontained */

static const char *class_name(unsigned class)
{
	switch (class) {
	case 0x00:
		return "undefined instruction";
	case 0x07:
		return "FP or SIMD is switched off";
	case 0x0d:
		return "branch target";
	case 0x0e:
		return "illegal execution state";
	case 0x15:
		return "SVC instruction";
	case 0x18:
		return "trapped system register";
	case 0x19:
		return "SVE is switched off";
	case 0x20:
	case 0x21:
		return "instruction abort";
	case 0x22:
		return "misaligned PC";
	case 0x24:
	case 0x25:
		return "data abort";
	case 0x26:
		return "misaligned SP";
	case 0x27:
		return "memory copy exception";
	case 0x2c:
		return "floating-point exception";
	case 0x3c:
		return "BRK instruction";
	default:
		return NULL;
	}
}

static const char *status_name(unsigned status)
{
	switch (status >> 2) {
	case 0:
		return "address size";
	case 1:
		return "translation";
	case 2:
		return "access flag";
	case 3:
		return "permission";
	case 5:
		return "external, on a walk";
	case 7:
		return "parity, on a walk";
	}
	switch (status) {
	case 0x10:
		return "external";
	case 0x11:
		return "tag check";
	case 0x18:
		return "parity or ECC";
	case 0x21:
		return "alignment";
	case 0x30:
		return "TLB conflict";
	case 0x35:
		return "unsupported access";
	default:
		return "other";
	}
}

static bool is_abort(unsigned class)
{
	return class == 0x20 || class == 0x21 || class == 0x24 || class == 0x25;
}

static void describe_synchronous(uint64_t esr, char *what, size_t size)
{
	unsigned class = (unsigned)bits(esr, 26, 6), status = (unsigned)bits(esr, 0, 6);
	const char *name = class_name(class);

	if (!name)
		snprintf(what, size, "exception class 0x%02x", class);
	else if (!is_abort(class))
		snprintf(what, size, "%s", name);
	else if (status < 0x20) /* with a level, or close enough not to have one */
		snprintf(what, size, status < 0x10 || status & 4 ? "%s: %s, level %u" : "%s: %s",
		         name, status_name(status), status & 3);
	else
		snprintf(what, size, "%s: %s", name, status_name(status));
}

/*
 * An external abort or parity error of the access itself, or an SError, which nothing but
 * the code of the window caused (window.c); unless the CPU says that it was not contained
 * (SET and AET, where it has them).
 */
static bool is_memory_error(unsigned kind, uint64_t esr)
{
	unsigned status = (unsigned)bits(esr, 0, 6);

	if (kind == 0)
		return bits(esr, 26, 6) == 0x25 && (status == 0x10 || status == 0x18) &&
		       bits(esr, 11, 2) != ESR_SET_UNCONTAINED;
	return kind == 3 && (esr & ESR_IDS || status != 0x11 || bits(esr, 10, 3) > ESR_AET_UEU);
}

static void list_registers(const struct window_context *context, char *text, size_t size)
{
	const struct {
		const char *name;
		uint64_t value;
	} special[] = {
		{"sp", context->at_sp}, {"pc", context->pc},   {"pst", context->pstate},
		{"esr", context->esr},  {"far", context->far},
	};
	unsigned total = 31 + sizeof(special) / sizeof(special[0]);
	size_t used = 0;

	/* Three to a line of 64 columns. */
	for (unsigned i = 0; i < total && used < size; i++) {
		char name[4];

		if (i < 31)
			snprintf(name, sizeof(name), "x%u", i);
		else
			snprintf(name, sizeof(name), "%s", special[i - 31].name);
		used += (size_t)snprintf(
			text + used, size - used, "%-3s %016llx%s", name,
			(unsigned long long)(i < 31 ? context->x[i] : special[i - 31].value),
			i % 3 == 2 || i + 1 == total ? "\n" : "  ");
	}
}

void window_fault_describe(const struct window_context *context, struct window_fault *fault)
{
	static const char *const others[4] = {"", "unexpected IRQ", "unexpected FIQ",
	                                      "SError (asynchronous)"};
	unsigned kind = context->vector % 4, class = (unsigned)bits(context->esr, 26, 6);
	bool has_address = is_abort(class) || class == 0x22;

	memset(fault, 0, sizeof(*fault));
	fault->pc = context->pc;
	if (kind == 0) {
		describe_synchronous(context->esr, fault->what, sizeof(fault->what));
		if (has_address && !(context->esr & ESR_FNV))
			fault->address = context->far;
		fault->write = (class == 0x24 || class == 0x25) && context->esr & ESR_WNR;
	} else {
		snprintf(fault->what, sizeof(fault->what), "%s", others[kind]);
	}
	if (kind == 0 || kind == 3) /* an interrupt leaves ESR as it was */
		fault->code = context->esr;
	fault->memory_error = is_memory_error(kind, context->esr);
	list_registers(context, fault->registers, sizeof(fault->registers));
}
