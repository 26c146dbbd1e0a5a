# SPDX-License-Identifier: BSD-2-Clause
"""Is this a results.json of schema "pagestamp/1"? Every key, its type, what may be null.

A key that is missing, unknown or given twice is an error; so is a figure where it
cannot be known.
"""

import json
import re

HEX = re.compile(r"0x[0-9a-f]+")
METHODS = ("base", "template", "stamp")
EXPERIMENTS = ("fsdax", "devdax-2m", "devdax-1g", "hugetlb", "memmap", "pte")


class Maybe:
    """Null where it is not known or does not apply."""

    def __init__(self, spec):
        self.spec = spec


class OneOf:
    def __init__(self, *values):
        self.values = values


NUMBER = (int, float)  # not negative
CHANGE = (float, int)  # may be negative; in this order, so that the two differ
TEXT = "text"  # a string that is not empty
ADDRESS = "address"  # a string "0x..."

CELL = {
    "cell": TEXT,
    "experiment": OneOf(*EXPERIMENTS),
    "range": TEXT,
    "map": OneOf("mem", "dev"),
    "align": int,
    "order": int,
    "method": OneOf(*METHODS, "page", "run", "call"),
    "copy": Maybe(TEXT),
    "model": OneOf("vmemmap", "sparse"),
    "tail": OneOf("pointer", "mask"),
    "state": OneOf("warm", "cold"),
    "touch": TEXT,
    "order_of_stores": OneOf("ascending", "descending"),
    "dest_offset": int,
    "dax_vmemmap": OneOf("optimised", "full"),
    "cpus": int,
    "page_size": OneOf(4096, 16384, 65536),
    "descriptor_bytes": OneOf(56, 64, 72, 80, 88, 96),
    "pages": int,
    "window_pages": Maybe(int),
    "holes": Maybe(OneOf("none", "every-2nd", "random")),
    "contiguous": Maybe(bool),
}

RUN = {
    **CELL,
    "chosen": Maybe(TEXT),
    "why": Maybe(TEXT),
    "written": int,
    "first_ticks": Maybe(int),
    "first_ns": Maybe(NUMBER),
    "first_pages": Maybe(int),
    "first_written": Maybe(int),
    "rebind_ns": {
        "n": int,
        **{key: Maybe(NUMBER) for key in ("min", "median", "mean", "max", "mad")},
    },
    "samples_ticks": [int],
    "ns_per_page": Maybe(NUMBER),
    "instructions_per_page": Maybe(NUMBER),
    "gb_per_s": Maybe(NUMBER),
    "vs_base_pct": Maybe(CHANGE),
    "vs_fill": Maybe(NUMBER),
    "vs_ordinary_fill": Maybe(NUMBER),
    "vs_best": Maybe(NUMBER),
    "touch_bytes": Maybe(int),
    "touch_ns": Maybe(NUMBER),
    "phases": [{"name": TEXT, "ticks": NUMBER, "ns": Maybe(NUMBER)}],
    "saved_bytes": int,
    "counters": {},
    "dump": [
        {
            "compound": int,
            "which": OneOf("head", "tail1", "tail2", "tail3", "last"),
            "words": [ADDRESS],
        }
    ],
    "verified": Maybe(bool),
    "why_not": Maybe(TEXT),
}

RESULTS = {
    "schema": OneOf("pagestamp/1"),
    "version": TEXT,
    "compiler": TEXT,
    "arch": OneOf("x86_64", "arm64"),
    "accel": Maybe(OneOf("tcg", "tcg-icount", "kvm")),
    "options": str,
    "build_flags": TEXT,
    "result": OneOf("pass", "fail"),
    "fail_why": Maybe(TEXT),
    "machine": {
        "cpu": Maybe(TEXT),
        "family_model_stepping": Maybe(TEXT),
        "microcode": Maybe(TEXT),
        "midr": Maybe(ADDRESS),
        "llc_bytes": Maybe(int),
        "window_page": OneOf("4K", "2M", "1G", "2M (MAP_HUGETLB)", "2M (transparent)"),
        "features": [TEXT],
        "firmware": Maybe(TEXT),
        "secure_boot": Maybe(bool),
        "el": Maybe(OneOf(1, 2)),
        "hypervisor": Maybe(TEXT),
        "memory_bytes": Maybe(int),
        "nodes": Maybe(int),
        "icount_shift": Maybe(int),
    },
    "counter": {
        "name": TEXT,
        "hz": Maybe(int),
        "source": Maybe(TEXT),
        "cross_check": Maybe(TEXT),
        "disagreement_ppm": Maybe(int),
        "resolution_ns": Maybe(NUMBER),
        "overhead_ticks": int,
    },
    "ranges": [
        {
            "id": TEXT,
            "kind": OneOf("persistent", "virtual", "special", "memmap"),
            "source": TEXT,
            "base": ADDRESS,
            "size": int,
            "node": int,
            "node_by": Maybe(TEXT),
            "about": Maybe(TEXT),
            "attributes": ADDRESS,
            "read_only": bool,
            "holds": TEXT,
            "namespace": Maybe(TEXT),
            "namespace_size": Maybe(int),
            "dataoff": Maybe(int),
            "npfns": Maybe(int),
            "usable_2m": int,
            "usable_1g": int,
            "lost_head": int,
            "lost_tail": int,
        }
    ],
    "backends": [
        {
            "name": TEXT,
            "streaming": bool,
            "block_bytes": int,
            "instruction": TEXT,
            "available": bool,
            "never_run": bool,
            "why": Maybe(TEXT),
        }
    ],
    "runs": [RUN],
    "pools": [
        {
            "page": int,
            "node": int,
            "asked": int,
            "got": int,
            "optimised": int,
            "fell_back": int,
            "extents": [{"base": ADDRESS, "pages": int}],
        }
    ],
    "limits": [
        {
            "name": TEXT,
            "bytes": int,
            "cpus": int,
            "gb_per_s": Maybe(NUMBER),
            "ticks": NUMBER,
            "ns": Maybe(NUMBER),
        }
    ],
    "answers": [{"question": TEXT, "answer": TEXT, "runs": [TEXT]}],
    "skipped": ["skipped"],
}


