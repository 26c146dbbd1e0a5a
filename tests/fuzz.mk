# SPDX-License-Identifier: BSD-2-Clause
# Fuzzing: tests/fuzz/fuzz_*.c, one libFuzzer program for each parser of discover/. As with
# unit tests, what a harness links stands in it: /* links: discover/nfit.c discover/acpi.c */

.PHONY: fuzz fuzzers

## make fuzz          each parser under libFuzzer for SECONDS (60) seconds, with ASan and UBSan
fuzz:
	+@python3 -m tests.fuzz.run $(SECONDS)

SECONDS ?= 60
FUZZERS := $(basename $(notdir $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_CFLAGS := $(HOST_CFLAGS) -O1 -fsanitize=fuzzer-no-link $(FUZZ_SANITIZE)

fuzzers: $(FUZZERS:%=build/fuzz/%)

build/fuzz/%.o: %.c build/fuzz/flags
	@mkdir -p $(@D)
	@echo "CC  fuzz $<"
	@clang $(FUZZ_CFLAGS) -MMD -MP -c $< -o $@

build/fuzz/flags: FORCE
	@mkdir -p $(@D)
	@echo 'clang $(FUZZ_CFLAGS)' | tools/write_if_changed.sh $@

# $(call fuzz_rule,<harness>,<links>)
define fuzz_rule
build/fuzz/$1: build/fuzz/tests/fuzz/$1.o $(patsubst %.c,build/fuzz/%.o,$2)
	@clang -fsanitize=fuzzer $$(FUZZ_SANITIZE) -o $$@ $$^
endef
ifneq ($(filter fuzzers build/fuzz/%,$(GOALS)),)
$(foreach harness,$(FUZZERS),$(eval $(call fuzz_rule,$(harness),$(shell sed -n 's|^/\* links: \(.*\) \*/$$|\1|p' tests/fuzz/$(harness).c))))
-include $(shell find build/fuzz -name '*.d' 2>/dev/null)
endif
