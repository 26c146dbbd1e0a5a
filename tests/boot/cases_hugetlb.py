# SPDX-License-Identifier: BSD-2-Clause
"""Huge pages at boot and ordinary memory: Linux's words, its pools, its messages."""

import re

from tests.boot.case import Case
from tests.boot.linux_words import README

# Of a 1 GiB page in a pool, as dumped from Linux 6.12.
ROWS = {
    "head": "6.12 hugetlb 1 GiB head",
    "tail1": "6.12 hugetlb tail 1",
    "tail2": "6.12 hugetlb tail 2",
    "tail3": "6.12 hugetlb tails 3..last",
}
FLAGS = {"x86_64": 0x0017FFFFC0000000, "arm64": 0x05FFFF0000000000}
IN_PAGE = 262144  # descriptors of 1 GiB
RESERVED = 64  # of them in one base page
SAVED = (16 << 20) - 4096
STEPS = ["allocation", "reserved", "fallback-tails", "pool-entry"]
STEPS_HVO = ["allocation", "hvo-remap", "reserved", "pool-entry"]


def linux_rows(arch):
    """{row: eight words, None where one points}"""
    rows = {}
    for line in README.read_text().splitlines():
        cells = [cell.strip() for cell in line.replace("\\|", "+").strip("|").split("|")]
        for row, label in ROWS.items():
            if cells[0] == label:
                words = [int(c.split()[0], 16) if re.match("[0-9a-f]", c) else None for c in cells[1:]]
                words[0] += FLAGS[arch] - FLAGS["x86_64"]
                rows[row] = words + [0]
    assert rows.keys() == ROWS.keys()
    return rows


def wrong_words(result, run, hvo, mask=False):
    """The dump of a run's first huge page against Linux's; "" = all as it is there."""
    rows = linux_rows(result.arch)
    dump = {d["which"]: [int(word, 16) for word in d["words"]] for d in run["dump"] if not d["compound"]}
    if dump.keys() != {"head", "tail1", "tail2", "tail3", "last"}:
        return f"{run['cell']}: dumped {sorted(dump)}"
    rows["head"][5] = 0x18 if hvo else 8
    link = dump["tail1"][1]
    for which, words in dump.items():
        expected = rows["tail3" if which == "last" else which]
        for w, (found, right) in enumerate(zip(words, expected)):
            if right is not None and found != right:
                return f"{run['cell']} {which}: word {w} is {found:#x}, Linux's {right:#x}"
        if which != "head" and words[1] != link:
            return f"{run['cell']} {which}: links to {words[1]:#x}, tail 1 to {link:#x}"
    if mask:
        if link != (~((64 << 18) - 1) | 1) % (1 << 64):
            return f"{run['cell']}: the order mask is {link:#x}"
    elif not link & 1 or dump["head"][1] % 8 or not dump["head"][1]:
        return f"{run['cell']}: tails link to {link:#x}, the head's list to {dump['head'][1]:#x}"
    return ""


def rows_of(result, experiment, name, pages, written, saved=0):
    """The runs of one table; what is wrong with what they count."""
    runs = [r for r in result.results["runs"] if (r["experiment"], r["range"]) == (experiment, name)]
    if {run["method"] for run in runs} != {"base", "template", "stamp"}:
        return runs, f"{experiment} {name}: methods {sorted({run['method'] for run in runs})}"
    for run in runs:
        counts = (run["pages"], run["written"], run["saved_bytes"], run["verified"])
        if counts != (pages, written, saved, True):
            return runs, f"{run['cell']}: {counts}, {run['why_not']}"
    return runs, ""


def check_huge(pages, hvo, failed=0, mask=False):
    optimised = pages - failed if hvo else 0
    written = optimised * RESERVED + (pages - optimised) * IN_PAGE
    steps = STEPS_HVO if hvo and not failed else STEPS
    if failed:
        steps = STEPS[:1] + ["hvo-remap"] + STEPS[1:]

    def check(result):
        runs, wrong = rows_of(
            result, "hugetlb", "1G-node0", pages * IN_PAGE, written, optimised * SAVED
        )
        for run in runs:
            wrong = wrong or wrong_words(result, run, hvo and not failed, mask)
            if [step["name"] for step in run["phases"]] != steps:
                wrong = wrong or f"{run['cell']}: {run['phases']}"
        pool = result.results["pools"][0]
        found = [pool[key] for key in ("page", "node", "asked", "got", "optimised", "fell_back")]
        right = [1 << 30, 0, pages, pages, optimised, failed]
        return wrong or ("" if found == right else f"pool {found}, not {right}")

    return check


