# SPDX-License-Identifier: BSD-2-Clause
"""What runs and what is written, by what the range holds and what was consented to.

The table, cell by cell: every experiment on every kind of contents in one guest, once for
each column. Whatever is not allowed by name must be on the device as it was.
"""

import uuid

from tests.boot.case import Case
from tests.boot.devices import DATA, GIB, MIB, PAGE, Device, descriptors, geometry, namespace

EXPERIMENTS = ("fsdax", "devdax-2m", "devdax-1g")
SMALL = 128 * MIB
BROKEN = (DATA / "devdax-dev-2M.head.bin").read_bytes()[PAGE : 2 * PAGE - 1] + b"x"
# What of a run of ours may be on a range: it is not blank then, and no namespace either.
OURS = b"\x00\x20\x00\xc0\xff\xff\x27\x00" * (PAGE // 8)

ROOMY, ROOM = 3, 6 * MIB  # the device whose namespace begins later than it must

# (device, whose map=dev namespace it is, is it blank, what a refusal says it holds)
DEVICES = (
    (namespace("devdax", "dev", 2 * GIB, GIB), "devdax-1g", False, "devdax map=dev align=1G"),
    (namespace("devdax", "dev", 2 * GIB, 2 * MIB), "devdax-2m", False, "devdax map=dev align=2M"),
    (namespace("fsdax", "dev", SMALL, 2 * MIB), "fsdax", False, "fsdax map=dev align=2M"),
    (namespace("fsdax", "dev", SMALL, PAGE, room=ROOM), "fsdax", False, "fsdax map=dev align=4K"),
    (namespace("fsdax", "mem", SMALL, 2 * MIB), None, False, "fsdax map=mem align=2M"),
    (namespace("devdax", "mem", SMALL, 2 * MIB), None, False, "devdax map=mem align=2M"),
    (Device(SMALL, head="raw-ext4"), None, False, "ext4 (or ext2, ext3) file system"),
    (Device(SMALL, head="raw-gpt"), None, False, "GPT partition table"),
    (Device(SMALL, bytes_at=((PAGE, BROKEN),)), None, False, "unknown contents"),
    (Device(SMALL, bytes_at=((2 * MIB, OURS),)), None, False, "unknown contents"),
    (Device(SMALL), None, True, "nothing (blank)"),
    (Device(SMALL, properties="unarmed=on"), None, True, "nothing (blank)"),
)
UNARMED = len(DEVICES) - 1
# RAM of both architectures used as a range: named first, as it has the lowest address.
MEMMAP = "memmap=128M!1280M"
RAM, FIRST = 0, 1  # RAM is pmem0, device i is pmem<i + FIRST>
NAMES = [f"pmem{i}" for i in range(FIRST + len(DEVICES))]
NO_COPY = "rebinds=1 method=base,stamp copy=plain"


def size_of(n):
    return SMALL if n == RAM else DEVICES[n - FIRST][0].size


def fits(experiment, where, n):
    return experiment != "devdax-1g" or size_of(n) >= (2 * GIB if where == "dev" else GIB)


def verdict(experiment, n, consent):
    """What map=dev does with range n: "runs", or what the reason must say."""
    if consent is None:
        return f"no write= names {NAMES[n]}"
    if n != RAM:
        _, matches, blank, holds = DEVICES[n - FIRST]
        if n - FIRST == UNARMED:
            return "its NVDIMM is not armed"
        if matches != experiment and not blank and consent != "!":
            return f"{NAMES[n]} holds: {holds}; write={NAMES[n]}! would destroy it"
    return "runs" if fits(experiment, "dev", n) else "too small"


def wrong_table(result, consent, maps=("dev",)):
    """Each cell ran, or is skipped for its reason; and none besides."""
    ran = {
        (run["experiment"], run["range"], run["map"])
        for run in result.results["runs"]
        if run["experiment"] in EXPERIMENTS
    }
    skipped = {item["what"]: item["why"] for item in result.results["skipped"]}
    expected = set()
    for experiment in EXPERIMENTS:
        for n, name in enumerate(NAMES):
            if "mem" in maps and fits(experiment, "mem", n):
                expected.add((experiment, name, "mem"))
            if "dev" not in maps:
                continue
            says = verdict(experiment, n, consent)
            if says == "runs":
                expected.add((experiment, name, "dev"))
                continue
            why = skipped.get(f"{experiment} {name} map=dev", "it is not listed")
            if says not in why:
                return f"{experiment} {name} map=dev was skipped for {why!r}, not for {says!r}"
    if ran != expected:
        return f"ran or not: {sorted(ran ^ expected)}"
    not_verified = [run["cell"] for run in result.results["runs"] if not run["verified"]]
    return f"not verified: {not_verified}" if not_verified else ""


def written_areas(result, i, consent):
    """The descriptor areas of all that runs on device i."""
    base = int(result.results["ranges"][i + FIRST]["base"], 16)
    size = DEVICES[i][0].size
    areas = []
    for experiment in EXPERIMENTS:
        if verdict(experiment, i + FIRST, consent) == "runs":
            # A namespace that matches keeps its own dataoff; of all but one it is ndctl's.
            dataoff = geometry(experiment, "dev", base, size)[2]
            if i == ROOMY and experiment == "fsdax":
                dataoff += ROOM
            begin, end = descriptors(experiment, base, size, dataoff)
            assert 2 * MIB <= begin < end <= dataoff
            areas.append((begin, end))
    return areas


def table(consent):
    def check(result):
        for i in range(len(DEVICES)):
            changed = result.devices[i].changed()
            for begin, end in written_areas(result, i, consent):
                if not any(low <= begin and end <= high for low, high in changed):
                    return f"device {i}: nothing written at [{begin:#x}, {end:#x})"
        return wrong_table(result, consent)

    return check


def wrong_experiments(result):
    ran = {run["experiment"] for run in result.results["runs"]}
    expected = {*EXPERIMENTS, "hugetlb", "memmap", "pte"}
    return "" if ran == expected else f"experiments: {sorted(ran)}"


def consent_case(name, args, **more):
    return Case(
        f"consent: {name}",
        args=f"{NO_COPY} {MEMMAP} {args}",
        guest={"mem": "2G"},
        devices=tuple(device for device, *_ in DEVICES),
        **more,
    )


def write(mark):
    return "write=" + ",".join(name + mark for name in NAMES)


# ---- Verdicts, and consent by other names ---------------------------------------

BLANK = Device(SMALL)
FSDAX = namespace("fsdax", "dev", SMALL, 2 * MIB, "named by UUID")
UUID = uuid.UUID(bytes=FSDAX.bytes_at[0][1][16:32])
# Where the first NVDIMM stands beside 512 MiB of RAM.
BASE = {"x86_64": 0x100000000, "arm64": 0x80000000}


def only(experiment, i=0):
    """may_write() and check() of a boot that writes the descriptors of device i, no more."""

    def areas(result, index):
        base = int(result.results["ranges"][index]["base"], 16)
        size = result.devices[index].device.size
        return [descriptors(experiment, base, size)] if index == i else []

    def check(result):
        ran = {(run["experiment"], run["range"], run["map"]) for run in result.results["runs"]}
        if ran != {(experiment, f"pmem{i}", "dev")}:
            return f"ran: {ran}"
        if result.devices[i].changed() != areas(result, i):
            return f"written: {result.devices[i].changed()}, expected {areas(result, i)}"
        return ""

    return {"may_write": areas, "check": check}


def refused(name, experiment, i):
    """Device i alone in the guest."""
    device, _, _, holds = DEVICES[i]
    return Case(
        f"consent: {experiment} refused: {name}",
        args=f"{NO_COPY} experiment={experiment} map=dev write=pmem0",
        devices=(device,),
        fails="map=dev, but no range may be written: ",
        explains=(f"pmem0 holds: {holds}; write=pmem0! would destroy it",),
        never=(r"^base ",),
    )


def typed_extent(mark):
    return lambda arch, _: {
        "args": f"{NO_COPY} experiment=devdax-2m map=dev exit=qemu "
        f"write={BASE[arch] + SMALL:#x}+{SMALL >> 20}M{mark}"
    }


CASES = [
    # Columns of the table. Consent for all of it and map=mem: still nothing is written.
    consent_case(
        "map=mem, every experiment",
        f"map=mem {write('!')} hugepages=8",
        check=lambda r: wrong_table(r, "!", ("mem",)) or wrong_experiments(r),
    ),
    consent_case(
        "map=dev without write=",
        "map=dev",
        fails="map=dev, but no range may be written: no write= names ",
        check=lambda r: wrong_table(r, None),
    ),
    consent_case(
        "map=both without write=",
        "map=both",
        check=lambda r: wrong_table(r, None, ("mem", "dev")),
    ),
    consent_case(
        "write=NAME",
        f"map=dev {write('')}",
        may_write=lambda r, i: written_areas(r, i, ""),
        check=table(""),
    ),
    consent_case(
        "write=NAME!",
        f"map=dev {write('!')}",
        may_write=lambda r, i: written_areas(r, i, "!"),
        check=table("!"),
    ),
    # Single cells, for the verdict.
    refused("a file system", "fsdax", 6),
    refused("alignment", "devdax-1g", 1),
    # What was blank holds our descriptors after a run.
    Case(
        "consent: blank no more",
        args=f"{NO_COPY} experiment=fsdax map=dev write=pmem0",
        devices=(BLANK,),
        **only("fsdax"),
        then=Case(
            "again",
            args=f"{NO_COPY} experiment=fsdax map=dev write=pmem0",
            fails="map=dev, but no range may be written: pmem0 holds: unknown",
            explains=("pmem0 holds: unknown contents; write=pmem0! would destroy it",),
            then=Case(
                # A walk over the same addresses leaves the same bytes but for pgmap and links.
                "again, with !",
                args=f"{NO_COPY} experiment=devdax-2m map=dev write=pmem0!",
                **only("devdax-2m"),
            ),
        ),
    ),
    # By base and size, in the file and typed; by UUID. The file is for every machine.
    Case(
        "consent: base and size in pagestamp.conf",
        config="exit=qemu\nrebinds=1 copy=plain experiment=fsdax map=dev\n"
        f"write={BASE['x86_64']:#x}+128M!,{BASE['arm64']:#x}+{SMALL}!\n",
        devices=(Device(SMALL, head="raw-gpt"), BLANK),
        **only("fsdax"),
    ),
    Case(
        "consent: base and size that are not the range's",
        config="exit=qemu\nrebinds=1 copy=plain experiment=fsdax map=dev\n"
        f"write={BASE['x86_64']:#x}+64M!,{BASE['arm64']:#x}+64M!\n",
        devices=(Device(SMALL, head="raw-gpt"), BLANK),
        fails="map=dev, but no range may be written: no write= names ",
    ),
    Case(
        "consent: base and size typed",
        prepare=typed_extent(""),
        devices=(Device(SMALL, head="raw-gpt"), BLANK),
        **only("devdax-2m", 1),
    ),
    Case(
        "consent: UUID in pagestamp.conf",
        config=f"exit=qemu\nrebinds=1 copy=plain experiment=fsdax map=dev write={UUID}\n",
        devices=(namespace("fsdax", "dev", SMALL, 2 * MIB, "another"), FSDAX),
        **only("fsdax", 1),
    ),
    Case(
        "consent: UUID in pagestamp.conf, and !",
        config=f"exit=qemu\nrebinds=1 copy=plain experiment=devdax-2m map=dev write={UUID}!\n",
        devices=(namespace("devdax", "dev", SMALL, 2 * MIB, "another"), FSDAX),
        **only("devdax-2m", 1),
    ),
    Case(
        "consent: an ordinal in pagestamp.conf",
        config="exit=qemu\nmap=dev write=pmem0!\n",
        devices=(BLANK,),
        fails="write=pmem0!: an ordinal in a file",
        never=(r"^base ",),
    ),
]
