# SPDX-License-Identifier: BSD-2-Clause
"""Runs the boot tests: every case a QEMU of its own, two at a time, each with a time limit.

    python3 -m tests.boot.run [WORD ...]      only cases with a WORD in their name
"""

import concurrent.futures
import dataclasses
import importlib.util
import os
import pathlib
import re
import shutil
import signal
import sys
import traceback

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT)]

import guest  # noqa: E402
import run as runner  # noqa: E402

AT_ONCE = 2
MEMORY = "512M"  # unless a case says otherwise


def load_cases():
    cases = []
    for path in sorted(pathlib.Path(__file__).parent.glob("cases*.py")):
        spec = importlib.util.spec_from_file_location(f"boot_{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        cases += module.CASES
    return cases


def boot_case(case, arch, out):
    """Boots; returns (result, what is wrong or "")."""
    options = {"mem": MEMORY, **case.guest}
    out.mkdir(parents=True)
    if case.prepare:
        options.update(case.prepare(arch, out))
    efi = ROOT / "build" / arch / "pagestamp.efi"
    with_results = True
    if case.config is not None:
        options["disk"] = guest.boot_image(out / "disk.img", {arch: efi}, case.config or None)
        with_results = False
    elif "disk" not in options:
        args = case.args
        options.setdefault("efi", efi)
        if isinstance(args, str):
            args = runner.add_missing(args, ["exit=qemu"])
        options.setdefault("args", args)
    result = runner.boot(arch, out=out, timeout=case.timeout, results=with_results, **options)
    return result, wrong(case, result)


def wrong(case, result):
    """Everything that is not as the case says."""
    found = []
    if case.fails:
        if not re.match(r"pagestamp: FAIL " + case.fails, result.why):
            got = result.why or "it passed"
            found.append(f"expected 'pagestamp: FAIL {case.fails}', got: {got}")
    elif result.why:
        found.append(result.why)
    for pattern in case.says:
        if not re.search(pattern, result.console, re.M):
            found.append(f"the console has no line matching {pattern!r}")
    for pattern in case.never:
        match = re.search(pattern, result.console, re.M)
        if match:
            found.append(f"the console must not say {match[0]!r}")
    if case.check and not found:
        answer = case.check(result)
        if answer:
            found.append(answer)
    if found and result.errors.strip():
        found.append("QEMU said: " + result.errors.strip())
    return "\n".join(found)


def run_case(case, arch, make_outcome):
    name = f"boot {arch} {case.name}"
    why_not = case.skip(arch) if case.skip else None
    if why_not:
        return make_outcome(name, skipped=1, detail=why_not)
    out = ROOT / "build/test" / arch / re.sub(r"\W+", "-", case.name)
    shutil.rmtree(out, ignore_errors=True)
    try:
        result, bad = boot_case(case, arch, out)
    except Exception:  # one broken case is a failed test, not the end of the run
        return make_outcome(name, failed=1, detail=traceback.format_exc())
    if bad:
        tail = "\n".join("| " + line for line in result.console.splitlines()[-12:])
        where = os.path.relpath(out / "console.log", ROOT)
        return make_outcome(
            name, failed=1, detail=f"{bad}\n{tail}\nsee {where}", seconds=result.wall
        )
    shutil.rmtree(out, ignore_errors=True)  # images; a failed case keeps them
    return make_outcome(name, passed=1, seconds=result.wall)


def left_behind():
    """QEMUs of ours that are still there."""
    alive = []
    for group in runner.started:
        try:
            os.killpg(group, 0)
            alive.append(group)
        except (ProcessLookupError, PermissionError):
            pass
    return alive


def outcomes(make_outcome, words=()):
    work = [
        (case, arch)
        for case in load_cases()
        for arch in case.archs
        if all(word in f"{arch} {case.name}" for word in words)
    ]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        futures = [pool.submit(run_case, case, arch, make_outcome) for case, arch in work]
        for future in futures:  # in the order of the list, so that two runs compare
            yield future.result()
    alive = left_behind()
    if alive:
        yield make_outcome("boot: no process left behind", failed=1, detail=f"groups {alive}")
    else:
        yield make_outcome("boot: no process left behind", passed=1)


def stop_on_signals():
    """An interrupt ends the QEMUs, then this process; no pool is waited for."""

    def stop(number, _frame):
        runner.kill_started()
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


def main():
    @dataclasses.dataclass
    class Plain:
        name: str
        passed: int = 0
        failed: int = 0
        skipped: int = 0
        detail: str = ""
        seconds: float = 0.0

    stop_on_signals()
    bad = 0
    for outcome in outcomes(Plain, sys.argv[1:]):
        state = "FAIL" if outcome.failed else "skip" if outcome.skipped else "ok"
        print(f"{state:4}  {outcome.name:52} {outcome.seconds:6.1f} s", flush=True)
        for line in outcome.detail.splitlines():
            print(f"      {line}")
        bad += outcome.failed
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
