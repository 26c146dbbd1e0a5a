# SPDX-License-Identifier: BSD-2-Clause
"""What a boot test is: data, in the lists CASES of the files tests/boot/cases*.py."""

import dataclasses
from typing import Callable, Optional

BOTH = ("x86_64", "arm64")


@dataclasses.dataclass
class Case:
    name: str
    archs: tuple = BOTH  # one boot on each
    args: str = ""  # the program's options; exit=qemu is added unless it says exit=
    fails: str = ""  # a regular expression: FAIL is right, and the last line matches it
    says: tuple = ()  # regular expressions that the console must match, line by line
    never: tuple = ()  # and that it must not
    # check(result) with run.Result; returns what is wrong, or "" or None. Gets the report
    # as result.report and results.json as result.results (None when there are none).
    check: Optional[Callable] = None
    timeout: float = 60
    guest: dict = dataclasses.field(default_factory=dict)  # guest.command()'s: pmem=, mem=, el2=, ...
    # Boot as firmware does, from a disk image, with this text as pagestamp.conf ("" = none).
    config: Optional[str] = None
    # prepare(arch, out) -> dict merged into `guest`: makes files in directory `out` first.
    prepare: Optional[Callable] = None
    # skip(arch) -> why this machine cannot run it, or None.
    skip: Optional[Callable] = None
