# SPDX-License-Identifier: BSD-2-Clause
"""A server's memory: two nodes, NVDIMMs in use, persistent and special-purpose memory in the
firmware's own map. `list` names all of it, and what a run would write; the run writes that.

QEMU's NVDIMMs are in the NFIT only, and it has no special-purpose memory. So the image is that
of tests/memory/: the production image's objects, entered after the firmware's own services have
put one of the NVDIMMs, a DIMM that no NFIT names and a part of node 1's RAM into its map.
"""

import re

from tests.boot.case import BUILD, Case
from tests.boot.devices import GIB, MIB, PAGE, Device

TIB = 1 << 40
# RAM: 1 GiB a node. Behind it the NVDIMMs of 8 GiB and the DIMM, each at a whole GiB.
NVDIMM = {"x86_64": 4 * GIB, "arm64": 3 * GIB}
SPECIAL = {"x86_64": 1280 * MIB, "arm64": 2176 * MIB}
SPECIAL_SIZE, DIMM_SIZE = 128 * MIB, 256 * MIB
UNACCEPTED = "a guest must accept it before it is touched"
WHAT = (
    "experiment=fsdax rebinds=1 method=base map=dev "
    "range=special0,pmem0,pmem1,pmem2 write=pmem0,pmem1,special0"
)


def image(arch, pieces):
    return {
        "efi": BUILD / "memory" / arch / "pagestamp.efi",
        "extra": ["-smbios", "type=11,value=pagestamp:memory=" + ",,".join(pieces)],
    }


def prepare(arch, _):
    base = NVDIMM[arch]
    pieces = (
        f"persistent:{base:#x}+{8 * GIB:#x}",
        f"persistent:{base + 16 * GIB:#x}+{DIMM_SIZE:#x}",
        f"special:{SPECIAL[arch]:#x}+{SPECIAL_SIZE:#x}",
        f"unaccepted:{base + 32 * GIB:#x}+{GIB:#x}",
    )
    options = image(arch, pieces)
    options["extra"] += [
        *("-object", f"memory-backend-ram,id=dimm,size={DIMM_SIZE}"),
        *("-device", "pc-dimm,memdev=dimm,node=1"),
    ]
    return options


def listed(result):
    base = NVDIMM[result.arch]
    keys = ("id", "kind", "source", "base", "size", "node", "node_by", "about", "holds")
    fsdax, ext4 = "fsdax map=dev align=2M", "ext4 (or ext2, ext3) file system"
    blank, one = "nothing (blank)", "1 NVDIMM, 1 way"
    special = SPECIAL[result.arch], SPECIAL_SIZE
    expected = [
        ("special0", "special", "efi", *special, 1, "srat 1", None, blank),
        ("pmem0", "persistent", "nfit+efi", base, 8 * GIB, 1, "nfit 1, srat 1", one, fsdax),
        ("pmem1", "persistent", "nfit", base + 8 * GIB, 8 * GIB, 0, "nfit 0, srat 0", one, ext4),
        ("pmem2", "persistent", "efi", base + 16 * GIB, DIMM_SIZE, 1, "srat 1", None, blank),
    ]
    got = [
        tuple(int(entry[key], 16) if key == "base" else entry[key] for key in keys)
        for entry in result.results["ranges"]
    ]
    wrong = [f"{entry}\nexpected {other}" for entry, other in zip(got, expected) if entry != other]
    if wrong or len(got) != len(expected):
        return "\n".join(wrong) or f"{len(got)} ranges"
    if result.results["machine"]["nodes"] != 2:
        return f"nodes: {result.results['machine']['nodes']}"
    skipped = {item["what"]: item["why"] for item in result.results["skipped"]}
    if UNACCEPTED not in skipped.get(f"unaccepted memory {base + 32 * GIB:#x}+1G", ""):
        return f"skipped: {skipped}"
    tables = [(experiment, name) for experiment, name, *_ in would_write(result)]
    return "" if tables == [("fsdax", "special0"), ("fsdax", "pmem0")] else f"tables: {tables}"


def would_write(result):
    """[(experiment, range, begin, end)]: what `list` prints, physical addresses."""
    line = r"^  (\S+) (\S+) map=dev: \d+ descriptors, writes \[0x(\w+), 0x(\w+)\)$"
    found = re.findall(line, result.console, re.M)
    return [(*names, int(begin, 16), int(end, 16)) for *names, begin, end in found]


def extents(result, i):
    """Of device i, by what `list` said in the boot before."""
    begin = NVDIMM[result.arch] + 8 * GIB * i
    return [
        (low - begin, high - begin)
        for _, name, low, high in would_write(result.before)
        if name == f"pmem{i}"
    ]


