# SPDX-License-Identifier: BSD-2-Clause
# The production image's own objects behind tests/memory/entry.c, which has the firmware's
# memory map say more before the program is entered. As with the fault build, nothing of it
# is compiled into the production image.

.PHONY: memory-images

memory-images: $(ARCHS:%=build/memory/%/pagestamp.efi)

# $(call memory_rules,<arch>)
define memory_rules
build/$1/tests/memory/%.o: CFLAGS_FILE = $$(CFLAGS_BOOT)

build/memory/$1/pagestamp.elf: $$(OBJECTS_$1) build/$1/tests/memory/entry.o linker/$1.lds
	@mkdir -p $$(@D)
	@echo "LD  $1 $$@"
	@$$(CROSS_$1)ld $$(LDFLAGS) -e memory_entry -T linker/$1.lds -o $$@ $$(filter %.o,$$^) \
		--start-group $$(NEWLIB_$1)/lib/libc.a $$(NEWLIB_$1)/lib/libm.a \
		$$$$($$(CROSS_$1)gcc -print-libgcc-file-name) --end-group

-include build/$1/tests/memory/entry.d
endef
ifneq ($(filter memory-images,$(GOALS)),)
$(foreach arch,$(ARCHS),$(eval $(call memory_rules,$(arch))))
endif
