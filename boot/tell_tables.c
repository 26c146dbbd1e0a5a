/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/tell_tables.h"
#include "boot/tell_labels.h"

#include "report/text.h"

#include <pagestamp/firmware.h>
#include <pagestamp/madt.h>
#include <pagestamp/smbios.h>
#include <pagestamp/spcr.h>

#define INDENT 6

static void tell_cpus(struct results *results)
{
	struct firmware_bytes table;
	struct madt madt;
	char why[128];

	if (!firmware_acpi_table("APIC", 0, &table))
		return;
	if (!madt_parse(table.data, table.size, &madt, why, sizeof(why))) {
		results_skip(results, NULL, why, "ACPI MADT");
		return;
	}
	text_wrap(stdout, "MADT: ", INDENT, "CPUs: %zu enabled, %zu more may come", madt.enabled,
	          madt.nr - madt.enabled);
	madt_free(&madt);
}

static void tell_console(struct results *results)
{
	struct firmware_bytes table;
	struct spcr spcr;
	char text[128];

	if (!firmware_acpi_table("SPCR", 0, &table))
		return;
	if (!spcr_parse(table.data, table.size, &spcr, text, sizeof(text))) {
		results_skip(results, NULL, text, "ACPI SPCR");
		return;
	}
	spcr_describe(&spcr, text, sizeof(text));
	text_wrap(stdout, "SPCR: ", INDENT, "console: %s", text);
}

static void tell_windows(const struct cedt *cedt)
{
	for (size_t i = 0; i < cedt->nr; i++) {
		const struct cedt_window *window = &cedt->window[i];

		text_wrap(stdout, "CEDT: ", INDENT,
		          "CXL window %zu at 0x%llx, %s, %u-way, restrictions 0x%x", i,
		          (unsigned long long)window->base, text_bytes(window->size).text,
		          window->ways, window->restrictions);
	}
}

/* SMBIOS knows what is printed beside an NVDIMM, where firmware gave both the same handle. */
static void tell_nvdimms(const struct nfit *nfit)
{
	struct firmware_bytes structures = {0};

	firmware_smbios(&structures);
	for (size_t i = 0; i < nfit->nr_mappings; i++) {
		const struct nfit_mapping *mapping = &nfit->mapping[i];
		const char *name =
			smbios_dimm_name(structures.data, structures.size, mapping->physical_id);

		text_wrap(stdout, "NFIT: ", INDENT,
		          "NVDIMM 0x%x%s%s: %s for range %u of the table, state 0x%x",
		          (unsigned)mapping->handle, name ? " " : "", name ? name : "",
		          text_bytes(mapping->length).text, mapping->range, mapping->state);
	}
}

void tell_tables(const struct range_sources *sources, struct results *results)
{
	tell_cpus(results);
	tell_console(results);
	if (sources->srat.initiators)
		text_wrap(stdout, "SRAT: ", INDENT, "generic initiators: %u",
		          sources->srat.initiators);
	tell_windows(&sources->cedt);
	tell_nvdimms(&sources->nfit);
	tell_labels(&sources->nfit, results);
	for (size_t i = 0; i < results->ranges.nr; i++) {
		const struct pmem_range *range = &results->ranges.item[i];

		if (range->nodes[0] || range->about[0])
			text_wrap(stdout, "", INDENT, "%s: node by %s; %s", range->id,
			          range->nodes[0] ? range->nodes : "no table",
			          range->about[0] ? range->about : "nothing more");
	}
}
