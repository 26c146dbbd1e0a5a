# SPDX-License-Identifier: BSD-2-Clause
# Checks and tests. tests/run.py runs and counts; this file says how things are built.
#
# A unit test is one file, tests/unit/test_*.c, a cmocka program. The sources it needs
# stand in comments of its own, one or more lines:
#	/* links: discover/nfit.c discover/number.c */
# where `arch-copies` stands for the copy backends of this machine's architecture.

.PHONY: check test sweep instructions unit lint lint-full format

## make check         the quick inner loop: format, lint, unit tests
check:
	+@python3 tests/run.py check

## make test          everything that can be tested here; last line "N passed, N failed"
test:
	+@python3 tests/run.py test

## make sweep         100 GiB, every copy and variant, two nodes: an hour, not in make test
sweep: build
	+@python3 -m tests.boot.run --sweep

## make instructions  rewrites the table of exact instruction counts for this compiler
instructions: build
	@python3 -c 'import sys; sys.path[:0] = ["tools", ".", "tests/boot"]; import cases_instructions as c; c.write_table()'

## make lint-full     clang-tidy with its path-sensitive analyser: minutes, not in make test

## make format        clang-format on all of it
format:
	@clang-format -i $(C_FILES)

C_FILES := $(shell find . \( -name build -o -name .cache -o -name .git \) -prune -o -name '*.[ch]' -print)

# ---- Unit tests, native ------------------------------------------------------

UNIT_TESTS := $(basename $(notdir $(wildcard tests/unit/test_*.c)))
UNIT_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_CFLAGS := $(HOST_CFLAGS) -O1 $(UNIT_SANITIZE)

unit: $(UNIT_TESTS:%=build/unit/%)

build/unit/%.o: %.c build/unit/flags
	@mkdir -p $(@D)
	@echo "CC  unit $<"
	@$(HOST_CC) $(UNIT_CFLAGS) -MMD -MP -c $< -o $@

build/unit/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(HOST_CC) $(UNIT_CFLAGS)' | tools/write_if_changed.sh $@

# An archive: of the copies a test gets what it refers to.
ARCH_COPIES := $(wildcard arch/$(HOST_ARCH)/copy/*.c arch/$(HOST_ARCH)/memcpy_flushcache.c)
build/unit/arch-copies.a: $(ARCH_COPIES:%.c=build/unit/%.o)
	@rm -f $@
	@ar rcs $@ $^

# $(call unit_rule,<test>,<links>)
define unit_rule
build/unit/$1: build/unit/tests/unit/$1.o $$(patsubst %.c,build/unit/%.o,$(filter %.c,$2)) \
		$(if $(filter arch-copies,$2),build/unit/arch-copies.a)
	@$$(HOST_CC) $$(UNIT_SANITIZE) -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^) -lcmocka -lm
endef
ifneq ($(filter unit build/unit/%,$(GOALS)),)
$(foreach test,$(UNIT_TESTS),$(eval $(call unit_rule,$(test),$(shell sed -n 's|^/\* links: \(.*\) \*/$$|\1|p' tests/unit/$(test).c))))
-include $(shell find build/unit -name '*.d' 2>/dev/null)
endif

# ---- Lint --------------------------------------------------------------------
# What also compiles natively. A file is looked at again only when it, or what it
# includes, changed. The quick half leaves out the path-sensitive analyser.

LINT_SOURCES := $(wildcard discover/*.c mm/*.c bench/*.c report/*.c host/*.c \
	arch/$(HOST_ARCH)/copy/*.c)

lint: $(LINT_SOURCES:%=build/lint/%.quick)
lint-full: $(LINT_SOURCES:%=build/lint/%.full)

build/lint/%.quick: LINT_CHECKS = --checks=-clang-analyzer-*
build/lint/%.quick build/lint/%.full: % .clang-tidy
	@mkdir -p $(@D)
	@clang-tidy --quiet $(LINT_CHECKS) $< -- $(HOST_CFLAGS) -Ibuild/$(HOST_ARCH) 2>/dev/null
	@$(HOST_CC) $(HOST_CFLAGS) -Ibuild/$(HOST_ARCH) -MM -MP -MT $@ -MF $@.d $<
	@touch $@

# clang-tidy compiles it too.
build/lint/report/version.c.quick build/lint/report/version.c.full: build/$(HOST_ARCH)/version-generated.h

ifneq ($(filter lint lint-full,$(GOALS)),)
-include $(shell find build/lint -name '*.d' 2>/dev/null)
endif
