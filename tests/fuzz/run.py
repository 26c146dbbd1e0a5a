# SPDX-License-Identifier: BSD-2-Clause
"""Runs the fuzzers of tests/fuzz/, one after the other, and says what each one reached.

    python3 -m tests.fuzz.run [SECONDS [WORD ...]]     only parsers with a WORD in their name

A crash, a leak, a hang or a sanitizer's report fails, and leaves its input in
build/fuzz/found/. What a run learns stays in build/fuzz/corpus/ and the next one begins there.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from tests.fuzz import seeds

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build/fuzz"
HANG_SECONDS = 30  # of the wall: one input takes milliseconds, a busy machine stands still for seconds
MEMORY_MB = 1024
SMOKE_RUNS = 20000  # from one seed: the same inputs every time, in about a second


def why_not():
    """Why nothing can be fuzzed here, or None."""
    if not shutil.which("clang"):
        return "clang is not installed"
    empty = "int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }"
    with tempfile.TemporaryDirectory() as directory:
        linked = subprocess.run(
            ["clang", "-fsanitize=fuzzer,address,undefined", "-xc", "-", "-o", f"{directory}/empty"],
            input=empty.encode(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    return "clang's fuzzer runtime is missing (package libclang-rt-dev)" if linked.returncode else None


def build():
    """(status, output)"""
    jobs = f"-j{os.cpu_count() or 1}"
    done = subprocess.run(
        ["make", "--no-print-directory", jobs, "fuzzers"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def parsers():
    return sorted(path.stem.removeprefix("fuzz_") for path in (ROOT / "tests/fuzz").glob("fuzz_*.c"))


def figures(output):
    """What libFuzzer says of a run: (executions, executions a second, edges, edges there are)."""

    def last(pattern):
        found = re.findall(pattern, output)
        return int(found[-1]) if found else 0

    return (
        last(r"stat::number_of_executed_units:\s+(\d+)"),
        last(r"stat::average_exec_per_sec:\s+(\d+)"),
        last(r"\bcov: (\d+)"),
        last(r"INFO: Loaded \d+ PC tables \((\d+) PCs\)"),
    )


def fuzz(parser, seconds, corpus, *more):
    """(figures, what is wrong or "")"""
    seed_files, found = BUILD / "seeds" / parser, BUILD / "found"
    for directory in (corpus, found):
        directory.mkdir(parents=True, exist_ok=True)
    seeds.write(parser, seed_files)
    command = [
        str(BUILD / f"fuzz_{parser}"),
        f"-max_total_time={seconds}",
        f"-timeout={HANG_SECONDS}",
        f"-rss_limit_mb={MEMORY_MB}",
        f"-artifact_prefix={found}/{parser}-",
        "-print_final_stats=1",
        f"-max_len={seeds.longest(parser)}",
        *more,
        str(corpus),
        str(seed_files),
    ]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds + 60,
        )
    except subprocess.TimeoutExpired:
        return (0, 0, 0, 0), f"no end after {seconds + 60} s"
    output = done.stdout.decode(errors="replace")
    reached = figures(output)
    if done.returncode != 0:
        # Without the progress before it: the report of a sanitizer or of libFuzzer itself.
        return reached, output[max(output.find("\n=="), 0) :].strip()
    if not reached[0] or not reached[2]:
        return reached, f"executed nothing:\n{output}"
    return reached, ""


def outcomes(Outcome):
    """The smoke test of `make test`: the same inputs every time."""
    missing = why_not()
    if missing:
        yield Outcome("fuzz", skipped=1, detail=missing)
        return
    status, output = build()
    if status != 0:
        yield Outcome("fuzz build", failed=1, detail=output.strip())
        return
    for parser in parsers():
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as corpus:
            _, wrong = fuzz(parser, 60, pathlib.Path(corpus), f"-runs={SMOKE_RUNS}", "-seed=1")
        spent = time.monotonic() - start
        yield Outcome(f"fuzz {parser}", int(not wrong), int(bool(wrong)), detail=wrong, seconds=spent)


def main():
    seconds, words = int((sys.argv[1:2] or ["60"])[0]), sys.argv[2:]
    missing = why_not()
    if missing:
        sys.exit(f"fuzz: {missing}")
    status, output = build()
    if status != 0:
        sys.exit(output)
    bad = []
    print(f"{'parser':14} {'executions':>12} {'a second':>9}  edges reached")
    for parser in parsers():
        if words and not any(word in parser for word in words):
            continue
        (runs, rate, edges, there), wrong = fuzz(parser, seconds, BUILD / "corpus" / parser)
        share = f"{edges} of {there} ({100 * edges // max(there, 1)} %)"
        print(f"{parser:14} {runs:12,} {rate:9,}  {share}{'  FAILED' if wrong else ''}", flush=True)
        if wrong:
            print(wrong)
            bad.append(parser)
    if bad:
        sys.exit(f"failed: {', '.join(bad)}; inputs in build/fuzz/found/")


if __name__ == "__main__":
    main()
