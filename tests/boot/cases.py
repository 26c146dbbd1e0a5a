# SPDX-License-Identifier: BSD-2-Clause
"""The first cases: the program lives, on every way in. More in cases_*.py beside this."""

from tests.boot.case import Case


def written_to_volume(result):
    if result.results is None:
        return "no results file"
    if result.results_from != "image":
        return "results.json is not on the volume"
    if result.results.get("schema") != "pagestamp/1":
        return f"schema is {result.results.get('schema')!r}"
    return ""


CASES = [
    Case(
        "alive and pass",
        args="list",
        says=(r"^pagestamp \S+ (x86_64|arm64): alive$", r"^pagestamp: pass$"),
        check=written_to_volume,
    ),
    Case("at EL2", archs=("arm64",), args="list", guest={"el2": True}, check=written_to_volume),
    Case("booted by the firmware", config="list\nexit=qemu\n", check=written_to_volume),
]