def wrote_what_list_said(result):
    ran = [(run["experiment"], run["range"], run["map"]) for run in result.results["runs"]]
    said = [(experiment, name, "dev") for experiment, name, *_ in would_write(result.before)]
    if set(ran) != set(said):
        return f"ran {sorted(set(ran))}, list said {said}"
    if not all(run["verified"] for run in result.results["runs"]):
        return "not all rows verified"
    changed = [made.changed() for made in result.devices]
    expected = [extents(result, i) for i in range(2)]
    if changed != expected or not changed[0]:
        return f"changed: {changed}; list said: {expected}"
    return ""


# ---- Special-purpose memory that the firmware hands out like any other ----------------


def only_what_is_free(result):
    ran = {(run["range"], run["map"], run["verified"]) for run in result.results["runs"]}
    if ran != {("special0", "dev", True)}:
        return f"ran: {ran}"
    item = result.results["ranges"][0]
    begin, size = int(item["base"], 16), item["size"]
    in_use = [
        int(skipped["what"].split()[-1].split("+")[0], 16)
        for skipped in result.results["skipped"]
        if "lives there" in skipped["why"]
    ]
    if begin != SPECIAL["x86_64"] or not in_use or any(at < begin + size for at in in_use):
        return f"[{begin:#x}, {begin + size:#x}), in use: {[hex(at) for at in in_use]}"
    return ""


# ---- More than anybody's test machine has: memory is there as it is touched ----------


def all_of_it(result):
    ram = result.results["machine"]["memory_bytes"]
    if not 2 * TIB - 64 * MIB <= ram <= 2 * TIB:
        return f"RAM: {ram:#x}"
    base = int(result.results["ranges"][-1]["base"], 16)
    return "" if base >= 2 * TIB else f"the NVDIMM at {base:#x}"


def beyond_a_tebibyte(result):
    ran = {(run["range"], run["map"], run["pages"]) for run in result.results["runs"]}
    size = 128 * MIB
    expected = {(name, "dev", (size - 4 * MIB) // PAGE) for name in ("pmem0", "pmem1")}
    expected |= {(name, "mem", size // PAGE) for name in ("pmem0", "pmem1")}
    if ran != expected or not all(run["verified"] for run in result.results["runs"]):
        return f"ran: {ran}, or not all verified"
    return all_of_it(result)


TWO_TEBIBYTES = {"mem": "2T", "pmem": ["128M"]}

CASES = [
    Case(
        "memory map: the firmware lives in special-purpose memory",
        archs=("x86_64",),
        args="range=special0 write=special0 map=dev experiment=fsdax rebinds=1 method=base",
        guest={"mem": "2G"},
        # From there to the end of RAM: the program's own heap is in it.
        prepare=lambda arch, _: image(
            arch, [f"special:{SPECIAL[arch]:#x}+{2 * GIB - SPECIAL[arch]:#x}"]
        ),
        explains=("+32M: the firmware, or this program, lives there",),
        check=only_what_is_free,
    ),
    Case(
        "memory map: 2 TiB of RAM",
        args="list",
        guest=TWO_TEBIBYTES,
        check=all_of_it,
        then=Case(
            "RAM at 1.5 TiB, and the NVDIMM beyond it all",
            args="memmap=128M!1536G experiment=fsdax map=both write=pmem0,pmem1 rebinds=1 "
            "method=base,stamp copy=plain",
            guest=TWO_TEBIBYTES,
            check=beyond_a_tebibyte,
        ),
    ),
    Case(
        "memory map: two nodes, persistent, special-purpose",
        args=f"list {WHAT}",
        guest={"mem": "1G,1G"},
        devices=(
            Device(head="fsdax-dev-2M", properties="node=1"),
            Device(head="raw-ext4", properties="node=0"),
        ),
        prepare=prepare,
        says=(
            r"^MADT: CPUs: 1 enabled",
            r"^labels: not readable: the firmware has no NVDIMM label protocol$",
            r"^NFIT: NVDIMM 0x2: 8 GiB for range 4 of the table",
            r"^pmem0: node by nfit 1, srat 1; 1 NVDIMM, 1 way$",
            r"^          pmem0 at 0x\w+, 8 GiB, node 1 \(nfit\+efi\): fsdax map=dev\b",
        ),
        never=(r"^memory: ",),
        explains=(
            "fsdax pmem1 map=dev: pmem1 holds: ext4 (or ext2, ext3) file system; write=pmem1! would",
            "fsdax pmem2 map=dev: no write= names pmem2",
        ),
        check=listed,
        then=Case(
            "what list said",
            args=WHAT,
            guest={"mem": "1G,1G"},
            prepare=prepare,
            may_write=extents,
            explains=("pmem1 holds: ext4 (or ext2, ext3) file system; write=pmem1! would destroy",),
            check=wrote_what_list_said,
        ),
    ),
]
