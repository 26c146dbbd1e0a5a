/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The program's options: key=value, blank-separated. Parsing is pure; nothing
 * here knows which ranges exist until options_check_ranges(). docs/options.md is
 * the user's side of it.
 */
#ifndef PAGESTAMP_OPTIONS_H
#define PAGESTAMP_OPTIONS_H

#include <pagestamp/console.h>
#include <pagestamp/memmap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pmem_range;
struct pmem_ranges;

/* Room for any refusal in one line: a `why` buffer of this size cuts off only overlong values. */
#define OPTIONS_WHY_SIZE 512

enum experiment_id {
	EXP_FSDAX,
	EXP_DEVDAX_2M,
	EXP_DEVDAX_1G,
	EXP_HUGETLB,
	EXP_MEMMAP,
	EXP_PTE,
	EXP_NR
};
enum method_id {
	METHOD_BASE,
	METHOD_TEMPLATE,
	METHOD_STAMP,
	METHOD_NR,
	/* Of experiment=pte, which always has all of them: method= does not name them. */
	METHOD_PAGE = METHOD_NR,
	METHOD_RUN,
	METHOD_CALL
};
enum map_choice { MAP_MEM = 1, MAP_DEV = 2, MAP_BOTH = 3 };
/* What the next toucher of the descriptors does, beside the build and timed apart. */
enum touch_kind {
	TOUCH_NONE,
	TOUCH_READ,  /* when all are built: reads every head */
	TOUCH_BATCH, /* after every touch_bytes of descriptors: modifies their heads */
	TOUCH_WHOLE, /* when all are built: modifies every head */
};
enum exit_way { EXIT_AUTO, EXIT_RETURN, EXIT_RESET, EXIT_SHUTDOWN, EXIT_QEMU };

/* One name of write=: by ordinal id ("pmem0"), by base+size, or by namespace UUID. */
struct write_name {
	enum { WRITE_BY_ID, WRITE_BY_EXTENT, WRITE_BY_UUID } by;
	char id[16];
	uint64_t base, size;
	uint8_t uuid[16];
	bool destroy; /* '!' */
};

struct memmap_arg { /* memmap=nn[KMG]!ss[KMG] */
	uint64_t size, base;
};

/* Linux's HugeTLB keys as typed: what one means depends on those before it (hugepages.h). */
enum hugepage_key { KEY_HUGEPAGESZ, KEY_HUGEPAGES, KEY_DEFAULT_HUGEPAGESZ };
struct hugepage_arg {
	enum hugepage_key key;
	char *value;
};

/* Where the text came from decides whether write= may use ordinals. */
enum options_source { OPTIONS_TYPED, OPTIONS_FILE };

struct options {
	enum options_source source;
	unsigned experiments;      /* bit per experiment_id */
	bool experiments_explicit; /* a list was given: what cannot run is a FAIL */
	unsigned methods;          /* bit per method_id */
	char **copies;             /* names; NULL with nr 0 = all */
	size_t nr_copies;
	char **range_names; /* NULL with nr 0 = all */
	size_t nr_range_names;
	struct memmap_arg *memmaps;
	size_t nr_memmaps;
	enum map_choice map;
	struct write_name *writes;
	size_t nr_writes;
	unsigned rebinds;              /* 0 = auto */
	unsigned auto_rebinds_min;     /* the program's own: what auto never goes below; 0 = 1 */
	unsigned budget;               /* seconds, 0 = not given */
	struct memmap_variant variant; /* model=, tail=, page_size=, descriptor=, trace= */
	bool cold;                     /* state=cold: caches flushed before every rebind */
	enum touch_kind touch;
	uint64_t touch_bytes; /* of TOUCH_BATCH, 4 KiB or more */
	bool descending; /* order_of_stores=descending: stamps from the last page to the first */
	unsigned dest_offset; /* of the first descriptor from a line's begin: 0, 8 .. 56 bytes */
	bool dax_vmemmap_full;
	unsigned dump;                  /* compounds per cell */
	struct hugepage_arg *hugepages; /* in the order of the text */
	size_t nr_hugepages;
	bool hugetlb_free_vmemmap;
	unsigned hvo_fail; /* so many huge pages of each pool fail to be optimised, on purpose */
	bool verify;
	struct console_choice console;
	enum exit_way exit;
	bool selftest, list, quick, format_simple;
	char *effective; /* replayable: every key whose value differs from the default; "" if none
	                  */
};

/*
 * Parses `text` (ASCII, NUL-terminated) into `*out`, over the defaults.
 * Returns true, or false with one line in `why` naming the option, the value
 * and what is accepted. A key given twice is refused but for those that
 * Linux repeats or passes over. Options that this build does not have are refused as such.
 * When it refuses, `out->exit` is what a good exit= anywhere in the text says.
 * Call options_free() in both cases.
 */
bool options_parse(const char *text, enum options_source source, struct options *out, char *why,
                   size_t why_size);
void options_free(struct options *options);

/*
 * Names that only the caller's tables can judge. Both return true, or false with one
 * line in `why` as above. `copies` are the names of the copy backends.
 * options_check_ranges() wants the contents of the ranges judged already (write=UUID):
 * every range= must exist and be usable, and every write= must name a range, but that
 * an extent or UUID from a file may name a device of another machine.
 */
bool options_check_names(const struct options *options, const char *const *copies, size_t nr,
                         char *why, size_t why_size);
bool options_check_ranges(const struct options *options, const struct pmem_ranges *ranges,
                          char *why, size_t why_size);

/* Is it this range that a write= names? A UUID names only a range whose superblock was read. */
bool write_name_matches(const struct write_name *name, const struct pmem_range *range);

/* Is the range wanted: named by range=, or (range=all) of a kind that is used unasked? */
bool options_want_range(const struct options *options, const struct pmem_range *range);

const char *experiment_name(enum experiment_id id);
const char *method_name(enum method_id id);

#endif
