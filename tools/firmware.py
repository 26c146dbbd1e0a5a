# SPDX-License-Identifier: BSD-2-Clause
"""Finds the UEFI firmware image that QEMU boots: tools/firmware.txt, or a variable."""

import os
import pathlib

LIST = pathlib.Path(__file__).with_name("firmware.txt")


def find(arch):
    """The path, or LookupError saying what was looked for."""
    rows = [line.split() for line in LIST.read_text().splitlines() if line[:1] != "#"]
    rows = [row for row in rows if row[0] == arch]
    variable = rows[0][1]
    named = os.environ.get(variable)
    if named:
        if os.path.isfile(named):
            return named
        raise LookupError(f"{variable}={named}: no such file; expected a UEFI image for {arch}")
    for _, _, place in rows:
        if os.path.isfile(place):
            return place
    places = ", ".join(place for _, _, place in rows)
    raise LookupError(f"no UEFI firmware for {arch} in {places}; name one with {variable}=...")
