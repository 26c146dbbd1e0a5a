# SPDX-License-Identifier: BSD-2-Clause
"""Ways in and out, where options come from, and what some of them do."""

import re

import guest
from tests.boot.case import BUILD, STREAMING, Case
from tests.boot.devices import GIB, Device

PMEM = {"pmem": ["256M"]}


def compact(text):
    return re.sub(r"\s", "", text)


def options_are(text):
    return lambda result: (
        "" if result.results["options"] == text else f"options: {result.results['options']!r}"
    )


def rows(result):
    return {(run["experiment"], run["method"], run["copy"]) for run in result.results["runs"]}


def typed(name, args, effective="list exit=qemu"):
    """args: what QEMU hands over as the program's load options."""
    return Case(
        f"load options: {name}", prepare=lambda *_: {"args": args}, check=options_are(effective)
    )


def config(name, text, effective, **more):
    return Case(f"pagestamp.conf: {name}", config=text, check=options_are(effective), **more)


# Refused before anything is looked at: what is typed, and what the reason says.
REFUSED = {
    "colour=red": ("colour=red: unknown option; accepted: ", " experiment range memmap "),
    "map=sideways": ("map=sideways: not a value of it; accepted: mem,dev,both",),
    "map=mem quick map=mem": ("map=mem: map was given before; accepted: once",),
    "mode=kernel": ("mode=kernel: this build does not have it yet; accepted: app",),
    "list selftest": ("list selftest: each stands in place of the exp",),
    "copy=nothere": ("copy=nothere: no such backend; ", "plain", "{nt}"),
}
FIRST = "rebinds=1 experiment=fsdax copy=plain"
THIRD = 'rebinds=1 "experiment=devdax-2m" dax_vmemmap=full copy=plain'
TOLD = "\necho ended with %lasterror%\n"
SCRIPT = (
    f"fs0:\n\\app\\pagestamp.efi {FIRST}{TOLD}cd app\n"
    + "".join(f"pagestamp {words}{TOLD}" for words in REFUSED)
    + f"pagestamp.efi {THIRD} exit=return{TOLD}pagestamp list exit=qemu\n"
)


def shell(arch, out):
    """A volume that the firmware's own shell finds a script on."""
    disk = guest.results_image(out / "disk.img")
    guest.mtools("mmd", "-i", str(disk), "::/app")
    efi = BUILD / arch / "pagestamp.efi"
    guest.mtools("mcopy", "-i", str(disk), str(efi), "::/app/pagestamp.efi")
    data = SCRIPT.replace("\n", "\r\n").encode()
    guest.mtools("mcopy", "-i", str(disk), "-", "::/startup.nsh", data=data)
    return {"disk": disk}


def wrong_refusals(result):
    runs = re.split(r"^pagestamp \S+ \S+: alive$", result.console, flags=re.M)[2:]
    for run, (words, reasons) in zip(runs, REFUSED.items()):
        run = run.split("ended with ")[0]
        lacking = [
            text
            for text in ("pagestamp: FAIL " + reasons[0][:40], *reasons)
            if compact(text.replace("{nt}", STREAMING[result.arch])) not in compact(run)
        ]
        if lacking or re.search(r"^(base|template|stamp) ", run, re.M):
            return f"{words}: {lacking} is not said, or something ran: {run}"
    return ""


def from_the_shell(result):
    nr = len(REFUSED)
    ended = re.findall(r"^ended with (\S+)", result.console, re.M)
    if ended != ["0x0", *["0x15"] * nr, "0x0"]:  # EFI_ABORTED
        return f"the shell saw {ended}"
    said = re.findall(r"^pagestamp: (pass|FAIL)", result.console, re.M)
    if said != ["pass", *["FAIL"] * nr, "pass", "pass"]:
        return f"verdicts: {said}"
    wrong = wrong_refusals(result)
    if wrong:
        return wrong
    if "press a key" in result.console:
        return "it waits for a key, though a shell waits for it"
    files = guest.mtools("mdir", "-b", "-i", str(result.out / "disk.img"), "::/pagestamp/")
    numbers = re.findall(r"results-(\d+)\.(\w+)", files.decode())
    if sorted(numbers) != [("1", "json"), ("2", "json"), ("3", "json")]:
        return f"results files: {numbers}"
    first = guest.mtools("mtype", "-i", str(result.out / "disk.img"), "::/pagestamp/results-1.json")
    if b"experiment=fsdax" not in first:
        return "results-1.json is not the first run's"
    return ""


