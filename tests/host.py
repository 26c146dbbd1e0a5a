# SPDX-License-Identifier: BSD-2-Clause
"""`make bench`: on this machine, and the other architecture's program under qemu-user.

Speed is nobody's test: what is looked at is that every row is proved, that the results are
what docs/results.md says, and that a budget is kept.
"""

import concurrent.futures
import json
import os
import platform
import shutil
import time

from tests.boot import schema

LIMIT_SECONDS = 300
NATIVE = "arm64" if platform.machine() == "aarch64" else "x86_64"
GNU = {"x86_64": "x86_64", "arm64": "aarch64"}
# A second's work: every step of the matrix is beyond it, and is to make do with the least.
BUDGET = ["quick", "budget=1"]
# 1 MiB of descriptors: every copy, every kind of memmap.
SMALL = ["range=pmem3", "rebinds=1"]
LEAST_REBINDS = 3
MOST_REBINDS = 30


def budget_kept(results):
    """Where a repetition takes a good part of a second."""
    large = [run for run in results["runs"] if run["cell"].startswith("memmap/")]
    if not large:
        return "no row of memmap"
    most = max(run["rebind_ns"]["n"] for run in large)
    least = min(run["rebind_ns"]["n"] for run in results["runs"] if run["experiment"] != "pte")
    if least < LEAST_REBINDS:
        return f"{least} rebinds: {LEAST_REBINDS} are the least"
    if most >= MOST_REBINDS:
        return f"{most} rebinds of a table that one second is too short for"
    return ""


def whole_sweep(results):
    wanted = {"fsdax", "devdax-2m", "hugetlb", "memmap", "pte"}
    missing = wanted - {run["experiment"] for run in results["runs"]}
    return f"no row of {', '.join(sorted(missing))}" if missing else ""


def wrong_with(status, output, out, check):
    """What is wrong with this run, or ""."""
    last = output.strip().splitlines()[-1:]
    if status or last != ["pagestamp: pass"]:
        return f"status {status}, the last line is {last}"
    text = (out / "results.json").read_text()
    wrong = schema.errors_of(text)
    if wrong:
        return "\n".join(wrong)
    results = json.loads(text)
    unproved = [run["cell"] for run in results["runs"] if not run["verified"]]
    return f"not proved: {unproved[0]}" if unproved else check(results)


def emulator(arch):
    """(command, None), or (None, why there is none)."""
    gnu = GNU[arch]
    root = f"/usr/{gnu}-linux-gnu"
    command = shutil.which(f"qemu-{gnu}")
    if not command:
        return None, f"qemu-{gnu} is not installed (package qemu-user)"
    if not os.path.isdir(root):
        return None, f"no C library for {arch} in {root}"
    return [command, "-L", root], None


def works():
    """(name, make's variables, program, command before it, options, check, why skipped)"""
    other = "x86_64" if NATIVE == "arm64" else "arm64"
    before, why = emulator(other)
    variables = [
        f"HOST_BUILD=build/host-{other}",
        f"HOST_ARCH={other}",
        f"HOST_CC={GNU[other]}-linux-gnu-gcc",
    ]
    yield f"bench {NATIVE}: quick", [], "build/host", [], BUDGET, budget_kept, None
    name = f"bench {other} under qemu-user"
    yield name, variables, f"build/host-{other}", before, SMALL, whole_sweep, why


def wrong_of(root, out, command, make, work):
    _, variables, directory, before, options, check, _ = work
    program = f"{directory}/pagestamp"
    out = out / directory
    out.mkdir(parents=True, exist_ok=True)
    status, output = command(make(*variables, program))
    if status:
        return output.strip()
    run = [*before, str(root / program), str(out), *options]
    return wrong_with(*command(run, timeout=LIMIT_SECONDS), out, check)


def outcome_of(outcome_type, root, out, command, make, work):
    name, *_, why = work
    if why:
        return outcome_type(name, skipped=1, detail=why)
    start = time.monotonic()
    wrong = wrong_of(root, out, command, make, work)
    spent = time.monotonic() - start
    return outcome_type(
        name, passed=0 if wrong else 1, failed=1 if wrong else 0, detail=wrong, seconds=spent
    )


def outcomes(outcome_type, root, out, command, make):
    """Both at once: two CPUs. `command` and `make` are tests/run.py's."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        yield from pool.map(
            lambda work: outcome_of(outcome_type, root, out, command, make, work), works()
        )
