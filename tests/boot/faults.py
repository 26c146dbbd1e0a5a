# SPDX-License-Identifier: BSD-2-Clause
"""Every call of the firmware fails once, each in a boot of its own: `make faults`.

    python3 -m tests.boot.faults ARCH ...       the sweep: every site, and some more
    outcomes()                                  a sample of it, for `make test`

After a fault the program either FAILs with its reason or goes on and says so; it gives
back all that it took, and leaves by the way it was asked to, with the right status.
"""

import dataclasses
import json
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT)]

import guest  # noqa: E402
import run as runner  # noqa: E402
from tests.boot.case import BUILD  # noqa: E402

TIMEOUT = 90
# What fails with the words of the file that it was about.
FILES = ("OpenVolume", "Open", "Read", "Write", "Flush", "Close", "GetInfo", "SetInfo", "Delete")
# Memory that the firmware did not take back is what was tested.
MAY_KEEP = {"FreePages": "pages", "FreePool": "pools"}
SUCCESS, ABORTED = 0, 0x8000000000000015


@dataclasses.dataclass
class Scenario:
    name: str
    args: str
    pmem: tuple = ("256M",)
    by_file: bool = False  # booted by the firmware, the options in pagestamp.conf
    volume: bool = True  # there is one for the results


# A range of RAM is not looked at through the window: its visits are the experiment's.
RAM = "copy=plain method=base,stamp rebinds=1 exit=return memmap=128M!{ram} map=both write=pmem0 "
FREE_RAM = {"x86_64": "256M", "arm64": "1280M"}
MEMORY = "copy=plain method=base,stamp rebinds=1 exit=return hugepages=16 hugetlb_free_vmemmap=on "
LIST = Scenario("list", "list exit=return")
FSDAX = Scenario("fsdax", RAM + "experiment=fsdax", pmem=())
DEVDAX = Scenario("devdax-2m", RAM + "experiment=devdax-2m", pmem=())
HUGETLB = Scenario("hugetlb", MEMORY + "experiment=hugetlb", pmem=())
MEMMAP = Scenario("memmap", MEMORY + "experiment=memmap", pmem=())
SCENARIOS = [
    LIST,
    FSDAX,
    DEVDAX,
    HUGETLB,
    MEMMAP,
    Scenario("selftest", "selftest exit=return", pmem=()),
    Scenario("reset", "list exit=reset"),
    Scenario("nowhere", "list exit=return", volume=False),
    Scenario("conf", "list\nexit=auto\n", by_file=True),
]
WINDOWS = 6  # faults in the window of each experiment
OLD = b'{ "what": "an older run measured" }\n'
# What `make test` takes of it: (architecture, scenario, fault).
SAMPLE = [
    ("x86_64", LIST, "AllocatePages:1"),
    ("x86_64", LIST, "Write:1"),
    ("x86_64", LIST, "LabelStorageInformation:1"),
    ("arm64", LIST, "LabelStorageRead:66"),
    ("x86_64", LIST, "malloc:20"),
    ("x86_64", FSDAX, "window:12"),
    ("arm64", LIST, "HandleProtocol:1"),
    ("arm64", LIST, "GetMemoryMap:1"),
    ("arm64", LIST, "OutputString:9"),
    ("arm64", LIST, "SetInfo:1"),
    ("arm64", HUGETLB, "window:12"),
    ("arm64", MEMMAP, "malloc:30"),
]
SAMPLE_CUTS = [("x86_64", "Write:1"), ("arm64", "SetInfo:1"), ("arm64", "Flush:2")]


@dataclasses.dataclass
class Site:
    call: str
    where: str  # file:line
    first: int
    calls: int


@dataclasses.dataclass
class Outcome:
    fault: str
    console: str
    verdict: str  # "pass", "FAIL ...", or "" when it never got that far
    wall: float
    bad: str  # "" = survived


def image(arch):
    return BUILD / "faults" / arch / "pagestamp.efi"


