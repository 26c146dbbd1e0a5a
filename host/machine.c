/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine as Linux shows it to a process. */
#include "host/machine.h"
#include "host/cpu.h"

#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The first line of a file that begins with `key`, what stands behind its colon. */
static bool file_value(const char *path, const char *key, char *out, size_t size)
{
	char line[1024];
	bool found = false;
	FILE *file = fopen(path, "r");

	while (file && !found && fgets(line, sizeof(line), file)) {
		const char *colon = strchr(line, ':');

		if (strncmp(line, key, strlen(key)) != 0 || !colon)
			continue;
		snprintf(out, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
		out[strcspn(out, "\n")] = '\0';
		found = true;
	}
	if (file)
		fclose(file);
	return found;
}

static uint64_t last_level_cache(void)
{
	const long level3 = sysconf(_SC_LEVEL3_CACHE_SIZE);

	return level3 > 0 ? (uint64_t)level3 : 0;
}

void host_machine_describe(struct machine *out)
{
	struct utsname name;

	*out = (struct machine){.el = -1, .secure_boot = -1, .nodes = 1};
	host_cpu_describe(out);
	file_value("/proc/cpuinfo", "microcode", out->microcode, sizeof(out->microcode));
	if (!out->cpu[0])
		file_value("/proc/cpuinfo", "model name", out->cpu, sizeof(out->cpu));
	if (!out->llc_bytes)
		out->llc_bytes = last_level_cache();
	if (!uname(&name))
		snprintf(out->firmware, sizeof(out->firmware), "%.20s %.50s (a process)",
		         name.sysname, name.release);
	out->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}
