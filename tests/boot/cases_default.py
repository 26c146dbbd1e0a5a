# SPDX-License-Identifier: BSD-2-Clause
"""The guest of `make run`, and the geometry of what it builds."""

from tests.boot.case import Case
from tests.boot.devices import DESCRIPTORS_AT, Device

DATAOFF_2M, DATAOFF_1G = 136314880, 1 << 30
# (experiment, map): pages, written; 8 GiB.
GEOMETRY = {
    ("fsdax", "mem"): (2097152, 2097152),
    ("fsdax", "dev"): (2063872, 2063872),
    ("devdax-2m", "mem"): (2097152, 4096 * 128),
    ("devdax-2m", "dev"): (2063872, 2063872),
    ("devdax-1g", "mem"): (2097152, 8 * 128),
    ("devdax-1g", "dev"): (1835008, 1835008),
}
ALIGN = {"fsdax": (4096, 0), "devdax-2m": (2 << 20, 9), "devdax-1g": (1 << 30, 18)}


def rows_of(results, copies=None):
    """The (method, copy) that a table must have."""
    names = [b["name"] for b in results["backends"] if b["available"]] + ["auto"]
    if copies:
        names = [name for name in names if name in copies]
    return {("base", None)} | {(m, name) for m in ("template", "stamp") for name in names}


def wrong_rows(results, tables, copies=None):
    """`tables`: {(experiment, map): (pages, written)}; every row of each, all verified."""
    expected = rows_of(results, copies)
    found = {}
    for run in results["runs"]:
        if run["experiment"] not in ALIGN:
            continue  # no memmap: cases_pte.py
        found.setdefault((run["experiment"], run["map"]), []).append(run)
    if found.keys() != tables.keys():
        return f"tables of {sorted(found)}, expected {sorted(tables)}"
    for table, runs in found.items():
        rows = {(run["method"], run["copy"]) for run in runs}
        if rows != expected or len(runs) != len(expected):
            return f"{table}: rows {sorted(map(str, rows ^ expected))} too much or missing"
        for run in runs:
            got = run["pages"], run["written"]
            if got != tables[table]:
                return f"{run['cell']}: pages and written {got}, expected {tables[table]}"
            if (run["align"], run["order"]) != ALIGN[table[0]]:
                return f"{run['cell']}: align {run['align']}, order {run['order']}"
            if run["verified"] is not True:
                return f"{run['cell']}: {run['why_not']}"
    return ""


# The others have cases of their own.
DEVICES = "experiment=fsdax,devdax-2m,devdax-1g"


def every_table(result):
    results = result.results
    if results["options"] != f"{DEVICES} rebinds=1 map=both write=pmem0! exit=qemu":
        return f"options: {results['options']!r}"
    for run in results["runs"]:
        if run["experiment"] not in ALIGN:
            continue
        optimised = run["experiment"] != "fsdax" and run["map"] == "mem"
        if (run["dax_vmemmap"] == "optimised") != optimised:
            return f"{run['cell']}: dax_vmemmap is {run['dax_vmemmap']}"
        saved = 64 * (run["pages"] - run["written"]) if optimised else 0
        if run["saved_bytes"] != saved:
            return f"{run['cell']}: {run['saved_bytes']} bytes saved, expected {saved}"
    # The first to touch its memory knows what that cost; where it was touched before (by
    # trying the copies, for auto), nobody.
    for run in results["runs"]:
        touched = run["copy"] == "auto"
        if run["experiment"] == "fsdax" and (run["first_ns"] is None) != touched:
            return f"{run['cell']}: no first bind"
        if run["experiment"] != "fsdax" and run["map"] == "dev" and run["first_ns"] is not None:
            return f"{run['cell']}: a first bind of memory that fsdax had touched"
    return wrong_rows(results, GEOMETRY)


def full_tables(result):
    return wrong_rows(
        result.results,
        {("devdax-2m", "mem"): (2097152, 2097152), ("devdax-1g", "mem"): (2097152, 2097152)},
        ("plain",),
    )


CASES = [
    Case(
        "default guest",
        args=f"{DEVICES} rebinds=1 map=both write=pmem0!",
        guest={"mem": "4G"},
        devices=(Device(head="fsdax-dev-2M"),),
        may_write=lambda result, i: [(DESCRIPTORS_AT, DATAOFF_1G)],
        says=(r"^fsdax pmem0 map=mem ", r"^devdax-1g pmem0 map=dev ", r"^base +- ", r"^Answers "),
        check=every_table,
        timeout=400,
    ),
    Case(
        "dax_vmemmap=full",
        args="rebinds=1 experiment=devdax-2m,devdax-1g dax_vmemmap=full copy=plain",
        guest={"mem": "1G", "pmem": ["8G"]},
        check=full_tables,
    ),
]
