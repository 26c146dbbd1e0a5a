# SPDX-License-Identifier: BSD-2-Clause
# pagestamp. `make help` lists what there is to do; docs/build.md explains it.
#
# Non-recursive: this file builds the UEFI program for both architectures under
# build/<arch>/; every */*.mk beside it adds the targets of its directory. Sources
# are found by wildcard: a new file needs no line here.

.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
.PHONY: build run clean help setup FORCE

ARCH ?= x86_64
GOALS := $(or $(MAKECMDGOALS),build)
# These are about both architectures, whatever ARCH says.
ARCHS := $(if $(filter all,$(ARCH))$(filter image test check setup instructions sweep faults,$(GOALS)),x86_64 arm64,$(ARCH))
ifneq ($(filter-out x86_64 arm64,$(ARCHS)),)
$(error ARCH=$(ARCH): expected x86_64, arm64 or all)
endif

# What the goals need is installed before anything below asks the compiler a
# question. Silent and instant when nothing is missing.
ifneq ($(filter-out help clean,$(GOALS)),)
SETUP_OUTPUT := $(shell tools/setup.sh "$(ARCHS)" $(GOALS) >&2)
ifneq ($(.SHELLSTATUS),0)
$(error set-up failed, see above)
endif
endif

VERSION := $(shell git describe --always --dirty 2>/dev/null || echo unknown)
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

# ---- What compiles what ----------------------------------------------------

HOST_MACHINE := $(shell uname -m)
CROSS_x86_64 := $(if $(filter x86_64,$(HOST_MACHINE)),,x86_64-linux-gnu-)
CROSS_arm64  := $(if $(filter aarch64,$(HOST_MACHINE)),,aarch64-linux-gnu-)
GNUEFI_INCLUDE ?= /usr/include/efi

WARNINGS := -Wall -Wextra -Werror
# Position-independent and free of what needs a C runtime's start-up; the checkout's
# path must not reach the image.
CFLAGS_COMMON := -std=gnu11 -O2 -g -fPIC -fvisibility=hidden -ffreestanding -fno-stack-protector \
	-fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections \
	-ffile-prefix-map=$(CURDIR)=. $(WARNINGS)
CFLAGS_x86_64 := -mno-red-zone -fcf-protection=none
CFLAGS_arm64  := -mno-outline-atomics
# What is measured is compiled as a distribution's kernel is: no SIMD of the compiler's own
# (copies say theirs in inline assembly), landing pads for indirect branches, and the
# function entries that ftrace patches, one 5-byte nop on x86-64 (one instruction), two
# nops on arm64.
CFLAGS_KERNEL := -mgeneral-regs-only -fno-strict-aliasing -fno-delete-null-pointer-checks
CFLAGS_KERNEL_x86_64 := -maccumulate-outgoing-args -fcf-protection=branch -fpatchable-function-entry=1
CFLAGS_KERNEL_arm64  := -mbranch-protection=pac-ret+bti -fpatchable-function-entry=2
# What is not measured is compiled for size: the image is kept under 256 KiB. gcc knows -Oz
# from version 12 on. On arm64 an image of less than 1 MiB needs one instruction an address.
CFLAGS_SMALL_arm64 := -mcmodel=tiny
CFLAGS_SMALL  := $(shell gcc -Oz -E -xc /dev/null >/dev/null 2>&1 && echo -Oz || echo -Os)
CFLAGS_BOOT   := $(CFLAGS_SMALL) -fshort-wchar -isystem $(GNUEFI_INCLUDE) -isystem boot/efibind

# The same sources as native programs: unit tests, make bench.
HOST_ARCH := $(if $(filter aarch64,$(HOST_MACHINE)),arm64,x86_64)
HOST_CC ?= gcc
HOST_CFLAGS := -std=gnu11 -g $(WARNINGS) -D_GNU_SOURCE -Iinclude -I. -Iarch/$(HOST_ARCH)/include

LDFLAGS := -pie --no-dynamic-linker -z max-page-size=4096 -z text -z norelro -z noexecstack \
	-Bsymbolic --gc-sections --build-id=none
PE_SECTIONS := .text .rodata .data .bss .rela .sbat
PE_TARGET_x86_64 := efi-app-x86_64
PE_TARGET_arm64  := efi-app-aarch64