def boot(arch, scenario, fault, out, *, until=None, old=None, table=None):
    """(QEMU's status, console, why it was stopped, seconds, the results volume)."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    told = ["-smbios", f"type=11,value=pagestamp:fault={fault}"]
    options = {"pmem": scenario.pmem, "mem": "512M", "extra": told}
    if scenario.by_file:
        volume = guest.boot_image(out / "disk.img", {arch: image(arch)}, scenario.args)
        options["disk"] = volume
    else:
        volume = guest.results_image(out / "esp.img")
        options.update(efi=image(arch), args=scenario.args.replace("{ram}", FREE_RAM[arch]))
        options["image"] = volume if scenario.volume else None
    if table is not None:
        (out / "table.bin").write_bytes(table)
        options["acpi_tables"] = [str(out / "table.bin")]
    if old is not None:
        guest.mtools("mcopy", "-i", str(volume), "-", "::/pagestamp/results-1.json", data=old)
    command = guest.command(arch, **options)
    with open(out / "console.log", "w") as log:
        status, console, errors, wall, _, why = runner.run_qemu(
            command, timeout=TIMEOUT, alive_timeout=TIMEOUT, log=log, until=until
        )
    return status, console, why or errors.strip(), wall, volume


def verdict(console):
    said = re.findall(r"^pagestamp: (pass|FAIL.*)$", console, re.M)
    return said[-1] if said else ""


def says(call, console):
    """Does the console tell of the fault, where the run went on?"""
    if call == "malloc":
        return re.search(r"no memory|out of memory|out of resources", console)
    if call == "OutputString":
        return "[console: text lost]" in console
    if call == "window":
        return re.search(r"^fault (while|in) ", console, re.M)
    if call.startswith("LabelStorage"):
        return re.search(rf"^- labels of NVDIMM 0x\d: not readable: {call}: device", console, re.M)
    if call == "poison":
        return re.search(r"poisoned\s+line\s+at\s+0x", console)
    file = r"^(note: writing results on .* failed|results not written to a file): .*device error"
    return re.search(rf"^note: .*\b{call}\b.* failed: ", console, re.M) or (
        call in FILES and re.search(file, console, re.M)
    )


def fault_is_for_ever(fault, call):
    return fault.startswith(call + ":") and fault.endswith("+")


NOT_REACHED = "the fault was not reached"
ANY_SITE, ALL_LATER = "any site", "this and all later"


def wrong(fault, scenario, status, console, why):
    """What is wrong with how a fault was survived; "" = nothing."""
    if why:
        return f"it hangs, or QEMU complains: {why}"
    if status != 0:
        return f"QEMU ended with {status}"
    failed = set(re.findall(r"^fault: (\w+) \d+ fails$", console, re.M))
    if not failed and not fault.startswith("random"):
        return NOT_REACHED
    said = verdict(console)
    if not said and fault_is_for_ever(fault, "OutputString"):
        said = "pass"  # that cannot be seen; how it leaves can
        failed = set()
    if not said:
        return "no verdict"
    if said in ("FAIL", "FAIL no reason given") or "assertion" in said:
        return f"no clear reason: {said}"
    unsaid = [name for name in failed if not says(name, console)]
    # x86's first visit asks for the microcode's revision: not known is null.
    if fault == "window:1" and '"microcode": null' in console:
        unsaid = []
    # The self-test stores to views that only read: it wants a fault there, and has one.
    if scenario.name == "selftest":
        unsaid = [name for name in unsaid if name != "poison"]
    if said == "pass" and unsaid:
        return "it goes on and does not say so: " + ", ".join(unsaid)
    if scenario.args.endswith("exit=reset") and "ResetSystem" not in failed:
        left = re.search(r"^fault: ResetSystem 0 with 0x(\w+)$", console, re.M)
    else:
        left = re.search(r"^fault: (?:Exit with|entry returned) 0x(\w+)$", console, re.M)
    if not left and "AllocatePages" in failed:  # no heap: no options to tell how
        left = re.search(r"^fault: entry returned 0x(\w+)$", console, re.M)
    if not left and "Exit" in failed:
        left = re.search(r"^fault: ResetSystem 0 with 0x(\w+)$", console, re.M)
    if not left:
        return "it did not leave as asked"
    if int(left[1], 16) != (SUCCESS if said == "pass" else ABORTED):
        return f"it left with 0x{left[1]} after '{said}'"
    held = dict(re.findall(r" (\w+) (-?\d+)", re.findall(r"^fault: held:.*", console, re.M)[-1]))
    for name in failed:
        held.pop(MAY_KEEP.get(name), None)
    if scenario.args.endswith("exit=reset"):
        held = {"tpl": held["tpl"]}
    if any(int(nr) for nr in held.values()):
        return f"not given back: {held}"
    return ""


def inject(arch, scenario, fault):
    out = BUILD / "test" / "faults" / f"{arch}-{scenario.name}-{re.sub(r'[^0-9A-Za-z]', '-', fault)}"
    status, console, why, wall, _ = boot(arch, scenario, fault, out)
    bad = wrong(fault, scenario, status, console, why)
    if not bad:
        shutil.rmtree(out)  # what failed keeps its console
    return Outcome(fault, console, verdict(console), wall, bad)


def inject_drawn(arch, scenario, fault):
    """`fault` was drawn from all the calls. How often one that polls comes depends on the host:
    an earlier one, where it did not come that often.
    """
    outcome = inject(arch, scenario, fault)
    call, nth, ever = re.fullmatch(r"(\w+):(\d+)(\+?)", fault).groups()
    nth = int(nth)
    while outcome.bad == NOT_REACHED and nth > 1:
        nth //= 2
        outcome = inject(arch, scenario, f"{call}:{nth}{ever}")
    return outcome


def cut(arch, fault):
    """The machine is switched off before that call: every result is whole, or not there."""
    out = BUILD / "test" / "faults" / f"{arch}-cut-{fault.replace(':', '-')}"
    stands = re.compile(r"^fault: \w+ \d+ stands still$", re.M)
    _, console, why, wall, volume = boot(arch, LIST, fault + "!", out, until=stands, old=OLD)
    bad = why
    if not bad and not stands.search(console):
        bad = "the call was not reached"
    found = {}
    for name in guest.mtools("mdir", "-b", "-i", str(volume), "::/pagestamp/").decode().split():
        found[name.split("/")[-1]] = guest.mtools("mtype", "-i", str(volume), name)
    if not bad and found.pop("results-1.json", None) != OLD:
        bad = "the older results are not what they were"
    new = found.pop("results-2.json", None)
    if not bad and new is not None:
        shown = console.split(runner.JSON_BEGIN)[-1].split(runner.JSON_END)[0].lstrip("\n")
        bad = "" if new.decode() == shown else "results-2.json is not whole"
    if not bad and set(found) - {"results-2.tmp"}:
        bad = f"left behind: {sorted(found)}"
    if not bad:
        shutil.rmtree(out)
    return Outcome(fault + "!", console, verdict(console), wall, bad)


def spcr():
    """A table that names the PC's first serial port, for a firmware that has none."""
    port = struct.pack("<BBBBQ", 1, 8, 0, 1, 0x3F8)
    body = bytes([0, 0, 0, 0]) + port + bytes(6) + bytes([7]) + bytes(21)
    head = struct.pack("<4sIBB6s8sI4sI", b"SPCR", 36 + len(body), 2, 0, b"OEM", b"TABLE", 1, b"TEST", 1)
    return head + body


