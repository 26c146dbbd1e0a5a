#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""`make check` and `make test`: runs everything, counts it, and says so in the last line.

    tests/run.py check|test [WORD ...]      only what has a WORD in its name

Each piece below yields Outcome objects as it goes; nothing here stops at a failure.
"""

import dataclasses
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT)]

from tests import host  # noqa: E402
from tests.boot import bochs, faults  # noqa: E402
from tests.boot import run as boot  # noqa: E402
from tests.fuzz import run as fuzz  # noqa: E402

ARCHS = ("x86_64", "arm64")
# Other versions lay code out differently; the tree follows this one.
CLANG_FORMAT_VERSION = "14"
DETAIL_LINES = 40  # of one failure


@dataclasses.dataclass
class Outcome:
    name: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    detail: str = ""  # what failed, or why it was skipped
    seconds: float = 0.0


def command(arguments, timeout=600, **options):
    """(status, output); a time-out is a failure that says so."""
    try:
        done = subprocess.run(
            arguments,
            cwd=options.pop("cwd", ROOT),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            **options,
        )
    except subprocess.TimeoutExpired as error:
        return 124, (error.output or b"").decode(errors="replace") + f"\nno end after {timeout} s"
    return done.returncode, done.stdout.decode(errors="replace")


def one(name, arguments, **options):
    """One command, one result."""
    start = time.monotonic()
    status, output = command(arguments, **options)
    spent = time.monotonic() - start
    if status == 0:
        return Outcome(name, passed=1, seconds=spent)
    return Outcome(name, failed=1, detail=output.strip(), seconds=spent)


def make(*arguments):
    return ["make", "--no-print-directory", f"-j{os.cpu_count() or 1}", *arguments]


def sources(*patterns):
    """Files of the tree, without what is generated or fetched."""
    found = []
    for directory, below, files in os.walk(ROOT):
        below[:] = sorted(d for d in below if d not in ("build", ".cache", ".git", "__pycache__"))
        for name in sorted(files):
            path = pathlib.Path(directory, name)
            if any(path.match(pattern) for pattern in patterns):
                found.append(str(path.relative_to(ROOT)))
    return found


# ---- Pieces ------------------------------------------------------------------


def style():
    version = command(["clang-format", "--version"])[1]
    if f"version {CLANG_FORMAT_VERSION}." not in version:
        why = f"{version.strip()}; the tree follows version {CLANG_FORMAT_VERSION}"
        yield Outcome("clang-format", skipped=1, detail=why)
    else:
        files = sources("*.c", "*.h")
        yield one("clang-format", ["clang-format", "--dry-run", "-Werror", *files])
    scripts = [
        path
        for path in sources("*.sh", ".ci/*", "lab/*")
        if (ROOT / path).read_bytes()[:64].split(b"\n")[0].startswith((b"#!/bin/sh", b"#!/bin/bash"))
    ]
    yield one("shellcheck", ["shellcheck", *scripts])
    unmarked = [
        path
        for path in sources("*.c", "*.h", "*.S", "*.py", "*.sh", "*.mk", "*.lds", "Makefile")
        if b"SPDX-License-Identifier: BSD-2-Clause" not in (ROOT / path).read_bytes()[:300]
    ]
    detail = "no SPDX header: " + " ".join(unmarked)
    yield Outcome("licence headers", failed=1, detail=detail) if unmarked else Outcome(
        "licence headers", passed=1
    )


def lint(target):
    yield one(f"clang-tidy ({target})", make("-k", target))


def unit_tests():
    built = one("unit tests build", make("-k", "unit"))
    if built.failed:
        yield built
    for source in sorted((ROOT / "tests/unit").glob("test_*.c")):
        program = ROOT / "build/unit" / source.stem
        name = f"unit {source.stem.removeprefix('test_')}"
        # A program left from before the failed build would test something else.
        if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
            yield Outcome(name, failed=1, detail="did not build")
            continue
        start = time.monotonic()
        status, output = command(
            [str(program)],
            timeout=120,
            env={**os.environ, "CMOCKA_MESSAGE_OUTPUT": "TAP", "UBSAN_OPTIONS": "print_stacktrace=1"},
        )
        passed = len(re.findall(r"^ok \d+", output, re.M))
        skipped = re.findall(r"^ok \d+.*# SKIP.*|^not ok \d+.*# SKIP.*", output, re.M)
        failed = len(re.findall(r"^not ok \d+", output, re.M))
        passed -= len([line for line in skipped if line.startswith("ok")])
        if status != 0 and not failed:
            failed = 1  # a sanitizer's report, a crash, a time-out
        if status == 0 and not passed:
            failed, output = 1, output + "\nran no test"
        yield Outcome(
            name, passed, failed, len(skipped), output.strip() if failed else "\n".join(skipped),
            time.monotonic() - start,
        )


def tool_tests():
    """tests/tools/test_*.py: the Python of this tree."""
    suite = unittest.defaultTestLoader.discover(
        str(ROOT / "tests/tools"), pattern="test_*.py", top_level_dir=str(ROOT / "tests/tools")
    )
    start = time.monotonic()
    result = unittest.TestResult()
    suite.run(result)
    bad = result.failures + result.errors
    yield Outcome(
        "tools (python)",
        result.testsRun - len(bad) - len(result.skipped),
        len(bad),
        len(result.skipped),
        "\n".join([f"{test}: {text}" for test, text in bad] + [why for _, why in result.skipped]),
        time.monotonic() - start,
    )


def builds():
    """Both at once: a first build has two C libraries to build, which configure one step a time."""
    yield one(f"build {' and '.join(ARCHS)}", make("ARCH=all", "build", "memory-images", "fault-images"))


def fault_sample():
    """A few of the faults of `make faults`."""
    if all(faults.image(arch).exists() for arch in ARCHS):
        yield from faults.outcomes(Outcome)
    else:
        yield Outcome("fault images", failed=1, detail="nothing was built")


def reproducible():
    """The same tree elsewhere gives the same image, to the byte."""
    for arch in ARCHS:
        name, start = f"reproducible {arch}", time.monotonic()
        here = ROOT / "build" / arch / "pagestamp.efi"
        if not here.exists():
            yield Outcome(name, failed=1, detail="nothing was built")
            continue
        with tempfile.TemporaryDirectory() as directory:
            copy = pathlib.Path(directory, "elsewhere/checkout")
            shutil.copytree(
                ROOT, copy, ignore=shutil.ignore_patterns("build", ".cache", ".git", "__pycache__")
            )
            (copy / ".cache").symlink_to(ROOT / ".cache")
            # The copy is no git checkout: it is told what git would have said.
            version = (ROOT / f"build/{arch}/version-generated.h").read_text().split('"')[1]
            status, output = command(
                make(f"ARCH={arch}", f"VERSION={version}", "build"),
                cwd=copy,
                env={**os.environ, "SOURCE_DATE_EPOCH": epoch()},
            )
            there = copy / "build" / arch / "pagestamp.efi"
            if status != 0:
                yield Outcome(name, failed=1, detail=output.strip())
                continue
            same = digest(here) == digest(there)
        spent = time.monotonic() - start
        if same:
            yield Outcome(name, passed=1, seconds=spent)
        else:
            yield Outcome(name, failed=1, detail="the images differ", seconds=spent)


def epoch():
    return os.environ.get("SOURCE_DATE_EPOCH") or command(["git", "log", "-1", "--format=%ct"])[1].strip()


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


# ---- Driver ------------------------------------------------------------------


def pieces(mode, words):
    if mode == "check":
        yield from style()
        yield from lint("lint")
        yield from unit_tests()
        yield from tool_tests()
        return
    yield from builds()
    yield from style()
    yield from lint("lint")
    yield from unit_tests()
    yield from tool_tests()
    yield from fuzz.outcomes(Outcome)
    yield from boot.outcomes(Outcome, words)
    yield from fault_sample()
    yield from bochs.outcomes(Outcome, ROOT / "build/test/bochs")
    yield from host.outcomes(Outcome, ROOT, ROOT / "build/test/host", command, make)
    yield from reproducible()


def show(outcome):
    state = "FAIL" if outcome.failed else "skip" if outcome.skipped and not outcome.passed else "ok"
    count = outcome.passed + outcome.failed + outcome.skipped
    many = f" ({count})" if count != 1 else ""
    print(f"{state:4}  {outcome.name + many:52} {outcome.seconds:6.1f} s", flush=True)
    if outcome.detail and (outcome.failed or outcome.skipped):
        lines = outcome.detail.splitlines()
        for line in lines[:DETAIL_LINES]:
            print(f"      {line}")
        if len(lines) > DETAIL_LINES:
            print(f"      ... and {len(lines) - DETAIL_LINES} more lines")


def main():
    mode, words = (sys.argv[1:2] or [""])[0], sys.argv[2:]
    if mode not in ("check", "test"):
        sys.exit("usage: tests/run.py check|test [WORD ...]")
    boot.stop_on_signals()
    outcomes = []
    for outcome in pieces(mode, words):
        show(outcome)
        outcomes.append(outcome)

    passed, failed, skipped = (
        sum(getattr(o, key) for o in outcomes) for key in ("passed", "failed", "skipped")
    )
    bad = [o.name for o in outcomes if o.failed]
    left_out = [o for o in outcomes if o.skipped]
    if bad:
        print("\nfailed: " + ", ".join(bad))
    if left_out:
        print("\nskipped:")
        for o in left_out:
            print(f"  {o.name}: {o.detail.splitlines()[0] if o.detail else 'no reason given'}")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