def nothing_verified(result):
    if rows(result) != {("fsdax", "base", None), ("fsdax", "stamp", "plain")}:
        return f"rows: {rows(result)}"
    if {run["range"] for run in result.results["runs"]} != {"pmem1"}:
        return "range=pmem1 is not what ran"
    if any(run["verified"] is not None for run in result.results["runs"]):
        return "verified, though verify=off"
    if any(run["rebind_ns"]["n"] != 7 for run in result.results["runs"]):
        return "not 7 rebinds"
    skipped = {item["what"]: item["why"] for item in result.results["skipped"]}
    if skipped.get("range pmem0") != "not named by range=":
        return f"skipped: {skipped}"
    return ""


def dumped(result):
    """The words of two compounds of a traced base; template and stamp step aside."""
    if rows(result) != {("devdax-2m", "base", None)}:
        return f"rows: {rows(result)}"
    run = result.results["runs"][0]
    which = [(dump["compound"], dump["which"]) for dump in run["dump"]]
    if which != [(c, w) for c in (0, 1) for w in ("head", "tail1", "tail2", "tail3", "last")]:
        return f"dumped: {which}"
    skipped = {item["what"] for item in result.results["skipped"]}
    if not {"method=template", "method=stamp"} <= skipped:
        return f"skipped: {skipped}"
    if run["verified"] is not True:
        return "not verified"
    return ""


CASES = [
    typed("blanks and tabs", "  list\t\t exit=qemu   "),
    typed("the program's path first", "\\EFI\\pagestamp\\pagestamp.efi list exit=qemu"),
    typed("quotes", '"pagestamp.efi" "list" exit="qemu"'),
    typed("long", "list" + " " * 1000 + "exit=qemu"),
    config(
        "lines, comments, blanks",
        "# what to do\n\n  list   # and no more\n\tdump=3 format=simple\n#map=dev\nexit=qemu\n",
        "list dump=3 format=simple exit=qemu",
        never=(r"^Skipped",),
    ),
    config(
        "of another system",
        "\ufefflist\r\n# gr\u00fc\u00dfe\r\nexit=qemu\r\nbudget=7",
        "list exit=qemu budget=7",
    ),
    Case(
        "pagestamp.conf: a key given twice",
        config="exit=qemu\nmap=mem\nquick\nmap=mem\n",
        guest=PMEM,
        fails="map=mem: map was given before; accepted: once",
    ),
    # Memory for one memmap: the second run finds what the first gave back.
    Case(
        "from the UEFI shell",
        prepare=shell,
        guest={"mem": "256M"},
        devices=(Device(6 * GIB, head="raw-ext4"),),
        check=from_the_shell,
    ),
    Case("exit=shutdown", args="list exit=shutdown", status=0),
    Case("exit=reset", args="list exit=reset", status=0),
    Case(
        "range= method= copy= rebinds= verify= format=",
        args="range=pmem1 method=base,stamp copy=plain rebinds=7 verify=off format=simple "
        "experiment=fsdax",
        guest={"pmem": ["256M", "128M"]},
        says=(r"^fsdax.*pmem1.*stamp.*plain",),
        check=nothing_verified,
    ),
    Case(
        "trace= dump=",
        args="experiment=devdax-2m trace=page_ref_set dump=2 rebinds=1",
        guest=PMEM,
        check=dumped,
    ),
]