def type_errors(value, spec, where):
    if isinstance(spec, Maybe):
        return type_errors(value, spec.spec, where) if value is not None else []
    if isinstance(spec, OneOf):
        good = any(value == v and type(value) is type(v) for v in spec.values)
        return [] if good else [f"{where} is {value!r}"]
    if spec == "skipped":  # with the cell's own keys where a cell was formed
        head = {"what": TEXT, "why": TEXT}
        if isinstance(value, dict) and value.get("cell", None) is None:
            return type_errors(value, {**head, "cell": Maybe(TEXT)}, where)
        return type_errors(value, {**head, **CELL}, where)
    if isinstance(spec, dict):
        if not isinstance(value, dict):
            return [f"{where} is no object"]
        errors = [f"{where}.{key}: missing" for key in spec if key not in value]
        errors += [f"{where}.{key}: unknown" for key in value if key not in spec]
        for key in spec.keys() & value.keys():
            errors += type_errors(value[key], spec[key], f"{where}.{key}")
        return errors
    if isinstance(spec, list):
        if not isinstance(value, list):
            return [f"{where} is no list"]
        return [
            error
            for i, item in enumerate(value)
            for error in type_errors(item, spec[0], f"{where}[{i}]")
        ]
    if spec in (TEXT, ADDRESS):
        good = isinstance(value, str) and (HEX.fullmatch(value) if spec == ADDRESS else value)
    else:
        kinds = spec if isinstance(spec, tuple) else (spec,)
        good = type(value) in kinds  # a bool is no int here
        if good and spec in (int, NUMBER):
            good = value >= 0
    return [] if good else [f"{where} is {value!r}"]


def is_known(run, *keys):
    return all(run[key] is not None for key in keys)


def takes_all_rebinds(why, rebinds):
    """copy=auto: "...; taken for 3 of 4 rebinds, movnti for 1"; one copy says nothing."""
    several = re.search(r"; taken for (\d+) of (\d+) rebinds((?:, \S+ for \d+)*)$", why)
    if not several:
        return "taken for" not in why
    others = [int(n) for n in re.findall(r" for (\d+)", several[3])]
    return others and int(several[1]) + sum(others) == int(several[2]) == rebinds


