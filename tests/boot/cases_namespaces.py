# SPDX-License-Identifier: BSD-2-Clause
"""What ndctl made, pagestamp must see: tests/data/nvdimm."""

import json
import struct

from tests.boot.case import Case
from tests.boot.devices import DATA, GIB, MIB, PAGE, Device, namespace

BROKEN = (DATA / "fsdax-dev-2M.head.bin").read_bytes()[PAGE : 2 * PAGE]
BROKEN = BROKEN[:200] + bytes([BROKEN[200] ^ 1]) + BROKEN[201:]


def block_looked_at(size, i):
    """Device offset of the i-th: where a range counts as blank."""
    return 2 * MIB + (size - 4 * MIB) * i // 4096 // PAGE * PAGE


SMALL = 64 * MIB
# The sizes of those before it keep a device's address aligned to 1 GiB, or not. One more
# stands behind them, raw-empty: memory, because the host reads around in a file of holes.
DEVICES = (
    Device(head="fsdax-dev-2M"),
    Device(head="devdax-dev-2M"),
    Device(head="devdax-mem-1G"),
    Device(head="fsdax-mem-2M"),
    Device(head="raw-ext4"),
    Device(head="raw-gpt"),
    namespace("devdax", "dev", 4 * GIB, GIB),
    Device(SMALL, bytes_at=((PAGE, BROKEN),)),
    # One byte in one of the 4,096 blocks looked at between the edges, in the last 2 MiB,
    # and where nobody looks.
    Device(SMALL, bytes_at=((block_looked_at(SMALL, 2222) + 4095, b"x"),)),
    Device(SMALL, bytes_at=((SMALL - 2 * MIB, b"x"),)),
    Device(SMALL, bytes_at=((block_looked_at(SMALL, 2222) + 4096, b"x"),)),
    namespace("devdax", "dev", 4 * GIB, GIB),
    Device(head="fsdax-dev-2M-label"),
)
HOLDS = {
    4: "ext4 (or ext2, ext3) file system",
    5: "GPT partition table",
    6: "devdax map=dev align=1G",
    7: "unknown contents",
    8: "unknown contents",
    9: "unknown contents",
    10: "nothing (blank)",
    11: "devdax namespace: its data are not aligned at this address",
}


def wrong_namespace(entry, head):
    """Against what `ndctl list -RNDv` said, and the superblock."""
    region = json.loads((DATA / f"{head}.ndctl.json").read_text())["regions"][0]
    told = region["namespaces"][0]
    align = {2 * MIB: "2M", GIB: "1G"}[told["align"]]
    block = (DATA / f"{head}.head.bin").read_bytes()[PAGE : 2 * PAGE]
    dataoff, npfns = struct.unpack_from("<QQ", block, 56)
    expected = {
        "size": region["size"],
        "node": region["numa_node"],
        "namespace": f"{told['mode']} map={told['map']} align={align}",
        "namespace_size": told["size"],
        "dataoff": dataoff,
        "npfns": npfns,
    }
    got = {key: entry[key] for key in expected}
    return "" if got == expected else f"{head}: {got}, expected {expected}"


def as_ndctl_says(result):
    entries = result.results["ranges"]
    if [entry["id"] for entry in entries] != [f"pmem{i}" for i in range(len(DEVICES) + 1)]:
        return f"ranges: {[entry['id'] for entry in entries]}"
    if (entries[-1]["size"], entries[-1]["holds"]) != (8 * GIB, "nothing (blank)"):
        return f"raw-empty: {entries[-1]}"
    for i, (entry, device) in enumerate(zip(entries, DEVICES)):
        if entry["size"] != device.size or entry["kind"] != "persistent" or entry["read_only"]:
            return f"{entry['id']}: {entry}"
        if i in HOLDS:
            wrong = "" if entry["holds"] == HOLDS[i] else f"holds {entry['holds']!r}"
        else:
            wrong = wrong_namespace(entry, device.head)
        if wrong:
            return f"{entry['id']}: {wrong}"
    return ""


CASES = [
    Case(
        "namespaces as ndctl lists them",
        args="list",
        guest={"mem": "1G", "pmem": ["8G"]},
        devices=DEVICES,
        says=(
            r"^ranges    pmem0 at 0x\w+, 8 GiB, node 0 \(nfit\): fsdax map=dev align=2M$",
            r"^          pmem4 at 0x\w+, 8 GiB, node 0 \(nfit\): ext4 .*$",
        ),
        check=as_ndctl_says,
    ),
]
