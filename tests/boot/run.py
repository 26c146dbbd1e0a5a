# SPDX-License-Identifier: BSD-2-Clause
"""Runs the boot tests: every case a QEMU of its own, two at a time, each with a time limit.

    python3 -m tests.boot.run [WORD ...]            only cases with every WORD in their name
    python3 -m tests.boot.run --sweep [WORD ...]    the long ones of sweep.py, one at a time
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
from tests.boot import schema  # noqa: E402
from tests.boot.case import BUILD, STREAMING  # noqa: E402

AT_ONCE = 2
MEMORY = "512M"  # unless a case says otherwise


def load_cases(files="cases*.py"):
    cases = []
    for path in sorted(pathlib.Path(__file__).parent.glob(files)):
        spec = importlib.util.spec_from_file_location(f"boot_{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        cases += module.CASES
    return cases


def boot_case(case, arch, out, made, before):
    """Boots; returns (result, what is wrong or "")."""
    options = {"mem": MEMORY, **case.guest}
    out.mkdir(parents=True)
    if case.prepare:
        options.update(case.prepare(arch, out))
    if made:
        options["pmem"] = [device.item for device in made] + list(options.get("pmem", ()))
    efi = BUILD / arch / "pagestamp.efi"
    # A case that makes volumes itself says results=False.
    with_results = options.pop("results", True)
    if case.config is not None:
        text = case.config
        if isinstance(text, str):
            text = text.replace("{nt}", STREAMING[arch])
        options["disk"] = guest.boot_image(out / "disk.img", {arch: efi}, text or None)
        with_results = False
    elif "disk" in options:
        with_results = False
    else:
        args = case.args.replace("{nt}", STREAMING[arch])
        if case.status is None:
            args = runner.add_missing(args, ["exit=qemu"])
        options.setdefault("efi", efi)
        options.setdefault("args", args)
    result = runner.boot(arch, out=out, timeout=case.timeout, results=with_results, **options)
    result.arch, result.out, result.devices, result.before = arch, out, made, before
    return result, wrong(case, result)


def compact(text):
    return re.sub(r"\s", "", text)


def wrong_verdict(case, result):
    """The last line, and the code that QEMU ended with."""
    if case.status is not None:
        lines = result.console.split("\n")
        if result.status != case.status:
            yield f"QEMU ended with {result.status}, expected {case.status} ({result.why})"
        if "pagestamp: pass" not in lines:
            yield "the console has no line 'pagestamp: pass'"
        return
    if not case.fails:
        if result.why:
            yield result.why
        return
    if not re.match(r"pagestamp: FAIL " + case.fails, result.why):
        yield f"expected 'pagestamp: FAIL {case.fails}', got: {result.why or 'it passed'}"
    code = guest.exit_code(result.arch, "tcg", result.status)
    if code != runner.FAIL_CODE:
        yield f"it ended with code {code}, not with that of a FAIL"


def wrong_report(result):
    """For the eye: 80 columns of plain ASCII, to the verdict."""
    for line in result.report.split("\npagestamp: pass\n")[0].splitlines():
        if len(line) > 80 or not all(" " <= c <= "~" for c in line):
            yield f"not a line of 80 plain columns: {line!r}"


def wrong_results(result):
    if result.results_text is None:
        return
    yield from schema.errors_of(result.results_text)[:8]
    console = result.console
    if runner.JSON_BEGIN in console:
        shown = console.split(runner.JSON_BEGIN)[-1].split(runner.JSON_END)[0].lstrip("\n")
        if shown != result.results_text:
            yield "results.json is not what the console shows"
    verdicts = re.findall(r"^pagestamp: (pass|FAIL)", console, re.M)
    said = [verdict.lower() for verdict in verdicts[-1:]]
    if result.results and [result.results.get("result")] != said:
        yield f"results.json says {result.results.get('result')}, the console {said}"


def wrong_writes(case, result):
    for i, made in enumerate(result.devices):
        allowed = case.may_write(result, i) if case.may_write and result.results else []
        beside = made.changed_beside(allowed)
        if beside:
            where = ", ".join(f"[{low:#x}, {high:#x})" for low, high in beside[:4])
            yield f"device {i} was written at {where}, which nobody allowed"


def wrong(case, result):
    """Everything that is not as the case says."""
    found = [*wrong_verdict(case, result), *wrong_report(result), *wrong_results(result)]
    found += wrong_writes(case, result)
    for pattern in case.says:
        if not re.search(pattern, result.console, re.M):
            found.append(f"the console has no line matching {pattern!r}")
    for pattern in case.never:
        match = re.search(pattern, result.console, re.M)
        if match:
            found.append(f"the console must not say {match[0]!r}")
    for text in case.explains:
        text = text.replace("{nt}", STREAMING[result.arch])
        if compact(text) not in compact(result.report):
            found.append(f"the report does not say {text!r}")
    if case.check and not found:
        answer = case.check(result)
        if answer:
            found.append(answer)
    if found and result.errors.strip():
        found.append("QEMU said: " + result.errors.strip())
    return "\n".join(found)


def run_case(case, arch, make_outcome):
    """The outcome of a case, and those of what else is tested of its boot."""
    name = f"boot {arch} {case.name}"
    why_not = case.skip(arch) if case.skip else None
    if why_not:
        return [make_outcome(name, skipped=1, detail=why_not)]
    out = BUILD / "test" / arch / re.sub(r"\W+", "-", case.name)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    seconds, boots, step, before = 0, 0, case, None
    try:
        made = [device.make(out / f"nvdimm{i}.img") for i, device in enumerate(case.devices)]
        while step:
            boots += 1
            result, bad = boot_case(step, arch, out / str(boots), made, before)
            seconds += result.wall
            if bad:
                break
            step, before = step.then, result
            for device in made if step else ():
                device.remember()
        more = [] if bad else [also(*test, arch, result, make_outcome) for test in case.also]
    except Exception:  # one broken case is a failed test, not the end of the run
        return [make_outcome(name, failed=1, detail=traceback.format_exc())]
    if bad:
        tail = "\n".join("| " + line for line in result.console.splitlines()[-12:])
        where = os.path.relpath(result.out / "console.log", ROOT)
        detail = f"{bad}\n{tail}\nsee {where}"
        if case.then:
            detail = f"boot {boots}, '{step.name}': {detail}"
        return [make_outcome(name, failed=1, detail=detail, seconds=seconds)]
    shutil.rmtree(out, ignore_errors=True)  # images; a failed case keeps them
    return [make_outcome(name, passed=1, seconds=seconds), *more]


def also(name, check, skip, arch, result, make_outcome):
    name = f"boot {arch} {name}"
    why_not = skip(arch) if skip else None
    if why_not:
        return make_outcome(name, skipped=1, detail=why_not)
    bad = check(result)
    if bad:
        return make_outcome(name, failed=1, detail=bad)
    return make_outcome(name, passed=1)


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


def outcomes(make_outcome, words=(), files="cases*.py", at_once=AT_ONCE):
    work = [
        (case, arch)
        for case in load_cases(files)
        for arch in case.archs
        if all(word in f"{arch} {case.name}" for word in words)
    ]
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        futures = [pool.submit(run_case, case, arch, make_outcome) for case, arch in work]
        for future in futures:  # in the order of the list, so that two runs compare
            yield from future.result()
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
    words = sys.argv[1:]
    kind = {}
    if words[:1] == ["--sweep"]:
        words, kind = words[1:], {"files": "sweep.py", "at_once": 1}
    bad = 0
    for outcome in outcomes(Plain, words, **kind):
        state = "FAIL" if outcome.failed else "skip" if outcome.skipped else "ok"
        print(f"{state:4}  {outcome.name:52} {outcome.seconds:6.1f} s", flush=True)
        for line in outcome.detail.splitlines():
            print(f"      {line}")
        bad += outcome.failed
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
