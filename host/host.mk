# SPDX-License-Identifier: BSD-2-Clause
# The same experiments as a Linux process, on this very CPU. Other hosts: HOST_ARCH and
# HOST_CC, e.g. `make build/host/pagestamp HOST_ARCH=arm64 HOST_CC=aarch64-linux-gnu-gcc`.

HOST_BUILD ?= build/host

.PHONY: bench

BENCH_SOURCES := $(wildcard mm/*.c bench/*.c report/*.c arch/$(HOST_ARCH)/copy/*.c) \
	$(filter-out arch/arm64/cpu.c,arch/$(HOST_ARCH)/cpu.c) arch/$(HOST_ARCH)/counter.c \
	arch/$(HOST_ARCH)/cache.c $(wildcard arch/$(HOST_ARCH)/memcpy_flushcache.c) \
	$(wildcard discover/*.c) \
	$(filter-out host/cpu_%.c,$(wildcard host/*.c)) host/cpu_$(HOST_ARCH).c
BENCH_OBJECTS := $(BENCH_SOURCES:%.c=$(HOST_BUILD)/%.o)
BENCH_CFLAGS := $(HOST_CFLAGS) -O2

$(HOST_BUILD)/mm/%.o $(HOST_BUILD)/arch/$(HOST_ARCH)/copy/%.o: BENCH_FILE = \
	$(CFLAGS_KERNEL) $(CFLAGS_KERNEL_$(HOST_ARCH))
$(HOST_BUILD)/report/version.o: BENCH_FILE = -I$(HOST_BUILD)
$(HOST_BUILD)/report/version.o: $(HOST_BUILD)/version-generated.h

$(HOST_BUILD)/%.o: %.c $(HOST_BUILD)/flags
	@mkdir -p $(@D)
	@echo "CC  host $<"
	@$(HOST_CC) $(BENCH_CFLAGS) $(BENCH_FILE) -MMD -MP -c $< -o $@

$(HOST_BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(HOST_CC) $(BENCH_CFLAGS) $(CFLAGS_KERNEL) $(CFLAGS_KERNEL_$(HOST_ARCH)) $(BENCH_OBJECTS)' | \
		tools/write_if_changed.sh $@

$(HOST_BUILD)/version-generated.h: FORCE
	@mkdir -p $(@D)
	@printf '#define PAGESTAMP_VERSION "%s"\n#define PAGESTAMP_BUILD_FLAGS "%s"\n' '$(VERSION)' \
		'$(filter -O% -f% -m% -std%,$(BENCH_CFLAGS) $(CFLAGS_KERNEL) $(CFLAGS_KERNEL_$(HOST_ARCH)))' | \
		tools/write_if_changed.sh $@

$(HOST_BUILD)/pagestamp: $(BENCH_OBJECTS)
	@echo "LD  host $@"
	@$(HOST_CC) $(BENCH_LDFLAGS) -o $@ $^ -lm -ldl

## make bench         the same experiments as a native program, on huge pages, on this very CPU
bench: $(HOST_BUILD)/pagestamp
	@mkdir -p build/run/host
	@bash -o pipefail -c '$(HOST_BUILD)/pagestamp build/run/host $(ARGS) 2>&1 | tee -i build/run/host/console.log'

ifneq ($(filter bench $(HOST_BUILD)/%,$(GOALS)),)
-include $(BENCH_OBJECTS:.o=.d)
endif
