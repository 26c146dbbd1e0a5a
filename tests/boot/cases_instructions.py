# SPDX-License-Identifier: BSD-2-Clause
"""Exact instructions a page, under -icount: no noise, so any change is a change of the code.

    make instructions       writes what this compiler's build does into instructions.json

C rows hold for one compiler version; another one is skipped with that reason. The base
is also held against Linux 6.12 itself, within 20 %, whatever the compiler.
"""

import json
import pathlib
import shutil
import subprocess

from tests.boot.case import Case

TABLE = pathlib.Path(__file__).with_name("instructions.json")
EXPERIMENTS = ("fsdax", "devdax-2m")
# Linux 6.12 in the same emulator: tests/data/linux-struct-page/README.md.
LINUX = {
    "x86_64": {"fsdax": 49.2, "devdax-2m": 60.4},
    "arm64": {"fsdax": 49.3, "devdax-2m": 56.5},
}
TOLERANCE = 0.011  # the file keeps two digits; the counter's frequency is known to 10 ppm
# 32-byte stores and pairs of Q registers, an order-0 run: stores and a shared loop end.
AT_MOST = {
    "x86_64": {"stamp movdqa-ymm": 2.5, "stamp movntdq-ymm": 2.5},
    "arm64": {"stamp stp-q": 2.5, "stamp stnp-q": 2.5},
}
ARGS = "experiment=fsdax,devdax-2m,pte dax_vmemmap=full rebinds=1 verify=off"


def name_of(run):
    return f"{run['method']} {run['copy']}" if run["copy"] else run["method"]


def counted(results):
    """{experiment: {row: instructions a page}} of a run."""
    table = {experiment: {} for experiment in EXPERIMENTS}
    for run in results["runs"]:
        if run["experiment"] in EXPERIMENTS and run["copy"] != "auto":
            table[run["experiment"]][name_of(run)] = round(run["instructions_per_page"], 2)
    return table


def known():
    return json.loads(TABLE.read_text()) if TABLE.exists() else {}


def base_like_linux(result):
    wrong = []
    for experiment, linux in LINUX[result.results["arch"]].items():
        base = counted(result.results)[experiment]["base"]
        if not 0.8 * linux <= base <= 1.2 * linux:
            wrong.append(f"{experiment}: base {base}, Linux {linux}")
    return wrong


def few_enough(result):
    fsdax = counted(result.results)["fsdax"]
    limits = AT_MOST[result.results["arch"]]
    return [
        f"{row}: {fsdax[row]}, at most {limit}"
        for row, limit in limits.items()
        if fsdax[row] > limit
    ]


def as_known(result):
    table = known()[result.results["arch"]][result.results["compiler"]]
    got = counted(result.results)
    wrong = []
    for experiment in EXPERIMENTS:
        for row in sorted(set(table[experiment]) | set(got[experiment])):
            expected, found = table[experiment].get(row), got[experiment].get(row)
            if expected is None or found is None or abs(expected - found) > TOLERANCE:
                wrong.append(f"{experiment} {row}: {found}, expected {expected}")
    return "\n".join(wrong)


def mapping_adds_up(result):
    """Exact under -icount: by run saves most of what a page costs, and its steps only add."""
    runs = {
        (r["window_pages"], r["holes"], r["method"]): r
        for r in result.results["runs"]
        if r["experiment"] == "pte" and not r["contiguous"]
    }
    page, run, call = (runs[16, "none", way] for way in ("page", "run", "call"))
    for row in (page, run, call):
        ticks = [phase["ticks"] for phase in row["phases"]]
        # A step less is other code to the compiler: an instruction a window either way.
        if any(above < 0.98 * below for below, above in zip(ticks, ticks[1:])):
            return f"{row['cell']}: steps {ticks}"
    costs = [row["instructions_per_page"] for row in (page, run, call)]
    if not 1.5 * costs[1] < costs[0] or not costs[2] < 1.05 * costs[1]:
        return f"instructions a page by page, run, call: {costs}"
    # Where every run is one page long, run pays for a reference add a page, call does not.
    holed = [runs[16, "every-2nd", way]["instructions_per_page"] for way in ("page", "run", "call")]
    return "" if holed[2] < holed[1] else f"with holes: {holed}"


def compiler_of(arch):
    prefix = {"x86_64": "x86_64-linux-gnu-", "arm64": "aarch64-linux-gnu-"}[arch]
    gcc = shutil.which(prefix + "gcc") or "gcc"
    version = subprocess.run(
        [gcc, "-dumpfullversion"], capture_output=True, text=True, timeout=10, check=True
    )
    return "gcc " + version.stdout.strip()


def unknown_compiler(arch):
    compiler = compiler_of(arch)
    if compiler in known().get(arch, {}):
        return None
    return f"no table for {compiler}: `make instructions` writes one"


def like_linux(result):
    return "\n".join(base_like_linux(result) + few_enough(result))


GUEST = {"pmem": ["1G"], "mem": "1G", "icount": 1}

CASES = [
    Case(
        "instructions a page: base as Linux, stamps at their limit",
        args=ARGS,
        guest=GUEST,
        timeout=400,
        check=like_linux,
        also=(
            ("instructions a page: exact", as_known, unknown_compiler),
            ("instructions a page: of a mapping", mapping_adds_up, lambda arch: None),
        ),
    ),
]


def write_table():
    """For `make instructions`: one boot an architecture, the table rewritten."""
    import guest
    import run

    table = known()
    for arch in guest.ARCHS:
        out = pathlib.Path("build/test/instructions") / arch
        out.mkdir(parents=True, exist_ok=True)
        result = run.boot(
            arch,
            out=out,
            timeout=300,
            args=ARGS + " exit=qemu",
            efi=pathlib.Path("build") / arch / "pagestamp.efi",
            pmem=["1G"],
            mem="1G",
            icount=1,
        )
        if not result.passed:
            raise SystemExit(f"{arch}: {result.why}")
        table.setdefault(arch, {})[result.results["compiler"]] = counted(result.results)
    TABLE.write_text(json.dumps(table, indent=1, sort_keys=True) + "\n")
    print(f"written: {TABLE}")
