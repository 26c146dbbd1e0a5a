# SPDX-License-Identifier: BSD-2-Clause
"""Where the fuzzers begin: the samples of tests/data as the bytes that a harness takes."""

import re
import shutil
import struct
import pathlib

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
MIB, GIB = 1 << 20, 1 << 30


def sample(number):
    [path] = (DATA / "samples").glob(f"{number}-*")
    return path.read_text()


def acpi(signature, body, revision=1):
    """A table with its header; the harness sets length and checksum, but is also given it as it is."""
    table = bytearray(struct.pack("<4sIBB6s8sI4sI", signature, 36 + len(body), revision, 0, b"", b"", 0, b"", 0))
    table += body
    table[9] = -sum(table) & 0xFF
    return bytes(table)


# ---- one function for each parser: a list of inputs -----------------------------


def efi_map():
    """The stride's byte, then entries; every efi=debug line of the samples."""
    types = ("Reserved", "Loader Code", "Loader Data", "Boot Code", "Boot Data", "Runtime Code", "Runtime Data",
             "Conventional", "Unusable", "ACPI Reclaim", "ACPI Memory NVS", "Memory Mapped I/O")  # fmt: skip
    inputs = []
    for number in ("18", "20", "21", "22", "24"):
        for stride in (40, 48):
            entries = b""
            for line in sample(number).splitlines():
                found = re.search(r"0x([0-9a-f]+)-0x([0-9a-f]+)", line)
                kind = next((i for i, name in enumerate(types) if f"[{name}" in line), 7)
                if line.startswith("efi:") and found:
                    base, end = int(found[1], 16), int(found[2], 16)
                    pages = (end + 1 - base) // 4096 & (1 << 64) - 1
                    attributes = 0x4000F if "|SP|" in line else 0xF
                    entries += struct.pack("<IIQQQQ", kind, 0, base, 0, pages, attributes).ljust(stride, b"\0")
            inputs.append(bytes([stride]) + entries)
    return inputs


def load_options():
    texts = ("app.efi experiment=fsdax write=pmem0\0", "list\0", "\ufeffmap=dev", " ", "app.efi\0list\0",
             "\\EFI\\Linux\\pagestamp.efi copy=all\0")  # fmt: skip
    config = b"# comment\r\nexperiment=fsdax\nmap=dev write=0x180000000+8G!\n"
    return [text.encode("utf-16-le") for text in texts] + [texts[0].encode(), config, b"\x7f\x01binary\xff"]


def options():
    return [b"experiment=devdax-2m,fsdax copy=plain,auto rebinds=10 exit=qemu budget=30 map=both write=pmem0!",
            b"list", b"memmap=4G!0x100000000 range=pmem0 descriptor=96", b"selftest"]  # fmt: skip


def nfit():
    hexes = re.findall(r"^    [0-9A-F]{4}: ((?:[0-9A-F]{2} ?)+)", sample("01"), re.M)
    return [bytes.fromhex("".join(hexes))]


def acpi_root():
    """Memory from 0x10000 on: the RSDP, the XSDT at 64, the RSDT at 192, an NFIT at 256."""
    rsdp = struct.pack("<8sB6sBIIQB3s", b"RSD PTR ", 0, b"", 2, 0x100C0, 36, 0x10040, 0, b"")
    xsdt = acpi(b"XSDT", struct.pack("<3Q", 0x10100, 0x10040, 0))
    rsdt = acpi(b"RSDT", struct.pack("<2I", 0x10100, 0))
    both = rsdp.ljust(64, b"\0") + xsdt.ljust(128, b"\0") + rsdt.ljust(64, b"\0") + nfit()[0]
    return [both, both[:15] + b"\0" + both[16:]]


def smbios():
    oem = bytes([11, 5, 0, 0, 2]) + b"other\0p:accel=tcg\0\0"
    dimm = bytes([17, 40, 0x26, 0]) + bytes(12) + bytes([2]) + bytes(23) + b"bank\0PROC 1 DIMM 8\0\0"
    entry = bytearray(struct.pack("<5sBBBBBBBIQ", b"_SM3_", 0, 24, 3, 0, 0, 1, 0, 4096, 0xFE000))
    entry[5] = -sum(entry) & 0xFF
    return [bytes(entry), bytes([0, 24]) + bytes(22) + b"vendor\0version\0\0" + dimm + oem + bytes([127, 4, 0, 0, 0, 0])]


def srat_memory(domain, base, length, flags):
    return struct.pack("<BBIHQQIIQ", 1, 40, domain, 0, base, length, 0, flags, 0)


def srat():
    lines = re.findall(r"Node \d+ PXM (\d+) \[mem 0x([0-9a-f]+)-0x([0-9a-f]+)\]", sample("13"))
    far = b"".join(srat_memory(int(d), int(a, 16), int(b, 16) + 1 - int(a, 16), 3) for d, a, b in lines)
    apic = struct.pack("<BBBBIB3sI", 0, 16, 1, 0, 1, 0, b"", 0)
    x2apic = struct.pack("<BBHIIIII", 2, 24, 0, 2, 1, 1, 0, 0)
    gicc = struct.pack("<BBIIII", 3, 18, 3, 0, 1, 0)
    initiator = struct.pack("<BBBBI16sII", 5, 32, 0, 1, 4, bytes(16), 1, 0)
    return [acpi(b"SRAT", bytes(12) + body, 3) for body in (far, apic + x2apic + gicc + initiator)]


