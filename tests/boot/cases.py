# SPDX-License-Identifier: BSD-2-Clause
"""The first cases: the program lives, on every way in. More in cases_*.py beside this."""

from tests.boot.case import Case


def written_to_volume(result):
    if result.results is None:
        return "no results file"
    if result.results_from != "image":
        return "results.json is not on the volume"
    return ""


def at_level(level):
    """Rows of two experiments, in RAM and on the device, at this exception level."""

    def check(result):
        el = result.results["machine"]["el"]
        if el != level:
            return f"machine.el is {el}"
        verified = [run["verified"] for run in result.results["runs"]]
        return "" if len(verified) == 4 * 7 and all(verified) else f"verified: {verified}"

    return Case(
        f"at EL{level}",
        archs=("arm64",),
        args="rebinds=1 experiment=fsdax,devdax-2m map=both write=pmem0 copy=plain,stnp,auto",
        guest={"el2": level == 2, "pmem": ["256M"]},
        check=check,
    )


CASES = [
    Case(
        "alive and pass",
        args="list",
        says=(r"^pagestamp \S+ (x86_64|arm64): alive$", r"^pagestamp: pass$"),
        check=written_to_volume,
    ),
    at_level(1),
    at_level(2),
    Case("booted by the firmware", config="list\nexit=qemu\n", check=written_to_volume),
]
