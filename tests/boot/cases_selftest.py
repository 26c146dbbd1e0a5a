# SPDX-License-Identifier: BSD-2-Clause
"""The in-program tests on several CPUs, and at both exception levels."""

import re

from tests.boot.case import Case
from tests.boot.devices import MIB, Device

# Copies that a CPU is known to have or to lack, by name.
COPIES = {
    "qemu64": ({"plain", "movq", "movnti", "movntdq-xmm"}, {"movntdq-ymm", "movq-clwb"}),
    "Haswell": ({"movntdq-ymm", "rep-movsb"}, {"movq-clwb", "movntdq-zmm"}),
    "max": ({"plain"}, set()),
    "cortex-a72": ({"stp", "stnp", "stnp-q"}, {"sve-st1", "sve-stnt1"}),
    "neoverse-n1": ({"stp", "stnp", "stnp-q"}, {"sve-st1", "sve-stnt1"}),
}


def ktap(cpu):
    """Every line numbered, every one ok, and as many as the plan says."""

    def check(result):
        lines = result.report.splitlines()
        numbers = [int(n) for line in lines for n in re.findall(r"^(?:not )?ok (\d+) ", line)]
        plans = [int(n) for line in lines for n in re.findall(r"^1\.\.(\d+)$", line)]
        bad = [line for line in lines if line.startswith("not ok")]
        if bad:
            return f"{len(bad)} failed, first: {bad[0]}"
        if len(plans) != 1 or numbers != list(range(1, plans[0] + 1)):
            return f"{len(numbers)} results, plan {plans}"
        if len(numbers) < 40:
            return f"only {len(numbers)} tests"
        names = set(re.findall(r"^ok \d+ copy: (\S+)", result.report, re.M))
        has, lacks = COPIES[cpu]
        if not has <= names or names & lacks:
            return f"copies tested on {cpu}: {sorted(names)}"
        return ""

    return check


def case(arch, cpu, name="", **options):
    return Case(
        f"selftest on {cpu}{name}",
        archs=(arch,),
        args="selftest",
        says=(r"^KTAP version 1$", r"^# Totals: pass:\d+ fail:0 "),
        guest={"cpu": cpu, **options},
        devices=(Device(128 * MIB, head="raw-ext4"), Device(128 * MIB)),  # none of it may change
        check=ktap(cpu.split(",")[0]),
    )


CASES = [
    case("x86_64", "max"),
    case("x86_64", "qemu64"),
    case("x86_64", "Haswell"),
    case("arm64", "max,pauth-impdef=on"),
    case("arm64", "max,pauth-impdef=on", " at EL2", el2=True),
    case("arm64", "cortex-a72"),
    case("arm64", "cortex-a72", " at EL2", el2=True),
    case("arm64", "neoverse-n1"),
]
