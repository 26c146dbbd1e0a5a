#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Finishes the PE image that objcopy made: what objcopy has no option for.

ELF's relative relocations (section .rela) become PE base relocations (.reloc), which the
firmware applies: the program needs no code for it. NX_COMPAT is set (the image keeps W^X), the time stamp is SOURCE_DATE_EPOCH, and the
checksum is made to fit. Refuses an image that a firmware would refuse or mangle.
"""

import os
import struct
import sys

RELOCS_STRIPPED = 0x0001
NX_COMPAT = 0x0100
MEM_EXECUTE, MEM_WRITE = 0x20000000, 0x80000000


def checksum(image, at):
    """The PE checksum: 16-bit one's complement sum without its own field, plus the size."""
    total = 0
    padded = bytes(image) + b"\0" * (len(image) % 2)
    for i, (word,) in enumerate(struct.iter_unpack("<H", padded)):
        if i * 2 not in (at, at + 2):
            total += word
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total + len(image)


SECTION_SIZE = 40
BASERELOC_DIRECTORY = 5
DIR64 = 10
DISCARDABLE_READONLY_DATA = 0x42000040
# The one kind that a position-independent image has, by PE machine: R_X86_64_RELATIVE,
# R_AARCH64_RELATIVE.
RELATIVE = {0x8664: 8, 0xAA64: 1027}
FILE_ALIGNMENT = 512


class Headers:
    """Where the fields of an image stand."""

    def __init__(self, image):
        pe = struct.unpack_from("<I", image, 0x3C)[0]
        if image[pe : pe + 4] != b"PE\0\0":
            raise ValueError("no PE signature")
        self.coff, self.optional = pe + 4, pe + 24
        self.machine, count = struct.unpack_from("<HH", image, self.coff)
        size, = struct.unpack_from("<H", image, self.coff + 16)
        self.sections = [self.optional + size + SECTION_SIZE * i for i in range(count)]


def section_name(image, at):
    return image[at : at + 8].rstrip(b"\0").decode()


def file_offset(image, headers, address):
    """Where the byte at a virtual address stands in the file."""
    for at in headers.sections:
        _, start, raw_size, raw = struct.unpack_from("<IIII", image, at + 8)
        if start <= address and address + 8 <= start + raw_size:
            return raw + address - start
    raise ValueError(f"a relocation at {address:#x}, where the file has nothing")


def base_relocations(addresses):
    """The .reloc data: a block for each 4 KiB page (PE specification, ".reloc section")."""
    pages = {}
    for address in sorted(addresses):
        pages.setdefault(address & ~0xFFF, []).append(DIR64 << 12 | address & 0xFFF)
    data = bytearray()
    for page, entries in pages.items():
        entries += [0] * (len(entries) % 2)
        data += struct.pack(f"<II{len(entries)}H", page, 8 + 2 * len(entries), *entries)
    return data


def relocate(image, headers):
    """Turns the .rela section into .reloc, in place and shorter."""
    at = next((at for at in headers.sections if section_name(image, at) == ".rela"), None)
    if at is None:
        raise ValueError("no .rela section")
    size, address, raw_size, raw = struct.unpack_from("<IIII", image, at + 8)
    addresses = []
    for where, info, addend in struct.iter_unpack("<QQQ", bytes(image[raw : raw + size // 24 * 24])):
        if info == 0:
            continue
        if info != RELATIVE[headers.machine]:
            raise ValueError(f"a relocation of kind {info} at {where:#x}")
        struct.pack_into("<Q", image, file_offset(image, headers, where), addend)
        addresses.append(where)

    data = base_relocations(addresses)
    padded = data + b"\0" * (-len(data) % FILE_ALIGNMENT)
    image[raw : raw + raw_size] = padded
    for other in headers.sections:
        other_raw, = struct.unpack_from("<I", image, other + 20)
        if other_raw > raw:
            struct.pack_into("<I", image, other + 20, other_raw - raw_size + len(padded))
    image[at : at + 8] = b".reloc\0\0"
    struct.pack_into("<IIII", image, at + 8, len(data), address, len(padded), raw)
    struct.pack_into("<I", image, at + 36, DISCARDABLE_READONLY_DATA)
    struct.pack_into("<II", image, headers.optional + 112 + 8 * BASERELOC_DIRECTORY, address, len(data))
    initialised, = struct.unpack_from("<I", image, headers.optional + 8)
    struct.pack_into("<I", image, headers.optional + 8, initialised - raw_size + len(padded))
    flags, = struct.unpack_from("<H", image, headers.coff + 18)
    struct.pack_into("<H", image, headers.coff + 18, flags & ~RELOCS_STRIPPED)


def finish(image, epoch):
    headers = Headers(image)
    coff, optional = headers.coff, headers.optional
    relocate(image, headers)
    if struct.unpack_from("<H", image, optional + 68)[0] != 10:
        raise ValueError("subsystem is not 10 (EFI application)")

    for at in headers.sections:
        name = section_name(image, at)
        rights, = struct.unpack_from("<I", image, at + 36)
        if rights & MEM_EXECUTE and rights & MEM_WRITE:
            raise ValueError(f"section {name} is writable and executable")
        if name == ".sbat":
            size, _, raw_size, raw = struct.unpack_from("<IIII", image, at + 8)
            text = bytes(image[raw : raw + raw_size]).rstrip(b"\0")
            if not text.startswith(b"sbat,1,"):
                raise ValueError(".sbat holds no SBAT text")
            struct.pack_into("<I", image, at + 8, len(text))

    struct.pack_into("<I", image, coff + 4, epoch & 0xFFFFFFFF)
    dll, = struct.unpack_from("<H", image, optional + 70)
    struct.pack_into("<H", image, optional + 70, dll | NX_COMPAT)
    struct.pack_into("<I", image, optional + 64, 0)
    struct.pack_into("<I", image, optional + 64, checksum(image, optional + 64))


def main():
    path = sys.argv[1]
    with open(path, "rb") as f:
        image = bytearray(f.read())
    try:
        finish(image, int(os.environ.get("SOURCE_DATE_EPOCH") or 0))
    except ValueError as error:
        sys.exit(f"pe_finish.py: {path}: {error}")
    with open(path, "wb") as f:
        f.write(image)


if __name__ == "__main__":
    main()
