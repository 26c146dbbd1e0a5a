# SPDX-License-Identifier: BSD-2-Clause
"""What `list` and the results say of the firmware's tables."""

import struct

from tests.boot.case import Case
from tests.boot.devices import GIB, MIB


def acpi(signature, body, revision):
    """QEMU makes the checksum right."""
    sizes = (signature, 36 + len(body), revision, 0)
    return struct.pack("<4sIBB6s8sI4sI", *sizes, b"OEM", b"TABLE", 1, b"TEST", 1) + body


def hmat():
    """What node 0 has of its own: 90 ns, and 20,000 MB/s."""
    body = bytes(4)
    for kind, base, value in ((0, 1000, 90), (3, 100, 200)):
        body += struct.pack("<HHIBBHIIIQ", 1, 0, 42, 0, kind, 0, 1, 1, 0, base)
        body += struct.pack("<IIH", 0, 0, value)
    return acpi(b"HMAT", body, 2)


def cedt():
    """A window where QEMU puts its NVDIMMs, and one that cannot be."""
    body = b""
    for base, size in ((4 * GIB, 16 * GIB), (64 * GIB + MIB, GIB)):
        body += struct.pack("<BBHIQQBBHIHHI", 1, 0, 40, 0, base, size, 0, 0, 0, 0, 6, 0, 7)
    return acpi(b"CEDT", body, 1)


def spcr():
    place = struct.pack("<B3sBBBBQ", 0, b"", 1, 8, 0, 1, 0x3F8)
    return acpi(b"SPCR", (place + bytes(6) + b"\x07").ljust(44, b"\0"), 2)


def with_tables(*tables):
    def prepare(arch, out):
        files = []
        for i, table in enumerate(tables):
            files.append(str(out / f"table-{i}.bin"))
            (out / f"table-{i}.bin").write_bytes(table)
        return {"acpi_tables": files}

    return prepare


def ranges_say(*expected):
    def check(result):
        said = [(entry["node_by"], entry["about"]) for entry in result.results["ranges"]]
        return "" if said == list(expected) else f"ranges: {said}"

    return check


CASES = [
    Case(
        "tables: all that are read",
        archs=("x86_64",),  # QEMU adds tables to no other
        args="list",
        guest={"pmem": ["256M"], "smp": 2, "cpu": "max,phys-bits=52"},
        prepare=with_tables(hmat(), cedt(), spcr()),
        says=(
            r"^MADT: CPUs: 2 enabled, 0 more may come$",
            r"^SPCR: console: 16550 io 0x3f8 115200 baud$",
            r"^CEDT: CXL window 0 at 0x100000000, 16 GiB, 1-way, restrictions 0x6$",
            r"^NFIT: NVDIMM 0x1: 256 MiB for range 2 of the table, state 0x0$",
        ),
        explains=(
            "CEDT: 1 windows: misaligned, empty or of no known interleave",
            "pmem0: node by nfit 0, srat 0; 1 NVDIMM, 1 way; CXL window 0; HMAT from ",
        ),
        check=ranges_say(
            (
                "nfit 0, srat 0",
                "1 NVDIMM, 1 way; CXL window 0; "
                "HMAT from node 0: read 90 ns, write 90 ns, read 20000 MB/s, write 20000 MB/s",
            )
        ),
    ),
    Case(
        "tables: CPUs and console of arm64",
        archs=("arm64",),
        args="list",
        guest={"smp": 3},
        says=(
            r"^MADT: CPUs: 3 enabled, 0 more may come$",
            r"^SPCR: console: PL011 mmio 0x9000000( \d+ baud)?$",
        ),
        never=(r"^labels: ",),  # there is no NVDIMM
    ),
    Case(
        "tables: refused, and the rest stands; CPUID ends early",
        archs=("x86_64",),
        args="list",
        # Beyond leaf 1 it answers with leaf 1's data: nothing of that may be believed.
        guest={"pmem": ["256M"], "cpu": "max,level=1,xlevel=0x80000001"},
        says=(r"^features  sse2 sse4\.1 avx pdpe1gb rdtscp$",),
        prepare=with_tables(acpi(b"HMAT", bytes(4) + struct.pack("<HHI", 1, 0, 0), 2), acpi(b"CEDT", b"\1\0\0\0", 1)),
        explains=(
            "ACPI HMAT: HMAT: structure of type 1 at 0x28 has length 0",
            "ACPI CEDT: CEDT: structure of type 1 at 0x24 has length 0",
        ),
        check=ranges_say(("nfit 0, srat 0", "1 NVDIMM, 1 way")),
    ),
]
