# SPDX-License-Identifier: BSD-2-Clause
"""Finds the UEFI firmware image that QEMU boots: tools/firmware.txt, or a variable."""

import os
import pathlib

LIST = pathlib.Path(__file__).with_name("firmware.txt")


def rows(text):
    """[(architecture, variable, place)] of the list; a comment or a blank line is none."""
    lines = (line.split() for line in text.splitlines() if line.strip() and line[0] != "#")
    return [tuple(words) for words in lines]


def find(arch, root="/"):
    """The path, or LookupError saying what was looked for. `root`: where the places begin."""
    mine = [row for row in rows(LIST.read_text()) if row[0] == arch]
    variable = mine[0][1]
    named = os.environ.get(variable)
    if named:
        if os.path.isfile(named):
            return named
        raise LookupError(f"{variable}={named}: no such file; expected a UEFI image for {arch}")
    for _, _, place in mine:
        path = os.path.join(root, place.lstrip("/"))
        # A package may leave a dangling link, or an empty file, behind.
        if os.path.isfile(path) and os.path.getsize(path):
            return path
    places = ", ".join(place for _, _, place in mine)
    raise LookupError(f"no UEFI firmware for {arch} in {places}; name one with {variable}=...")