# ---- One architecture ------------------------------------------------------
# $(call arch_rules,<arch>)
define arch_rules
OUT_$1 := build/$1
NEWLIB_$1 := $$(shell tools/newlib.sh --where $1)
SOURCES_$1 := $$(wildcard boot/*.c discover/*.c mm/*.c bench/*.c report/*.c \
	arch/$1/*.c arch/$1/*.S arch/$1/copy/*.c)
OBJECTS_$1 := $$(patsubst %,build/$1/%.o,$$(basename $$(SOURCES_$1)))
# newlib's stdint.h must come before the compiler's, or its inttypes.h lacks the 64-bit formats.
INCLUDES_$1 := -nostdinc -isystem $$(NEWLIB_$1)/include \
	-isystem $$(shell $$(CROSS_$1)gcc -print-file-name=include) -Iinclude -I. -Iarch/$1/include

build/$1/mm/%.o build/$1/arch/$1/copy/%.o: CFLAGS_FILE = $$(CFLAGS_KERNEL) $$(CFLAGS_KERNEL_$1)
build/$1/boot/%.o: CFLAGS_FILE = $$(CFLAGS_BOOT) $$(CFLAGS_SMALL_$1)
build/$1/discover/%.o build/$1/report/%.o build/$1/bench/%.o build/$1/arch/$1/%.o: \
	CFLAGS_FILE = $$(CFLAGS_SMALL) $$(CFLAGS_SMALL_$1)
build/$1/bench/timed.o build/$1/bench/oracle.o build/$1/bench/linux_words.o: CFLAGS_FILE =
build/$1/report/version.o: CFLAGS_FILE = $$(CFLAGS_SMALL) -Ibuild/$1
build/$1/report/version.o: build/$1/version-generated.h

build/$1/%.o: %.c build/$1/flags $$(NEWLIB_$1)/lib/libc.a
	@mkdir -p $$(@D)
	@echo "CC  $1 $$<"
	@$$(CROSS_$1)gcc $$(CFLAGS_COMMON) $$(CFLAGS_$1) $$(INCLUDES_$1) $$(CFLAGS_FILE) \
		-MMD -MP -c $$< -o $$@

build/$1/%.o: %.S build/$1/flags $$(NEWLIB_$1)/lib/libc.a
	@mkdir -p $$(@D)
	@echo "AS  $1 $$<"
	@$$(CROSS_$1)gcc $$(CFLAGS_COMMON) $$(CFLAGS_$1) $$(INCLUDES_$1) -MMD -MP -c $$< -o $$@

build/$1/pagestamp.elf: $$(OBJECTS_$1) linker/$1.lds
	@echo "LD  $1 $$@"
	@$$(CROSS_$1)ld $$(LDFLAGS) -T linker/$1.lds -o $$@ $$(OBJECTS_$1) \
		--start-group $$(NEWLIB_$1)/lib/libc.a $$(NEWLIB_$1)/lib/libm.a \
		$$$$($$(CROSS_$1)gcc -print-libgcc-file-name) --end-group

# The others: tests/faults.mk, tests/memory.mk.
build/$1/pagestamp.efi build/faults/$1/pagestamp.efi build/memory/$1/pagestamp.efi: %.efi: %.elf tools/pe_finish.py
	@echo "EFI $1 $$@"
	@$$(CROSS_$1)objcopy --target $$(PE_TARGET_$1) --subsystem=10 --file-alignment=512 \
		--section-alignment=4096 --strip-all $$(PE_SECTIONS:%=-j %) $$< $$@.tmp
	@python3 tools/pe_finish.py $$@.tmp
	@mv $$@.tmp $$@

$$(NEWLIB_$1)/lib/libc.a:
	@tools/newlib.sh $1

# Rewritten only when they say something new, so that only then anything is rebuilt.
build/$1/flags: FORCE
	@mkdir -p $$(@D)
	@echo '$$(subst $$(CURDIR),,$$(CFLAGS_COMMON) $$(CFLAGS_$1) $$(INCLUDES_$1) $$(CFLAGS_KERNEL) $$(CFLAGS_KERNEL_$1) $$(CFLAGS_BOOT) $$(CFLAGS_SMALL_$1) $$(LDFLAGS)) $$(OBJECTS_$1)' | \
		tools/write_if_changed.sh $$@
build/$1/version-generated.h: FORCE
	@mkdir -p $$(@D)
	@printf '#define PAGESTAMP_VERSION "%s"\n#define PAGESTAMP_BUILD_FLAGS "%s"\n' '$$(VERSION)' \
		'$$(filter -O% -f% -m% -std%,$$(filter-out -ffile-prefix-map%,$$(CFLAGS_COMMON)) $$(CFLAGS_$1) $$(CFLAGS_KERNEL) $$(CFLAGS_KERNEL_$1))' | \
		tools/write_if_changed.sh $$@

-include $$(OBJECTS_$1:.o=.d)
endef
ifneq ($(filter-out help clean setup,$(GOALS)),)
$(foreach arch,$(ARCHS),$(eval $(call arch_rules,$(arch))))
endif

## make               build build/$(ARCH)/pagestamp.efi
build: $(ARCHS:%=build/%/pagestamp.efi)

## make run           build, boot under QEMU, show the report; 0 only if the program said "pass"
# Through the environment: nothing in ARGS has to survive a shell's quoting.
export ARGS MEM SMP ACCEL ICOUNT QEMU_ARGS TIMEOUT
ifneq ($(origin PMEM),undefined)
export PMEM
endif
run: build
	@python3 tools/run.py $(ARCHS)

include $(sort $(wildcard */*.mk))

## make setup         install what building, running and testing need (Debian, Ubuntu)
setup: # done above, before anything was asked of a compiler
	@:

## make clean         remove build/ (downloads and newlib stay in .cache/)
clean:
	@rm -rf build

## make help          this list
help:
	@echo 'pagestamp: builds and times Linux-like memmaps under UEFI'
	@sed -n 's/^## //p' $(MAKEFILE_LIST)
	@echo 'Variables: ARCH=x86_64|arm64|all ARGS= PMEM= MEM= SMP= ACCEL=auto|kvm|tcg ICOUNT= QEMU_ARGS='
	@echo '           TIMEOUT= (seconds) RUN_DIR= OVMF= AAVMF= (firmware images): see docs/build.md'
