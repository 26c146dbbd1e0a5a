# SPDX-License-Identifier: BSD-2-Clause
"""What takes too long for `make test`, or is a measurement: `make sweep`.

One boot at a time. Times are compared by the quickest rebind, which a busy machine disturbs
least.
"""

from tests.boot.case import Case
from tests.boot.cases_variants import all_verified, case_of

# Those that `make test` leaves out (cases_variants.py).
VARIANTS = (
    "tail=mask",
    "page_size=16K",
    "descriptor=72",
    "descriptor=80",
    "descriptor=88",
    "descriptor=96",
    "touch=read",
    "touch=whole",
    "model=sparse descriptor=96",
    "page_size=64K tail=mask",
)
WITHIN = 0.15  # ns a page at 100 GiB against 4 GiB


def pages_are(**expected):
    def check(result):
        found = {(run["experiment"], run["pages"]) for run in result.results["runs"]}
        wanted = {(name.replace("_", "-"), pages) for name, pages in expected.items()}
        if found != wanted:
            return f"pages: {sorted(found)}"
        return all_verified(result)

    return check


def quickest(results):
    """{(experiment, method, copy): ns a page}"""
    return {
        (run["experiment"], run["method"], run["copy"]): run["rebind_ns"]["min"] / run["written"]
        for run in results["runs"]
        if run["copy"] != "auto"
    }


def as_fast_as_before(result):
    small, large = quickest(result.before.results), quickest(result.results)
    if small.keys() != large.keys():
        return f"rows: {sorted(map(str, small.keys() ^ large.keys()))}"
    slower = [
        f"{' '.join(filter(None, row))}: {large[row]:.2f} ns a page, {small[row]:.2f} at 4 GiB"
        for row in small
        if abs(large[row] / small[row] - 1) > WITHIN
    ]
    return "\n".join(slower) or published_size(result)


published_size = pages_are(fsdax=26214400, devdax_2m=26214400)


def scaling(name, copies):
    args = f"experiment=fsdax,devdax-2m copy={copies}"
    return Case(
        f"sweep: 100 GiB as fast a page as 4 GiB{name}",
        args=f"{args} rebinds=20",
        guest={"mem": "4G", "pmem": ["4G"]},
        timeout=1200,
        then=Case(
            "100 GiB",
            args=f"{args} rebinds=5",
            guest={"mem": "4G", "pmem": ["100G"]},
            timeout=2400,
            check=as_fast_as_before,
        ),
    )


def two_nodes(result):
    nodes = [(entry["id"], entry["node"]) for entry in result.results["ranges"]]
    if nodes != [("pmem0", 0), ("pmem1", 1)]:
        return f"ranges and nodes: {nodes}"
    if result.results["machine"]["nodes"] != 2:
        return f"nodes: {result.results['machine']['nodes']}"
    for run in result.results["runs"]:
        flags = int(run["dump"][0]["words"][0], 16)
        node = flags >> {"x86_64": 54, "arm64": 60}[result.arch] & 0xF
        if node != int(run["range"][-1]):
            return f"{run['cell']}: flags {flags:#x}"
    return all_verified(result)


CASES = [
    scaling("", "plain,{nt}"),
    Case(
        "sweep: every copy at 100 GiB",
        args="experiment=fsdax,devdax-2m rebinds=1",
        guest={"mem": "4G", "pmem": ["100G"]},
        timeout=2400,
        check=published_size,
    ),
    Case(
        "sweep: 68 GiB of RAM, and 100 GiB on the device",
        args="experiment=fsdax,devdax-1g rebinds=1 copy=plain map=dev write=pmem0",
        guest={"mem": "68G", "pmem": ["100G"]},
        timeout=900,
        # ALIGN(8 KiB + 1600 MiB, 2 MiB) and ALIGN(..., 1 GiB) of descriptors go first.
        check=pages_are(fsdax=26214400 - 1602 * 256, devdax_1g=98 * 262144),
    ),
    Case(
        "sweep: two nodes",
        args="experiment=fsdax,devdax-2m rebinds=1 copy=plain dump=1",
        guest={"mem": "2G,2G", "pmem": ["1G,node=0", "1G,node=1"]},
        check=two_nodes,
    ),
    Case(
        "sweep: every experiment and copy at EL2",
        archs=("arm64",),
        args="rebinds=1 map=both write=pmem0",
        guest={"mem": "2G", "pmem": ["4G"], "el2": True},
        timeout=600,
        check=all_verified,
    ),
    *(case_of(text) for text in VARIANTS),
]
