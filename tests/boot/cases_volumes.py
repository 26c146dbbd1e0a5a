# SPDX-License-Identifier: BSD-2-Clause
"""Volumes that do not take the results: full, write-protected, none. The older files stay."""

import re

import guest
from tests.boot.case import Case

OLD = b'{ "what": "an older run measured" }\n'
# Room for a FAT, two files' names and not for the results.
SMALL_KIB = 64


def volume(out, *, kib=None, write_protected=False):
    """A volume with an older run's file; QEMU's arguments for it."""
    path = out / "volume.img"
    if kib:
        guest.mtools("mformat", "-C", "-T", str(kib * 2), "-v", "FULL", "-i", str(path), "::")
        guest.mtools("mmd", "-i", str(path), "::/pagestamp")
    else:
        guest.results_image(path)
    guest.mtools("mcopy", "-i", str(path), "-", "::/pagestamp/results-1.json", data=OLD)
    free = re.search(r"([\d ]+) bytes free", guest.mtools("mdir", "-i", str(path), "::/").decode())
    if kib:
        filler = bytes(int(free[1].replace(" ", "")) - 1024)
        guest.mtools("mcopy", "-i", str(path), "-", "::/filler", data=filler)
    readonly = ",readonly=on" if write_protected else ""
    return [
        *("-drive", f"file={path},format=raw,if=none,id=volume{readonly}"),
        *("-device", "virtio-blk-pci,drive=volume"),
    ]


def files(result):
    path = str(result.out / "volume.img")
    names = guest.mtools("mdir", "-b", "-i", path, "::/pagestamp/").decode().split()
    return {name.split("/")[-1]: guest.mtools("mtype", "-i", path, name) for name in names}


def untouched(result):
    found = files(result)
    if found != {"results-1.json": OLD}:
        return f"on the volume: { {name: len(data) for name, data in found.items()} }"
    return "" if result.results_from == "console" else "no JSON on the console"


def case(name, why, check=untouched, **how):
    return Case(
        f"results volume: {name}",
        args="list",
        # None of the runner's own: this is the only volume but that of -kernel.
        prepare=lambda _, out: {"extra": volume(out, **how), "results": False},
        explains=("other volumes with a \\pagestamp directory: " + why + "pagestamp: pass",),
        check=check,
    )


def only_console(result):
    return "" if result.results_from == "console" else "no JSON on the console"


CASES = [
    case("full", "volume full", kib=SMALL_KIB),
    case("write-protected", "write-protected", write_protected=True),
    Case(
        "results volume: none",
        args="list",
        prepare=lambda *_: {"results": False},
        explains=("other volumes with a \\pagestamp directory: not found",),
        check=only_console,
    ),
]
