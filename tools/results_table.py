#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The table of docs/results/README.md from a `make bench`:

    tools/results_table.py RESULTS.json[.gz]

Nanoseconds a descriptor, the next toucher's time with it; the fastest copy of each kind.
"""
import gzip
import json
import sys

# What a line is of: words, and the fields in which it differs from the usual cell.
USUAL = {
    "experiment": "fsdax",
    "range": "pmem0",
    "model": "vmemmap",
    "tail": "pointer",
    "state": "warm",
    "touch": "none",
    "touch_bytes": None,
    "order_of_stores": "ascending",
    "dest_offset": 0,
    "dax_vmemmap": "full",
    "page_size": 4096,
    "descriptor_bytes": 64,
}
HUGETLB = {"experiment": "hugetlb", "range": "1G-node0"}
MEMORY = {"experiment": "memmap", "range": "node0"}
LINES = (
    ("fsdax, 1.6 GB (100 GiB of memory)", {}),
    ("devdax-2m, all tails, 1.6 GB", {"experiment": "devdax-2m"}),
    ("devdax-1g, all tails, 1.6 GB", {"experiment": "devdax-1g"}),
    ("fsdax, 256 MiB", {"range": "pmem7"}),
    ("the same, sections in flags", {"range": "pmem7", "model": "sparse"}),
    ("fsdax, 16 MiB", {"range": "pmem5"}),
    ("fsdax, 1 MiB", {"range": "pmem3"}),
    ("fsdax, 32 KiB", {"range": "pmem1"}),
    ("fsdax, 80 bytes each, 320 MiB", {"range": "pmem7", "descriptor_bytes": 80}),
    ("fsdax, 96 bytes each, 384 MiB", {"range": "pmem7", "descriptor_bytes": 96}),
    ("hugetlb 1 GiB pages, no HVO, 192 MiB", HUGETLB),
    (
        "the same, each head touched after its tails",
        {**HUGETLB, "touch": "batch", "touch_bytes": 16 << 20},
    ),
    ("ordinary memory, 256 MiB", MEMORY),
    (
        "the same, handed on in blocks of 4 MiB",
        {**MEMORY, "touch": "batch", "touch_bytes": 64 << 10},
    ),
    ("fsdax 1.6 GB, then a walk over all", {"touch": "whole"}),
    (
        "fsdax 1.6 GB, heads touched every 32 KiB",
        {"touch": "batch", "touch_bytes": 32 << 10},
    ),
)
HEADS = (
    "| descriptors | base | template, ordinary | template, streaming | stamp, ordinary "
    "| stamp, streaming | best stamp / fill |",
    "|---|---|---|---|---|---|---|",
)


def is_of(run, wanted):
    """touch is "batch:SIZE" in the results; touch_bytes says the size."""
    return all(
        run[key].split(":")[0] == value if key == "touch" else run[key] == value
        for key, value in {**USUAL, **wanted}.items()
    )


def nanoseconds(run):
    return run["ns_per_page"] + (run["touch_ns"] or 0) / run["written"]


def table(results):
    streaming = {entry["name"]: entry["streaming"] for entry in results["backends"]}
    lines = list(HEADS)
    for words, wanted in LINES:
        rows = [run for run in results["runs"] if run["copy"] != "auto" and is_of(run, wanted)]

        def best(method, streams):
            found = [
                run
                for run in rows
                if run["method"] == method and streaming.get(run["copy"], False) == streams
            ]
            return min(found, key=nanoseconds, default=None)

        base = best("base", False)
        if not base:
            continue
        kinds = [best(method, s) for method in ("template", "stamp") for s in (False, True)]
        said = [f"{nanoseconds(run):.2f} {run['copy']}" if run else "-" for run in kinds]
        stamp = min(filter(None, kinds[2:]), key=nanoseconds)
        cells = [words, f"{nanoseconds(base):.2f}", *said, f"{stamp['vs_fill']:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def load(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        return json.load(file)


if __name__ == "__main__":
    print("\n".join(table(load(sys.argv[1]))))
