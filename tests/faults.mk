# SPDX-License-Identifier: BSD-2-Clause
# The fault build: the production image's own objects behind tests/faults/*.c, which make
# one call of the firmware (or malloc, or a visit to the window) fail. Nothing of it is
# compiled into the production image: it has another entry, and the linker's --wrap.

.PHONY: faults fault-images

## make faults        fails every call of the firmware in turn, on both: an hour
faults: fault-images
	+@python3 -m tests.boot.faults $(ARCHS)

fault-images: $(ARCHS:%=build/faults/%/pagestamp.efi)

FAULT_SOURCES := $(wildcard tests/faults/*.c tests/faults/*.S)
# $(call fault_objects,<arch>)
fault_objects = $(patsubst %,build/$1/%.o,$(basename $(FAULT_SOURCES) $(wildcard tests/faults/$1/*.c)))
FAULT_LDFLAGS := -e faults_entry $(addprefix --wrap=,malloc calloc realloc _malloc_r \
	arch_window_run arch_qemu_exit libc_init window_map_readonly window_unmap window_run)

# $(call fault_rules,<arch>)
define fault_rules
build/$1/tests/faults/%.o: CFLAGS_FILE = $$(CFLAGS_BOOT)

build/faults/$1/pagestamp.elf: $$(OBJECTS_$1) $(call fault_objects,$1) linker/$1.lds
	@mkdir -p $$(@D)
	@echo "LD  $1 $$@"
	@$$(CROSS_$1)ld $$(LDFLAGS) $$(FAULT_LDFLAGS) -T linker/$1.lds -o $$@ $$(filter %.o,$$^) \
		--start-group $$(NEWLIB_$1)/lib/libc.a $$(NEWLIB_$1)/lib/libm.a \
		$$$$($$(CROSS_$1)gcc -print-libgcc-file-name) --end-group

-include $$(patsubst %.o,%.d,$(call fault_objects,$1))
endef
ifneq ($(filter faults fault-images,$(GOALS)),)
$(foreach arch,$(ARCHS),$(eval $(call fault_rules,$(arch))))
endif
