/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/selftest.h"
#include "boot/selftest_window.h"

#include <pagestamp/ktap.h>
#include <pagestamp/selftest.h>

static void report(bool ok, const char *name)
{
	ktap_result(ok, "%s", name);
}

bool selftest(FILE *out)
{
	ktap_begin(out);
	selftest_mm(report);
	selftest_pte(report);
	selftest_window(report);
	return !ktap_end();
}
