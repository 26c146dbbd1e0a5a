# SPDX-License-Identifier: BSD-2-Clause
"""Every call of the firmware fails once, each in a boot of its own: `make faults`.

    python3 -m tests.boot.faults ARCH ...       the sweep: every site, and some more
    outcomes()                                  a sample of it, for `make test`

After a fault the program either FAILs with its reason or goes on and says so; it gives
back all that it took, and leaves by the way it was asked to, with the right status.
"""

import dataclasses
import pathlib
import random
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT)]

import guest  # noqa: E402
import run as runner  # noqa: E402
from tests.boot.case import BUILD  # noqa: E402

TIMEOUT = 90
OWN = ("malloc", "window")  # not the firmware's
# A close that failed, or memory that the firmware did not take back, is what is tested.
MAY_KEEP = {"FreePages": "pages", "FreePool": "pools"}
SUCCESS, ABORTED = 0, 0x8000000000000015


@dataclasses.dataclass
class Scenario:
    name: str
    args: str
    pmem: tuple = ("256M",)
    by_file: bool = False  # booted by the firmware, the options in pagestamp.conf


BENCH = "copy=plain method=base,stamp rebinds=1 exit=return "
SCENARIOS = [
    Scenario("list", "list exit=return"),
    Scenario("fsdax", BENCH + "experiment=fsdax map=both write=pmem0!"),
    Scenario("devdax-2m", BENCH + "experiment=devdax-2m map=both write=pmem0!"),
    Scenario("memory", BENCH + "experiment=hugetlb,memmap hugepages=16 hugetlb_free_vmemmap=on"),
    Scenario("memmap=", "list exit=return memmap=16M!256M", pmem=()),
    Scenario("reset", "list exit=reset"),
    Scenario("conf", "list\nexit=auto\n", by_file=True),
]


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


def boot(arch, scenario, fault, out, until=None):
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
        options.update(efi=image(arch), args=scenario.args, image=volume)
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
        return re.search(r"memory", console)
    if call == "OutputString":
        return "[console: " in console
    return re.search(rf"^note: .*\b{call}\b.* failed", console, re.M) or re.search(
        r"^results not written to a file: .*device error", console, re.M
    )


def wrong(call, scenario, status, console, why):
    """What is wrong with how a fault was survived; "" = nothing."""
    if why:
        return f"it hangs, or QEMU complains: {why}"
    if status != 0:
        return f"QEMU ended with {status}"
    if not re.search(r"^fault: .* fails$", console, re.M):
        return "the fault was not reached"
    said = verdict(console)
    if not said:
        return "no verdict"
    if said == "FAIL" or "assertion" in said:
        return f"no clear reason: {said}"
    if said == "pass" and not says(call, console):
        return "it goes on and does not say so"
    if scenario.args.endswith("exit=reset") and call != "ResetSystem":
        left = re.search(r"^fault: ResetSystem 0 with 0x(\w+)$", console, re.M)
    else:
        left = re.search(r"^fault: (?:Exit with|entry returned) 0x(\w+)$", console, re.M)
    if not left and call == "Exit":
        left = re.search(r"^fault: ResetSystem 0 with 0x(\w+)$", console, re.M)
    if not left:
        return "it did not leave as asked"
    if int(left[1], 16) != (SUCCESS if said == "pass" else ABORTED):
        return f"it left with 0x{left[1]} after '{said}'"
    held = dict(re.findall(r" (\w+) (-?\d+)", re.findall(r"^fault: held:.*", console, re.M)[-1]))
    held.pop(MAY_KEEP.get(call), None)
    if scenario.args.endswith("exit=reset"):
        held = {"tpl": held["tpl"]}
    if any(int(nr) for nr in held.values()):
        return f"not given back: {held}"
    return ""


def inject(arch, scenario, fault):
    call = fault.split(":")[0]
    out = BUILD / "test" / "faults" / f"{arch}-{scenario.name}-{re.sub(r'[^0-9A-Za-z]', '-', fault)}"
    status, console, why, wall, _ = boot(arch, scenario, fault, out)
    bad = wrong(call, scenario, status, console, why)
    if not bad:
        shutil.rmtree(out)  # what failed keeps its console
    return Outcome(fault, console, verdict(console), wall, bad)


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
                wanted.setdefault(f"{call}:{dice.randint(1, calls)}", "any site")
                wanted.setdefault(f"{call}:{dice.randint(1, calls)}+", "this and all later")
        wanted |= {f"random:{dice.randint(1, 10**6)}": "whatever comes" for _ in range(2)}
        for fault, where in wanted.items():
            outcome = inject(arch, scenario, fault)
            faults += 1
            bad += bool(outcome.bad)
            state = "FAIL" if outcome.bad else "ok"
            print(f"{state:4}  {arch} {scenario.name:9} {fault:22} {where:36} {outcome.wall:5.1f} s")
            print(f"      {outcome.bad or outcome.verdict}", flush=True)
    print(f"{arch}: {len(seen)} call sites, {faults} faults: {faults - bad} survived, {bad} not")
    return not bad


def main():
    if not sys.argv[1:] or any(arch not in guest.ARCHS for arch in sys.argv[1:]):
        sys.exit(f"usage: python3 -m tests.boot.faults {'|'.join(guest.ARCHS)} ...")
    sys.exit(0 if all([sweep(arch) for arch in sys.argv[1:]]) else 1)


if __name__ == "__main__":
    main()