def no_console(arch, args, heard, table=None):
    """The firmware has no console: `heard`, the program's own UART is."""
    out = BUILD / "test" / "faults" / f"{arch}-no-console-{re.sub(r'[^0-9A-Za-z]', '-', args)}"
    scenario = Scenario("no-console", args)
    status, console, why, wall, volume = boot(arch, scenario, "no-console", out, table=table)
    left = re.search(r"^fault: Exit with 0x(\w+)$", console, re.M)
    bad = why
    if not bad and (status != 0 or not left or int(left[1], 16) != SUCCESS):
        bad = f"QEMU ended with {status}"
    if not bad and guest.newest_results(volume) is None:
        bad = "no results file"
    alive = len(re.findall(r"^pagestamp \S+ \S+: alive$", console, re.M))
    if not bad and (alive, verdict(console)) != ((1, "pass") if heard else (0, "")):
        bad = f"alive {alive} times, verdict '{verdict(console)}'"
    if not bad:
        shutil.rmtree(out)
    return Outcome("no-console", console, verdict(console), wall, bad)


def poison(arch, args, fault, offset, said):
    """A line of pmem0 cannot be read: it is named, and the range needs '!'."""
    out = BUILD / "test" / "faults" / f"{arch}-{re.sub(r'[^0-9A-Za-z]', '-', args + fault)}"
    scenario = Scenario("poison", args)
    status, console, why, wall, volume = boot(arch, scenario, fault, out)
    bad = wrong(fault, scenario, status, console, why)
    if not bad and not re.match(said, verdict(console)):
        bad = f"verdict '{verdict(console)}'"
    found = guest.newest_results(volume)
    for entry in json.loads(found)["ranges"] if found and not bad else ():
        line = f"poisoned line at {int(entry['base'], 16) + offset:#x}; "
        if not entry["holds"].startswith(line):
            bad = f"it holds '{entry['holds']}', expected '{line}...'"
    if not bad:
        shutil.rmtree(out)
    return Outcome(fault, console, verdict(console), wall, bad)


