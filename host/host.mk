# SPDX-License-Identifier: BSD-2-Clause
# The same experiments as a Linux process, on this very CPU. Other hosts: HOST_ARCH and
# HOST_CC, e.g. `make build/host/pagestamp HOST_ARCH=arm64 HOST_CC=aarch64-linux-gnu-gcc`.

.PHONY: bench

BENCH_SOURCES := $(wildcard mm/*.c bench/*.c report/*.c arch/$(HOST_ARCH)/copy/*.c) \
	$(filter-out arch/arm64/cpu.c,arch/$(HOST_ARCH)/cpu.c) arch/$(HOST_ARCH)/counter.c \
	arch/$(HOST_ARCH)/cache.c $(wildcard arch/$(HOST_ARCH)/memcpy_flushcache.c) \
	$(wildcard discover/*.c) \
	$(filter-out host/cpu_%.c,$(wildcard host/*.c)) host/cpu_$(HOST_ARCH).c
BENCH_OBJECTS := $(BENCH_SOURCES:%.c=build/host/%.o)
BENCH_CFLAGS := $(HOST_CFLAGS) -O2

build/host/mm/%.o build/host/arch/$(HOST_ARCH)/copy/%.o: BENCH_FILE = \
	$(CFLAGS_KERNEL) $(CFLAGS_KERNEL_$(HOST_ARCH))
build/host/report/version.o: BENCH_FILE = -Ibuild/host
build/host/report/version.o: build/host/version-generated.h

build/host/%.o: %.c build/host/flags
	@mkdir -p $(@D)
	@echo "CC  host $<"
	@$(HOST_CC) $(BENCH_CFLAGS) $(BENCH_FILE) -MMD -MP -c $< -o $@

build/host/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(HOST_CC) $(BENCH_CFLAGS) $(CFLAGS_KERNEL) $(CFLAGS_KERNEL_$(HOST_ARCH)) $(BENCH_OBJECTS)' | \
		tools/write_if_changed.sh $@

build/host/version-generated.h: FORCE
	@mkdir -p $(@D)
	@printf '#define PAGESTAMP_VERSION "%s"\n#define PAGESTAMP_BUILD_FLAGS "%s"\n' '$(VERSION)' \
		'$(filter -O% -f% -m% -std%,$(BENCH_CFLAGS) $(CFLAGS_KERNEL) $(CFLAGS_KERNEL_$(HOST_ARCH)))' | \
		tools/write_if_changed.sh $@

build/host/pagestamp: $(BENCH_OBJECTS)
	@echo "LD  host $@"
	@$(HOST_CC) $(BENCH_LDFLAGS) -o $@ $^ -lm -ldl

## make bench         the same experiments as a native program, on huge pages, on this very CPU
bench: build/host/pagestamp
	@mkdir -p build/run/host
	@bash -o pipefail -c 'build/host/pagestamp build/run/host $(ARGS) 2>&1 | tee -i build/run/host/console.log'

ifneq ($(filter bench build/host/%,$(GOALS)),)
-include $(BENCH_OBJECTS:.o=.d)
endif