def madt():
    apics = struct.pack("<BBBBI", 0, 8, 1, 0, 1) + struct.pack("<BBHIII", 9, 16, 0, 300, 1, 301)
    gicc = struct.pack("<BBHIII52sQ4s", 11, 80, 0, 0, 7, 1, b"", 0x8100000100, b"")
    return [acpi(b"APIC", bytes(8) + body, 5) for body in (apics, gicc)]


def spcr():
    def table(kind, space, width, access, address, baud):
        place = struct.pack("<B3sBBBBQ", kind, b"", space, width, 0, access, address)
        return acpi(b"SPCR", (place + bytes(6) + bytes([baud])).ljust(44, b"\0"), 2)

    graviton = int(re.search(r"uart,mmio,0x([0-9a-f]+)", sample("25"))[1], 16)
    return [table(0, 0, 8, 1, graviton, 7), table(0, 1, 8, 1, 0x3F8, 7), table(3, 0, 32, 3, 0x9000000, 3)]


def hmat():
    def locality(kind, base, *entries):
        lists = struct.pack("<2I2I4H", 0, 1, 0, 1, *entries)
        return struct.pack("<HHIBBHIIIQ", 1, 0, 32 + len(lists), 0, kind, 0, 2, 2, 0, base) + lists

    return [acpi(b"HMAT", bytes(4) + locality(0, 1000, 10, 20, 20, 10) + locality(4, 100, 5, 0xFFFF, 1, 5), 2)]


def cedt():
    bridge = struct.pack("<BBHIIIQQ", 0, 0, 32, 7, 1, 0, 1 << 40, 1 << 16)
    fields = re.findall(r"^\[([0-9A-F]+)h \d+ +([1248])\].* : ([0-9A-F]+)", sample("14"), re.M)
    windows = bytearray(3 * 40)
    for offset, width, value in fields:
        at = int(offset, 16) - 0xA4
        windows[at : at + int(width)] = int(value, 16).to_bytes(int(width), "little")
    return [acpi(b"CEDT", bridge + bytes(windows))]


def labels():
    """The real area, and the same labels behind blocks of the 256 bytes that the harness seals."""
    area = (DATA / "nvdimm/fsdax-dev-2M-label.label.bin").read_bytes()

    def block(at, place):
        new = bytearray(area[at : at + 256])
        struct.pack_into("<QQQQI", new, 24, place, 256, 256 - place, 512, 6)
        return bytes(new)

    return [area[: 0xA00 + 2 * 256], block(0, 0) + block(0x500, 256) + area[0xA00 : 0xA00 + 6 * 256]]


def content():
    return [path.read_bytes()[:8192] for path in sorted((DATA / "nvdimm").glob("*.head.bin"))]


def ranges():
    tables = b"".join(struct.pack("<H", len(t)) + t for t in (nfit()[0], srat()[0], hmat()[0], cedt()[0]))
    map_of_18 = efi_map()[0][1:]
    special = struct.pack("<IIQQQQ", 7, 0, 0xC050000000, 0, GIB // 4096, 0x4000F)
    persistent = struct.pack("<IIQQQQ", 14, 0, 0x100000000, 0, GIB // 4096, 0x800F)
    return [tables + special + persistent, tables + map_of_18]


def hugepages():
    """Every command line of the sample, on two nodes with some gigabytes each."""
    keys = {"hugepagesz": "i", "hugepages": "j", "default_hugepagesz": "k"}  # modulo 3
    pieces = bytes([2]) + bytes([2, 0, 0x20, 0]) + bytes([1, 0, 0x20, 1])
    inputs = []
    for line in sample("30").splitlines():
        words = re.findall(r"(\w+)=(\S+)", line.split("|")[0].lstrip("# "))
        text = " ".join(keys[key] + value for key, value in words if key in keys)
        if text:
            inputs += [bytes([machine]) + pieces + text.encode() for machine in (0, 1)]
    return inputs


def superblock():
    inputs = []
    for path in sorted((DATA / "nvdimm").glob("*dax-*.head.bin")):
        block = path.read_bytes()[4096 : 4096 + 256]
        place = struct.pack("<QQB", 4 * GIB >> 12, 8 * GIB >> 12, b"PFN" in block[:16])
        inputs.append(place + block[16:])
    return inputs


# ---------------------------------------------------------------------------------


def inputs_of(parser):
    return globals()[parser]()


def longest(parser):
    """Bytes: four times the longest seed, and room for a table of some structures."""
    return max(4096, 4 * max(map(len, inputs_of(parser))))


def write(parser, directory):
    """Afresh: a seed that is gone must not stay."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    for i, data in enumerate(inputs_of(parser)):
        (directory / f"seed-{i}").write_bytes(data)
