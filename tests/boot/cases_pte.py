# SPDX-License-Identifier: BSD-2-Clause
"""Mapping what was initialised: every way of it, through real page tables."""

from tests.boot.case import Case

PAGES = 16384
# Pages that are mapped of each pattern; the random one is the same in every run.
MAPPED = {"none": PAGES, "every-2nd": PAGES // 2}
WINDOWS = {(1, "none")} | {(n, h) for n in (4, 16, 64, 512) for h in ("none", "every-2nd", "random")}


def rows_wrong(result):
    runs = [run for run in result.results["runs"] if run["experiment"] == "pte"]
    ways = {("page", False), ("run", False), ("call", False)}
    if result.arch == "arm64":
        ways.add(("run", True))
    expected = {(*window, *way) for window in WINDOWS for way in ways}
    found = {(r["window_pages"], r["holes"], r["method"], r["contiguous"]) for r in runs}
    if found != expected or len(runs) != len(expected):
        return f"rows: {sorted(found ^ expected)}"
    for run in runs:
        if run["verified"] is not True:
            return f"{run['cell']}: {run['why_not']}"
        if run["pages"] != PAGES or run["copy"] is not None or run["align"] != 2 << 20:
            return f"{run['cell']}: {run['pages']} pages, copy {run['copy']}"
        if run["written"] != MAPPED.get(run["holes"], run["written"]):
            return f"{run['cell']}: {run['written']} mapped"
        if run["holes"] == "random" and not PAGES // 2 < run["written"] < PAGES * 7 // 8:
            return f"{run['cell']}: {run['written']} mapped"
        names = [phase["name"] for phase in run["phases"]]
        looked_into = run["window_pages"] == 16 and not run["contiguous"]
        if names != (["look", "entries", "rmap", "counters", "references"] if looked_into else []):
            return f"{run['cell']}: phases {names}"
    return ""


def answer(result, question):
    answers = [a["answer"] for a in result.results["answers"] if a["question"].startswith(question)]
    return answers[0] if len(answers) == 1 else f"({len(answers)} answers)"


def hardware(mapped):
    """Does the CPU set the young bit by itself, and was everything read through the mapping?"""

    def check(result):
        wrong = rows_wrong(result)
        if wrong:
            return wrong
        said = answer(result, "Does the CPU use what was mapped?")
        skipped = [item["what"] for item in result.results["skipped"]]
        old = "pte: old entries made young by the hardware"
        if mapped:
            good = "199 entries were young before and 510 after" in said and old not in skipped
        else:
            good = "a load through an old entry faulted" in said and old in skipped
        if not good or not said.startswith("yes: 510 pages "):
            return f"read through: {said}; skipped: {skipped}"
        if "pte with contended counters" not in skipped:
            return f"skipped: {skipped}"
        return ""

    return check


def atomics(name):
    def check(result):
        said = answer(result, "What does mapping a folio by run save?")
        return hardware(name == "lse")(result) or ("" if f"{name} atomics" in said else said)

    return check


def elsewhere_alone(result):
    return "" if result.results["runs"] else "no rows"


def case(name, args="experiment=pte rebinds=2", **more):
    return Case(f"pte: {name}", args=args, **more)


SMALL = {"mem": "1G", "pmem": ["256M"]}

CASES = [
    case("every way on QEMU's best CPU", guest=SMALL, check=hardware(True)),
    case("LSE", archs=("arm64",), guest={**SMALL, "cpu": "max,pauth-impdef=on"}, check=atomics("lse")),
    case(
        "LSE at EL2",
        archs=("arm64",),
        guest={**SMALL, "cpu": "max,pauth-impdef=on", "el2": True},
        check=atomics("lse"),
    ),
    case(
        "LL/SC, no help for old entries",
        archs=("arm64",),
        guest={**SMALL, "cpu": "cortex-a72"},
        check=atomics("ll/sc"),
    ),
    case(
        "in RAM only",
        args="experiment=pte map=dev write=pmem0",
        guest=SMALL,
        fails=r"experiment=pte cannot run: its descriptors stand in RAM: ",
    ),
    case(
        "skipped under all",
        args="rebinds=1 method=base touch=read range=pmem0",
        guest=SMALL,
        says=(r"^- pte: measured warm, without a next toucher",),
        check=elsewhere_alone,
    ),
    case(
        "in a dry run",
        args="experiment=pte list",
        guest=SMALL,
        says=(r"^  pte pmem0 map=mem: writes nothing on it",),
    ),
    case(
        "one line a row",
        args="experiment=pte rebinds=1 format=simple verify=off",
        guest=SMALL,
        says=(r"^pte pmem0 mem full call 512/random ",),
    ),
]
