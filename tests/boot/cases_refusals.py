# SPDX-License-Identifier: BSD-2-Clause
"""What cannot be done is refused in one clear line, before anything is measured or written:
a file system on the NVDIMM stays as it is. Words that are wrong by themselves: cases_options.py."""

import re
import struct
import uuid

from tests.boot.case import Case
from tests.boot.devices import MIB, Device

PERSISTENT = uuid.UUID("66f0d379-b4f3-4074-ac43-0d3318b78cdb").bytes_le


def nfit(length=56, cut=0):
    """An NFIT with one range, whose structure says that it is `length` bytes long."""
    body = struct.pack("<HHHHII", 0, length, 1, 2, 0, 0) + PERSISTENT
    body += struct.pack("<QQQ", 4 << 30, 1 << 30, 0x8008)
    body = bytes(4) + body[: len(body) - cut]
    sizes = (b"NFIT", 36 + len(body), 1, 0)
    return struct.pack("<4sIBB6s8sI4sI", *sizes, b"OEM", b"TABLE", 1, b"TEST", 1) + body


def bad_nfit(name, table, length):
    """QEMU and firmware both make checksums right: those are for the unit tests."""

    def prepare(arch, out):
        (out / "nfit.bin").write_bytes(table)
        return {"acpi_tables": [str(out / "nfit.bin")]}

    return Case(
        f"refusal: NFIT {name}",
        archs=("x86_64",),  # QEMU adds tables to no other
        prepare=prepare,
        fails="no persistent memory: the ACPI NFIT is refused: ",
        explains=(f"is refused: NFIT: structure of type 0 at 0x28 has length {length}",),
    )


def missing_and_fitting(result):
    """The figures of the refusal add up."""
    text = re.sub(r"\s+", " ", result.report)
    match = re.search(
        r"memmap needs (\d+) MiB, (\d+) MiB are free, (\d+) MiB are missing; "
        r"a range of (\d+) MiB would fit",
        text,
    )
    if not match:
        return "it does not say what is missing and what would fit"
    need, free, missing, fits = map(int, match.groups())
    if need != 1600 or not 64 <= free <= 240 or not need - free <= missing <= need - free + 1:
        return f"of {need} MiB {free} are free and {missing} missing?"
    # 64 bytes for each 4 KiB.
    return "" if 64 * (free - 1) <= fits <= 64 * (free + 1) else f"{fits} MiB would fit in {free}?"


def refusal(name, args, fails, *explains, **more):
    return Case(
        f"refusal: {name}",
        args=args,
        fails=fails,
        explains=explains,
        never=(r"^(base|template|stamp) ",),
        devices=(Device(512 * MIB, head="raw-ext4"),),
        timeout=60,
        **more,
    )


CASES = [
    refusal("unknown range", "range=pmem7", "range=pmem7: no such range; accepted: pmem0$"),
    refusal(
        "unknown range to write", "write=pmem3!", "write=pmem3: no such range; accepted: pmem0$"
    ),
    refusal(
        "experiment that cannot run",
        "experiment=fsdax,devdax-1g",
        "experiment=devdax-1g cannot run: not one whole page of ",
        "not one whole page of 1048576 KiB fits in 524288 KiB",
    ),
    refusal(
        "RAM that is not there",
        "memmap=64M!900G",
        "memmap=0x4000000!0xe100000000: not all of it is free RAM in ",
        "accepted: whole pages of free RAM, for example inside 0x",
    ),
    Case(
        "refusal: no persistent memory, and no ACPI at all",
        guest={"extra": ["-machine", "acpi=off"]},
        fails="no persistent memory: there is no ACPI NFIT and ",
        explains=("memmap=SIZE!START makes a range of RAM",),
    ),
    Case(
        "refusal: too little RAM for the memmap",
        args="experiment=fsdax",
        guest={"mem": "256M", "pmem": ["100G"]},
        fails="too little RAM for fsdax pmem0 map=mem: its memmap needs",
        check=missing_and_fitting,
    ),
    bad_nfit("cut short", nfit(length=56, cut=8), 56),
    bad_nfit("structure beyond the end", nfit(length=200), 200),
    bad_nfit("structure of no length", nfit(length=0), 0),
]
