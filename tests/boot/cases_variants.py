# SPDX-License-Identifier: BSD-2-Clause
"""Other descriptors, models, pages, caches: every copy of each is the base's equal."""

from tests.boot.case import Case
from tests.boot.devices import DESCRIPTORS_AT, GIB, MIB, Device

FIELDS = {
    "model": ("model", str),
    "tail": ("tail", str),
    "page_size": ("page_size", lambda text: int(text[:-1]) << 10),
    "descriptor": ("descriptor_bytes", int),
    "state": ("state", str),
    "touch": ("touch", lambda text: text.replace("32K", "32768")),
    "order_of_stores": ("order_of_stores", str),
    "dest_offset": ("dest_offset", int),
}


def all_verified(result):
    runs = result.results["runs"]
    bad = [run["cell"] for run in runs if run["verified"] is not True]
    if bad or not runs:
        return f"{len(runs)} rows, not verified: {bad[:3]}"
    return ""


def offset_of_tails(run):
    """Where the dump has a tail, its link says where the head really stands."""
    for dump in run["dump"]:
        link = int(dump["words"][1], 16)
        if dump["which"] == "tail1" and run["dest_offset"] and (link - 1) % 64 != run["dest_offset"]:
            return f"{run['cell']}: the head stands at {link - 1:#x}"
    return ""


def case_of(text):
    """`text`: options that are factors of a cell."""
    factors = dict(word.split("=") for word in text.split())

    def check(result):
        for run in result.results["runs"]:
            if "dump" in factors and not run["dump"]:
                return f"{run['cell']}: no dump"
            for option, value in factors.items():
                if option == "dump":
                    continue
                key, read = FIELDS[option]
                if run[key] != read(value):
                    return f"{run['cell']}: {key} is {run[key]!r}"
            if ("touch" in factors) != (run["touch_ns"] is not None):
                return f"{run['cell']}: touch_ns is {run['touch_ns']}"
            wrong = offset_of_tails(run)
            if wrong:
                return wrong
        tables = {(run["experiment"], run["map"]) for run in result.results["runs"]}
        if len(tables) != (2 if "dest_offset" in factors else 4):
            return f"tables: {sorted(tables)}"
        return all_verified(result)

    # With large pages a small device has no room for descriptors before its data.
    size = 2 * GIB if "page_size" in factors else 256 * MIB

    def may_write(result, _):
        """Up to the data, wherever descriptors of this size and number have them begin."""
        base = int(result.results["ranges"][0]["base"], 16)
        page = int(factors.get("page_size", "4K")[:-1]) << 10
        descriptors = size // page * int(factors.get("descriptor", 64))
        data = -(-(base + 8192 + descriptors) // (2 * MIB)) * 2 * MIB
        return [(DESCRIPTORS_AT, data - base)]

    return Case(
        f"variant: {text}",
        args=f"rebinds=1 experiment=fsdax,devdax-2m map=both write=pmem0 {text}",
        devices=(Device(size),),
        may_write=may_write,
        check=check,
    )


CASES = [
    Case(
        "variant: descriptors that do not fill 2 MiB with whole compounds",
        args="rebinds=1 experiment=devdax-2m,devdax-1g descriptor=96",
        guest={"pmem": ["4G"]},
        check=all_verified,
    ),
    case_of("order_of_stores=descending"),
    case_of("dest_offset=8 dump=1"),
    case_of("model=sparse"),
    case_of("page_size=64K"),
    case_of("descriptor=56"),
    case_of("state=cold"),
    case_of("touch=batch:32K"),
]
