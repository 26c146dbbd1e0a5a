#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Finishes the PE image that objcopy made: what objcopy has no option for.

NX_COMPAT is set (the image keeps W^X), the time stamp is SOURCE_DATE_EPOCH, and the
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


def finish(image, epoch):
    pe = struct.unpack_from("<I", image, 0x3C)[0]
    if image[pe : pe + 4] != b"PE\0\0":
        raise ValueError("no PE signature")
    coff, optional = pe + 4, pe + 24
    sections, = struct.unpack_from("<H", image, coff + 2)
    optional_size, flags = struct.unpack_from("<HH", image, coff + 16)
    if flags & RELOCS_STRIPPED:
        raise ValueError("relocations stripped: the firmware would say only 'Not Found'")
    if struct.unpack_from("<H", image, optional + 68)[0] != 10:
        raise ValueError("subsystem is not 10 (EFI application)")

    for i in range(sections):
        at = optional + optional_size + 40 * i
        name = image[at : at + 8].rstrip(b"\0").decode()
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