def run_errors(run, results, where):
    """What types cannot say."""
    timed = results["counter"]["hz"] is not None and run["samples_ticks"] != []
    known = is_known(run, "ns_per_page") and is_known(run["rebind_ns"], "min", "median", "max")
    counted = results["accel"] == "tcg-icount"
    rebind = run["rebind_ns"]
    in_ram = run["experiment"] in ("hugetlb", "memmap")  # "1G-node0", "node0"
    first = [run[key] for key in ("first_ticks", "first_pages", "first_written")]
    mapping = run["experiment"] == "pte"  # what it writes are entries, not descriptors
    backends = {backend["name"]: backend for backend in results["backends"]}
    ranges = {entry["id"]: entry for entry in results["ranges"]}
    rules = {
        "range is in ranges": in_ram or run["range"] in ranges,
        "align, order and page_size agree": run["align"] == run["page_size"] << run["order"],
        "whole compounds": run["pages"] % (1 << run["order"]) == 0,
        "pages fit the range": in_ram
        or run["range"] in ranges
        and 0 < run["pages"] * run["page_size"] <= ranges[run["range"]]["size"],
        "written is at most pages": 0 < run["written"] <= run["pages"],
        "all written unless optimised": run["dax_vmemmap"] == "optimised"
        or mapping
        or run["written"] == run["pages"],
        "copy is null for base alone": (run["copy"] is None)
        == (run["method"] == "base" or mapping),
        "page, run and call are pte's": mapping == (run["method"] in ("page", "run", "call")),
        "windows are pte's": all(
            (run[key] is not None) == mapping for key in ("window_pages", "holes", "contiguous")
        ),
        "copy is an available backend": run["copy"] in (None, "auto")
        or (run["copy"] in backends and backends[run["copy"]]["available"]),
        "chosen and why belong to copy=auto": {run["chosen"] is None, run["why"] is None}
        == {run["copy"] != "auto"},
        "vs_best is of auto": run["vs_best"] is None or run["copy"] == "auto",
        "what auto took adds up to its rebinds": takes_all_rebinds(run["why"] or "", rebind["n"]),
        "n counts the samples": rebind["n"] == len(run["samples_ticks"]),
        "no sample is 0": all(run["samples_ticks"]),
        "ns are known when the clock is": all(
            (value is not None) == timed
            for value in (
                run["ns_per_page"],
                *(rebind[key] for key in ("min", "median", "mean", "max")),
            )
        ),
        "the spread is known of two samples": (rebind["mad"] is not None)
        == (timed and rebind["n"] > 1),
        "gb_per_s is known when the clock is": (run["gb_per_s"] is not None)
        == (timed and not mapping),
        "min <= median <= max": not known or rebind["min"] <= rebind["median"] <= rebind["max"],
        "ns_per_page is the median a written descriptor": not known
        or abs(run["ns_per_page"] * run["written"] / rebind["median"] - 1) < 1e-6,
        "instructions are known under icount": (run["instructions_per_page"] is not None)
        == (counted and timed),
        "first bind is known whole or not": len({value is None for value in first}) == 1,
        "a first bind is of whole compounds": run["first_pages"] is None
        or run["first_pages"] % (1 << run["order"]) == 0,
        "first_ns with first_ticks": run["first_ns"] is None
        or run["first_ticks"] is not None,
        "why_not says why not": (run["why_not"] is not None) == (run["verified"] is False),
        "dumped words fill a descriptor": all(
            len(dump["words"]) * 8 == run["descriptor_bytes"] for dump in run["dump"]
        ),
    }
    return [f"{where}: not so: {rule}" for rule, holds in rules.items() if not holds]


def errors_of(text):
    """Everything that is wrong with this results.json, one line each."""

    def unique(pairs):
        keys = [key for key, _ in pairs]
        twice = {key for key in keys if keys.count(key) > 1}
        if twice:
            raise ValueError(f"given twice: {', '.join(sorted(twice))}")
        return dict(pairs)

    def no_constant(name):
        raise ValueError(f"{name} is no JSON")

    try:
        results = json.loads(text, object_pairs_hook=unique, parse_constant=no_constant)
    except ValueError as error:
        return [f"results.json: {error}"]
    errors = type_errors(results, RESULTS, "results")
    if errors:
        return errors
    errors = [
        error
        for i, run in enumerate(results["runs"])
        for error in run_errors(run, results, f"runs[{i}] {run['cell']}")
    ]
    cells = [run["cell"] for run in results["runs"]]
    counter, machine = results["counter"], results["machine"]
    rules = {
        "every cell is there once": len(cells) == len(set(cells)),
        "no cell is both run and skipped": not set(cells)
        & {item["cell"] for item in results["skipped"]},
        "fail_why says why": (results["fail_why"] is not None) == (results["result"] == "fail"),
        "a pass has nothing unverified": results["result"] == "fail"
        or all(run["verified"] is not False for run in results["runs"]),
        "a backend is not available for a reason": all(
            backend["available"] == (backend["why"] is None) for backend in results["backends"]
        ),
        "ranges have names of their own": len({entry["id"] for entry in results["ranges"]})
        == len(results["ranges"]),
        "a namespace is described whole": all(
            len({entry[key] is None for key in ("namespace", "namespace_size", "dataoff", "npfns")})
            == 1
            for entry in results["ranges"]
        ),
        "no second source, no disagreement": (counter["disagreement_ppm"] is None)
        == (counter["cross_check"] in (None, "none")),
        "icount_shift under icount": (machine["icount_shift"] is not None)
        == (results["accel"] == "tcg-icount"),
        # A process does not learn it.
        "el is arm64's": (machine["el"] is not None)
        == (results["arch"] == "arm64" and not str(machine["firmware"]).endswith("(a process)")),
        "midr is arm64's": (machine["midr"] is not None) == (results["arch"] == "arm64"),
    }
    return errors + [f"results: not so: {rule}" for rule, holds in rules.items() if not holds]