def huge(name, args, check, copies="plain", archs=("x86_64", "arm64"), mem="6G", **more):
    return Case(
        f"hugetlb: {name}",
        archs=archs,
        args=f"experiment=hugetlb rebinds=1 copy={copies} {args}",
        guest={"pmem": [], "mem": mem},
        check=check,
        **more,
    )


def two_pools_on_two_nodes(result):
    pools = [[p[k] for k in ("page", "node", "asked", "got")] for p in result.results["pools"]]
    right = [[2 << 20, 0, 256, 256], [2 << 20, 1, 256, 256], [1 << 30, 0, 2, 2], [1 << 30, 1, 2, 2]]
    if sorted(pools) != sorted(right):
        return f"pools {pools}"
    for node in (0, 1):
        _, small = rows_of(result, "hugetlb", f"2M-node{node}", 256 * 512, 256 * 512)
        _, large = rows_of(result, "hugetlb", f"1G-node{node}", 2 * IN_PAGE, 2 * IN_PAGE)
        if small or large:
            return small or large
    # Each page on its node: node 1 is the upper half of the guest's memory.
    taken = sorted(
        (int(extent["base"], 16), extent["pages"] * pool["page"], pool["node"])
        for pool in result.results["pools"]
        for extent in pool["extents"]
    )
    for (begin, size, node), (next_begin, _, next_node) in zip(taken, taken[1:]):
        if begin + size > next_begin:
            return f"two pools have {next_begin:#x}"
        if node > next_node:
            return f"node {node} lies below node {next_node}: {taken}"
    return ""


def memory_of(name, at_least):
    def check(result):
        runs = [run for run in result.results["runs"] if run["range"] == name]
        pages = {run["pages"] for run in runs}
        if len(pages) != 1 or not at_least <= pages.pop() * 4096 <= result.results["machine"]["memory_bytes"]:
            return f"{name}: {[run['pages'] for run in runs]}"
        _, wrong = rows_of(result, "memmap", name, runs[0]["pages"], runs[0]["pages"])
        return wrong

    return check


CASES = [
    huge(
        "without HVO",
        "hugepagesz=1G hugepages=2 dump=1",
        check_huge(2, False),
        copies="plain,{nt},auto",
    ),
    huge(
        "with HVO",
        "hugepagesz=1G hugepages=2 hugetlb_free_vmemmap=on dump=1",
        check_huge(2, True),
    ),
    huge(
        "HVO, order masks",
        "hugepagesz=1G hugepages=2 hugetlb_free_vmemmap=on tail=mask dump=1",
        check_huge(2, True, mask=True),
    ),
    huge(
        "HVO fails for one of two",
        "hugepagesz=1G hugepages=2 hugetlb_free_vmemmap=on hvo_fail=1 dump=1",
        check_huge(2, True, failed=1),
    ),
    huge(
        "two pools, two nodes",
        "hugepagesz=2M hugepages=0:256,1:256 hugepagesz=1G hugepages=0:2,1:2",
        two_pools_on_two_nodes,
        mem="6G,6G",
    ),
    huge(
        "a head touched right after its tails",
        "hugepagesz=1G hugepages=1 touch=batch:16M dump=1",
        lambda result: rows_of(result, "hugetlb", "1G-node0", IN_PAGE, IN_PAGE)[1],
        copies="plain,{nt}",
    ),
    huge(
        "64 KiB pages",
        "page_size=64K hugepagesz=512M hugepages=2",
        lambda result: rows_of(result, "hugetlb", "512M-node0", 16384, 16384)[1],
        archs=("arm64",),
    ),
    huge(
        "fewer than asked",
        "hugepagesz=1G hugepages=64",
        lambda result: ""
        if 0 < result.results["pools"][0]["got"] < 6 and result.results["pools"][0]["asked"] == 64
        else f"{result.results['pools']}",
        explains=("HugeTLB: allocating 64 of page size 1.00 GiB failed.",),
    ),
    Case(
        "hugetlb: a size that there is not",
        args="experiment=hugetlb hugepagesz=3M hugepages=4",
        guest={"pmem": []},
        fails="HugeTLB: unsupported hugepagesz=3M",
    ),
    Case(
        "hugetlb: no page asked for",
        args="experiment=hugetlb",
        guest={"pmem": []},
        fails="experiment=hugetlb cannot run: hugepages= asks for no page",
    ),
    Case(
        "memmap: all of the memory",
        args="experiment=memmap rebinds=1 copy=plain,{nt}",
        guest={"pmem": [], "mem": "1G"},
        check=memory_of("node0", 800 << 20),
    ),
]
