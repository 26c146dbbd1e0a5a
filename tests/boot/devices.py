# SPDX-License-Identifier: BSD-2-Clause
"""Backing files of NVDIMMs: what they hold, and what a boot changed on them."""

import dataclasses
import hashlib
import os
import pathlib
import struct
import uuid

DATA = pathlib.Path(__file__).resolve().parent.parent / "data/nvdimm"
MIB, GIB = 1 << 20, 1 << 30
DESCRIPTORS_AT = 2 * MIB  # device offset of the descriptor of the device's page 0
LABEL_AREA = 2 * MIB
PAGE = 4096


def superblock(mode, where, size, align, name, room=0):
    """A namespace's, as ndctl writes it: mode fsdax or devdax, where = mem or dev.

    room: bytes that its data begin later than they must.
    """
    pages = size // PAGE
    dataoff = -(-(2 * PAGE + 64 * pages) // max(align, 2 * MIB)) * max(align, 2 * MIB)
    if where == "mem":
        dataoff = max(align, 2 * MIB)
    dataoff += room
    block = struct.pack(
        "<16s16s16sIHHQQIIIIIH",
        {"fsdax": b"NVDIMM_PFN_INFO", "devdax": b"NVDIMM_DAX_INFO"}[mode],
        uuid.uuid5(uuid.NAMESPACE_URL, name).bytes,
        bytes(16),
        *(0, 1, 4, dataoff, (size - dataoff) // PAGE, {"mem": 1, "dev": 2}[where], 0, 0, align),
        *(PAGE, 64),
    ).ljust(PAGE - 8, b"\0")
    return block + struct.pack("<Q", fletcher64(block))


def fletcher64(block):
    low = high = 0
    for (word,) in struct.iter_unpack("<I", block + bytes(8)):
        low = (low + word) & 0xFFFFFFFF
        high = (high + low) & 0xFFFFFFFFFFFFFFFF
    return (high << 32 | low) & 0xFFFFFFFFFFFFFFFF


@dataclasses.dataclass(frozen=True)
class Device:
    size: int = 8 * GIB
    head: str = ""  # NAME of NAME.head.bin: its first bytes; its label area where it has one
    bytes_at: tuple = ()  # (offset, bytes) put on top
    properties: str = ""  # QEMU's, of the nvdimm

    def make(self, path):
        labels = DATA / f"{self.head}.label.bin"
        with open(path, "wb") as f:
            if self.head:
                f.write((DATA / f"{self.head}.head.bin").read_bytes())
            for offset, data in self.bytes_at:
                f.seek(offset)
                f.write(data)
            if self.head and labels.exists():
                f.seek(self.size)
                f.write(labels.read_bytes())
                f.truncate(self.size + LABEL_AREA)
            else:
                f.truncate(self.size)
        made = Made(self, pathlib.Path(path))
        made.remember()
        return made


def namespace(mode, where, size, align, name="tests", room=0):
    """A device that holds nothing but a namespace's superblock."""
    return Device(size, bytes_at=((PAGE, superblock(mode, where, size, align, name, room)),))


class Made:
    """A backing file, and its pages as they were."""

    def __init__(self, device, path):
        self.device, self.path = device, path
        self.before = {}

    @property
    def item(self):
        """For guest.command()'s pmem=."""
        properties = self.device.properties
        if self.path.stat().st_size > self.device.size:
            properties = f"label-size={LABEL_AREA}" + ("," if properties else "") + properties
        return f"{self.path},{properties}" if properties else str(self.path)

    def remember(self):
        self.before = pages_of(self.path)

    def changed(self):
        """[(begin, end)] of what is not as it was, in whole pages."""
        after = pages_of(self.path)
        offsets = sorted(
            at for at in self.before.keys() | after.keys() if self.before.get(at) != after.get(at)
        )
        found = []
        for at in offsets:
            if found and found[-1][1] == at:
                found[-1] = (found[-1][0], at + PAGE)
            else:
                found.append((at, at + PAGE))
        return found

    def changed_beside(self, allowed):
        """What of changed() is not within the ranges of `allowed`."""
        rest = self.changed()
        for begin, end in allowed:
            rest = [
                piece
                for low, high in rest
                for piece in ((low, min(high, begin)), (max(low, end), high))
                if piece[0] < piece[1]
            ]
        return rest


def pages_of(path):
    """{offset: digest} of every page that is not zero. Holes of the file are not read."""
    found, zero = {}, bytes(MIB)
    with open(path, "rb", buffering=0) as f:
        for begin, end in extents(f.fileno()):
            for at in range(begin, end, MIB):
                data = os.pread(f.fileno(), min(MIB, end - at), at)
                if data == zero[: len(data)]:
                    continue
                for offset in range(0, len(data), PAGE):
                    page = data[offset : offset + PAGE]
                    if page != zero[: len(page)]:
                        found[at + offset] = hashlib.sha256(page).digest()
    return found


def extents(fd):
    """(begin, end) of the file's data, in whole pages."""
    size, at = os.fstat(fd).st_size, 0
    while at < size:
        try:
            begin = os.lseek(fd, at, os.SEEK_DATA)
        except OSError:  # nothing but a hole is left
            return
        at = os.lseek(fd, begin, os.SEEK_HOLE)
        yield begin // PAGE * PAGE, at


def geometry(experiment, where, base, size, dataoff=None):
    """(pages, first device page that is described, dataoff) by the rules of ndctl."""
    align = {"fsdax": PAGE, "devdax-2m": 2 * MIB, "devdax-1g": GIB}[experiment]
    if where == "mem":
        return size // align * align // PAGE, 0, 0
    if dataoff is None:
        unit = max(align, 2 * MIB)
        dataoff = -(-(base + 2 * PAGE + size // PAGE * 64) // unit) * unit - base
    first = (-(-(base + dataoff) // align) * align - base) // PAGE
    return (size - first * PAGE) // align * align // PAGE, first, dataoff


def descriptors(experiment, base, size, dataoff=None):
    """(begin, end): device offsets of the descriptors of map=dev."""
    pages, first, _ = geometry(experiment, "dev", base, size, dataoff)
    return DESCRIPTORS_AT + 64 * first, DESCRIPTORS_AT + 64 * (first + pages)