def labels(arch):
    """Of four NVDIMMs the label area of one is good."""
    out = BUILD / "test" / "faults" / f"{arch}-labels"
    _, console, bad, wall, _ = boot(arch, LIST, "count", out)
    for line in (
        "labels: NVDIMM 0x1: namespaces: 1, 0 refused, of 8182",
        "labels: 762c867a-4265-4c5a-8d45-d47782c5e2f7 (fsdax), 0x200000000 bytes at 0x0,",
        "- labels of NVDIMM 0x2: not readable: 0xfffffff0 bytes, 0x3e8 at a time",
        "- labels of NVDIMM 0x3: not readable: 0x1000 bytes, 0x0 at a time",
        "- labels of NVDIMM 0x4: label area: no valid index block",
        "pagestamp: pass",
    ):
        if not bad and line not in console.splitlines():
            bad = f"the console has no line '{line}'"
    if not bad and "fault: labels" in console:
        bad = "more is read than there is, or something written"
    if not bad:
        shutil.rmtree(out)
    return Outcome("labels", console, verdict(console), wall, bad)


def sites(arch, scenario):
    """Where the scenario calls what, from a boot in which nothing fails."""
    out = BUILD / "test" / "faults" / f"{arch}-{scenario.name}-count"
    _, console, why, _, _ = boot(arch, scenario, "count", out)
    if verdict(console) != "pass":
        sys.exit(f"{arch} {scenario.name}: without a fault: {verdict(console) or why}; see {out}")
    shutil.rmtree(out)
    found = re.findall(r"^fault: site (\w+) 0x(\w+) first (\d+) calls (\d+)$", console, re.M)
    # A return address is behind the call.
    addresses = [hex(int(at, 16) - 1) for _, at, _, _ in found]
    places = subprocess.run(
        ["addr2line", "-e", str(image(arch).with_suffix(".elf")), *addresses],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    for (call, _, first, calls), place in zip(found, places, strict=True):
        where = re.sub(r"^.*?/(?=(?:boot|discover|bench|mm|report|arch)/)", "", place)
        yield Site(call, re.sub(r" \(discriminator.*", "", where), int(first), int(calls))


def sweep(arch):
    seen, faults, bad = set(), 0, 0
    for scenario in SCENARIOS:
        found = list(sites(arch, scenario))
        new = [site for site in found if (site.call, site.where) not in seen]
        seen |= {(site.call, site.where) for site in found}
        wanted = {f"{site.call}:{site.first}": site.where for site in new}
        dice = random.Random(f"{arch} {scenario.name}")
        for call in sorted({site.call for site in found}):
            calls = sum(site.calls for site in found if site.call == call)
            if call in {site.call for site in new}:
                wanted.setdefault(f"{call}:{dice.randint(1, calls)}", ANY_SITE)
                wanted.setdefault(f"{call}:{dice.randint(1, calls)}+", ALL_LATER)
        visits = sum(site.calls for site in found if site.call == "window")
        if scenario in (FSDAX, DEVDAX, HUGETLB, MEMMAP):
            for i in range(WINDOWS):
                wanted.setdefault(f"window:{1 + i * (visits - 1) // (WINDOWS - 1)}", "a visit")
        wanted |= {f"random:{dice.randint(1, 10**6)}": "whatever comes" for _ in range(2)}
        for fault, where in wanted.items():
            drawn = where in (ANY_SITE, ALL_LATER)
            outcome = (inject_drawn if drawn else inject)(arch, scenario, fault)
            faults += 1
            bad += bool(outcome.bad)
            state = "FAIL" if outcome.bad else "ok"
            print(f"{state:4}  {arch} {scenario.name:9} {outcome.fault:22} {where:36} {outcome.wall:5.1f} s")
            print(f"      {outcome.bad or outcome.verdict}", flush=True)
        if scenario is LIST:
            files = {f"{s.call}:{s.first}": s.where for s in found if s.call in FILES}
            for fault, where in files.items():
                outcome = cut(arch, fault)
                faults += 1
                bad += bool(outcome.bad)
                state = "FAIL" if outcome.bad else "ok"
                print(f"{state:4}  {arch} power cut {outcome.fault:22} {where:36} {outcome.wall:5.1f} s")
                print(f"      {outcome.bad or 'every result is whole'}", flush=True)
    print(f"{arch}: {len(seen)} call sites, {faults} faults: {faults - bad} survived, {bad} not")
    return not bad


# (architecture, options, whether the report is heard, an ACPI table to add)
NO_CONSOLE = [
    ("x86_64", "list exit=return", False, None),
    ("x86_64", "list exit=return", True, spcr),
    ("arm64", "list exit=return", True, None),  # QEMU's own SPCR
]


# Options, the view of pmem0 that cannot be read, where its bad line is, the verdict.
DEV = "experiment=fsdax map=dev copy=plain method=base rebinds=1 exit=return write=pmem0"
POISON = [
    ("list exit=return", "poison:1", 0x1000, "pass"),  # the superblock
    ("list exit=return", "poison:3", (256 << 20) - (2 << 20) + 0x1000, "pass"),
    (DEV, "poison:2", 0x1000, "FAIL .*pmem0 holds: poisoned "),
    (DEV + "!", "poison:2", 0x1000, "pass"),
]


def outcomes(make_outcome):
    """The sample, in tests/run.py's words."""
    for arch, args, heard, table in NO_CONSOLE:
        outcome = no_console(arch, args, heard, table() if table else None)
        where = " with SPCR" if table else ""
        yield told(make_outcome, f"no console {arch} {args}{where}", outcome)
    for arch in ("x86_64", "arm64"):
        yield told(make_outcome, f"labels {arch}", labels(arch))
        for args, fault, offset, said in POISON:
            outcome = poison(arch, args, fault, offset, said)
            yield told(make_outcome, f"poison {arch} {fault} {args}", outcome)
    for arch, scenario, fault in SAMPLE:
        outcome = inject(arch, scenario, fault)
        name = f"fault {arch} {scenario.name} {fault}"
        yield told(make_outcome, name, outcome)
    for arch, fault in SAMPLE_CUTS:
        outcome = cut(arch, fault)
        yield told(make_outcome, f"power cut {arch} before {fault}", outcome)


def told(make_outcome, name, outcome):
    if outcome.bad:
        tail = "\n".join("| " + line for line in outcome.console.splitlines()[-12:])
        return make_outcome(name, failed=1, detail=f"{outcome.bad}\n{tail}", seconds=outcome.wall)
    return make_outcome(name, passed=1, seconds=outcome.wall)


def main():
    if not sys.argv[1:] or any(arch not in guest.ARCHS for arch in sys.argv[1:]):
        sys.exit(f"usage: python3 -m tests.boot.faults {'|'.join(guest.ARCHS)} ...")
    sys.exit(0 if all([sweep(arch) for arch in sys.argv[1:]]) else 1)


if __name__ == "__main__":
    main()
