# SPDX-License-Identifier: BSD-2-Clause
"""What a boot test is: data, in the lists CASES of the files tests/boot/cases*.py."""

import dataclasses
import os
import pathlib
from typing import Callable, Optional

# Where <arch>/pagestamp.efi is; another directory to test what was built elsewhere.
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BOOT_BUILD") or ROOT / "build").resolve()
BOTH = ("x86_64", "arm64")
# Each architecture's own streaming copy: "{nt}" in `args` and `config`.
STREAMING = {"x86_64": "movnti", "arm64": "stnp"}


@dataclasses.dataclass
class Case:
    name: str
    archs: tuple = BOTH  # one boot on each
    args: str = ""  # the program's options; exit=qemu is added unless it says exit=
    fails: str = ""  # a regular expression: FAIL is right, and the last line matches it
    says: tuple = ()  # regular expressions that the console must match, line by line
    never: tuple = ()  # and that it must not
    explains: tuple = ()  # texts that the report holds somewhere, however its lines are broken
    # check(result) with run.Result; returns what is wrong, or "" or None. Gets the report
    # as result.report, results.json as result.results (None when there are none), and
    # result.arch, result.out (a directory), result.devices (devices.Made).
    check: Optional[Callable] = None
    timeout: float = 120
    guest: dict = dataclasses.field(default_factory=dict)  # guest.command()'s: pmem=, mem=, ...
    # devices.Device: made afresh, the guest's NVDIMMs. No byte of them may be changed but
    # those that may_write(result, i) allows of device i: a list of (begin, end).
    devices: tuple = ()
    may_write: Optional[Callable] = None
    # Boot as firmware does, from a disk image, with this text as pagestamp.conf ("" = none).
    config: Optional[str] = None
    # prepare(arch, out) -> dict merged into `guest`: makes files in directory `out` first.
    prepare: Optional[Callable] = None
    # skip(arch) -> why this machine cannot run it, or None.
    skip: Optional[Callable] = None
    # QEMU's status where the program is not asked to leave through the exit device.
    status: Optional[int] = None
    # A further boot on the same devices, as this one left them; its check() finds this
    # one's result as result.before.
    then: Optional["Case"] = None
    # (name, check, skip): further tests of the same boot.
    also: tuple = ()
