#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Boots pagestamp under QEMU and fetches what it says: `make run`, and the boot tests' module.

    tools/run.py ARCH ...       with the Makefile's variables in the environment

The program is handed over by -kernel: the quickest way in. Its results land on a small
FAT image, because the volume that -kernel makes up cannot be written.
"""

import dataclasses
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

import guest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PASS_CODE = 0x2A  # include/pagestamp/exit.h
FAIL_CODE = 0x2B
JSON_BEGIN = "-----BEGIN PAGESTAMP JSON-----"
JSON_END = "-----END PAGESTAMP JSON-----"
ALIVE = re.compile(r"^pagestamp \S+ \S+: alive$", re.M)
ALIVE_SECONDS = 90  # a firmware that found nothing to boot sits in its shell for ever
ALIVE_SECONDS_ICOUNT = 300  # where its delay loops are counted in instructions
PROBE_SECONDS = 20
# It may wait for a key, 10 s, and a firmware given back by a failed program does not end.
VERDICT = re.compile(r"^pagestamp: (?:pass|FAIL.*)$", re.M)
VERDICT_SECONDS = 60


@dataclasses.dataclass
class Result:
    status: int  # QEMU's; None when it was killed for time
    console: str
    results: dict  # None when there are none
    results_text: str
    results_from: str
    wall: float
    alive_after: float  # seconds until the alive line; None when it never came
    errors: str  # what QEMU itself complained about
    why: str  # "" = passed

    @property
    def passed(self):
        return not self.why

    @property
    def report(self):
        return report_of(self.console)


def report_of(console):
    """From the alive line on, without the JSON."""
    alive = ALIVE.search(console)
    text = console[alive.start() :] if alive else console
    begin, end = text.find(JSON_BEGIN), text.find(JSON_END)
    if 0 <= begin < end:
        text = text[:begin] + text[end + len(JSON_END) :].lstrip("\n")
    return text


class ConsoleFilter:
    """The serial line as plain text: no CR, and none of the firmware's escape codes."""

    ESCAPE = re.compile(rb"\x1b\[[0-9;=?]*[@-~]|\x1b[^\[]")
    UNFINISHED = re.compile(rb"\x1b(\[[0-9;=?]*)?\Z")

    def __init__(self):
        self.rest = b""

    def feed(self, data):
        data = self.rest + data
        cut = self.UNFINISHED.search(data)
        self.rest = data[cut.start() :] if cut else b""
        data = data[: cut.start()] if cut else data
        data = self.ESCAPE.sub(b"", data).replace(b"\r", b"")
        return data.decode("utf-8", "replace")


started = []  # process groups: every QEMU of this process, ended or not


def kill_started():
    for group in started:
        try:
            os.killpg(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def show(text):
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # nobody looks any more; the run itself goes on
        sys.stdout = open(os.devnull, "w")


def run_qemu(
    command,
    *,
    timeout,
    alive_timeout=ALIVE_SECONDS,
    verdict_timeout=VERDICT_SECONDS,
    log=None,
    live=False,
    until=None,
):
    """Runs QEMU to its end, to a limit, or until `until` matches the console.

    Returns (status, console, errors, wall, alive_after, why_stopped).
    """
    start = time.monotonic()
    state = {"console": "", "alive": None, "verdict": None, "matched": False}
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    started.append(process.pid)
    errors = []

    def read_console():
        plain = ConsoleFilter()
        while data := process.stdout.read1(65536):
            text = plain.feed(data)
            state["console"] += text
            if log:
                log.write(text)
                log.flush()
            if live:
                show(text)
            if state["alive"] is None and ALIVE.search(state["console"]):
                state["alive"] = time.monotonic() - start
            if state["verdict"] is None and VERDICT.search(state["console"]):
                state["verdict"] = time.monotonic() - start
            if until and until.search(state["console"]):
                state["matched"] = True
                return

    readers = [
        threading.Thread(target=read_console, daemon=True),
        threading.Thread(
            target=lambda: errors.append(process.stderr.read().decode("utf-8", "replace")),
            daemon=True,
        ),
    ]
    why = ""
    try:
        for reader in readers:
            reader.start()
        while process.poll() is None and not state["matched"]:
            now = time.monotonic() - start
            if now > timeout:
                why = f"still running after {timeout:g} s (TIMEOUT)"
                break
            if state["verdict"] is not None and now > state["verdict"] + verdict_timeout:
                said = VERDICT.search(state["console"])[0]
                why = f"said '{said}' and did not end within {verdict_timeout:g} s"
                break
            if state["alive"] is None and now > alive_timeout:
                why = f"no sign of life from the program within {alive_timeout:g} s"
                break
            time.sleep(0.02)
    finally:
        # Whatever happened, an interrupt included, nothing of QEMU stays behind.
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        for reader in readers:
            reader.join(5)
    status = None if why or state["matched"] else process.returncode
    wall = time.monotonic() - start
    return status, state["console"], "".join(errors), wall, state["alive"], why


def probe_kvm(arch, efi):
    """(True, why) when this machine's KVM really boots the program."""
    machine = {"x86_64": "x86_64", "arm64": "aarch64"}[arch]
    if os.uname().machine != machine:
        return False, f"this machine is not {arch}"
    if not os.path.exists("/dev/kvm"):
        return False, "no /dev/kvm"
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False, "/dev/kvm: permission denied"
    # It can exist and still not get through a firmware: only a boot tells.
    print(f"accelerator: trying /dev/kvm, {PROBE_SECONDS} s at most (not with ACCEL=tcg)", flush=True)
    command = guest.command(arch, efi=efi, args="list exit=qemu", accel="kvm", pmem=[], mem="512M")
    _, _, errors, _, alive, _ = run_qemu(
        command, timeout=PROBE_SECONDS, alive_timeout=PROBE_SECONDS, until=ALIVE
    )
    if alive is not None:
        return True, f"it booted in {alive:.1f} s"
    # What KVM says, without the registers and the code that it dumps behind that.
    reason = errors.strip().splitlines()[:1] or [f"no boot within {PROBE_SECONDS} s"]
    return False, f"/dev/kvm is there but does not boot: {reason[0]}"


def judge(arch, accel, status, console, why):
    """Why this run is not a pass; "" when it is one."""
    if why:
        return why
    lines = [line for line in console.splitlines() if line.strip()]
    last = lines[-1].strip() if lines else ""
    code = guest.exit_code(arch, accel, status)
    if code == PASS_CODE and last == "pagestamp: pass":
        return ""
    if last.startswith("pagestamp: FAIL"):
        return last
    if not ALIVE.search(console):
        return f"QEMU ended with status {status} before the program said anything"
    if code == PASS_CODE:
        return f"passed by exit code, but the console's last line is {last!r}"
    if last == "pagestamp: pass":
        return f"'pagestamp: pass' was printed, but QEMU's exit status {status} is not the pass code"
    return f"ended without a verdict: QEMU's status {status}, last line {last!r}"


def boot(arch, *, out, live=False, timeout=1800, results=True, **options):
    """Boots once; `options` are guest.command()'s. What it leaves lies in directory `out`."""
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    for name in ("results.json", "report.txt", "console.log"):
        (out / name).unlink(missing_ok=True)
    image = guest.results_image(out / "esp.img") if results else None
    command = guest.command(arch, image=image, **options)
    alive_timeout = ALIVE_SECONDS if options.get("icount") is None else ALIVE_SECONDS_ICOUNT
    with open(out / "console.log", "w") as log:
        status, console, errors, wall, alive, why = run_qemu(
            command, timeout=timeout, alive_timeout=alive_timeout, log=log, live=live
        )
    why = judge(arch, options.get("accel", "tcg"), status, console, why)

    disk = options.get("disk") or image
    text, source = (guest.newest_results(disk) if disk else None), "image"
    if text is None and JSON_BEGIN in console and JSON_END in console:
        text, source = console.split(JSON_BEGIN)[1].split(JSON_END)[0].lstrip("\n"), "console"
    parsed = None
    if text is not None:
        (out / "results.json").write_text(text)
        try:
            parsed = json.loads(text)
        except ValueError as error:
            why = why or f"results.json is not JSON: {error}"
    (out / "report.txt").write_text(report_of(console))
    return Result(
        status, console, parsed, text, source if text else None, wall, alive, errors, why
    )


def add_missing(args, defaults):
    """`args` and those of `defaults` whose key it lacks."""
    have = {word.split("=", 1)[0] for word in args.split()}
    return " ".join([args.strip(), *(d for d in defaults if d.split("=", 1)[0] not in have)]).strip()


def choose_accel(arch, efi, wish, icount):
    if wish not in ("auto", "kvm", "tcg"):
        sys.exit(f"run.py: ACCEL={wish}: expected auto, kvm or tcg")
    if icount is not None:
        if wish == "kvm":
            sys.exit(f"run.py: ACCEL=kvm ICOUNT={icount}: only TCG counts instructions")
        print(f"accelerator: tcg, counting instructions: 1 instruction = {2**icount} ns")
        return "tcg"
    if wish == "tcg":
        print("accelerator: tcg (asked for)")
        return "tcg"
    works, why = probe_kvm(arch, efi)
    if works:
        print(f"accelerator: kvm ({why})")
        return "kvm"
    if wish == "kvm":
        sys.exit(f"run.py: ACCEL=kvm: {why}")
    print(f"accelerator: tcg ({why})")
    return "tcg"


def check_text(args):
    """The program takes anything else for a firmware's data, not for options."""
    for word in args.split():
        if not (word.isascii() and word.isprintable()):
            sys.exit(f"run.py: ARGS: {word!a}: expected printable ASCII characters")


def number(name, value, low, high):
    if not re.fullmatch(r"\d+", value) or not low <= int(value) <= high:
        sys.exit(f"run.py: {name}={value}: expected a number from {low} to {high}")
    return int(value)


def run(arch):
    """One `make run`; True when it passed."""
    env = {key: os.environ.get(key, "") for key in ("ARGS", "MEM", "ACCEL", "QEMU_ARGS")}
    out = pathlib.Path(os.environ.get("RUN_DIR") or ROOT / "build/run") / arch
    efi = ROOT / "build" / arch / "pagestamp.efi"
    icount = os.environ.get("ICOUNT") or None
    icount = number("ICOUNT", icount, 0, 10) if icount else None
    smp = number("SMP", os.environ.get("SMP") or "1", 1, 255)
    timeout = number("TIMEOUT", os.environ.get("TIMEOUT") or "1800", 1, 10**6)

    out.mkdir(parents=True, exist_ok=True)
    accel = choose_accel(arch, efi, env["ACCEL"] or "auto", icount)
    exit_way = "exit=qemu" if guest.has_exit_device(arch, accel) else "exit=shutdown"
    # quick has a budget of its own
    defaults = [exit_way] + ([] if "quick" in env["ARGS"].split() else ["budget=30"])
    if "PMEM" in os.environ:
        pmem = os.environ["PMEM"].split()
    else:
        pmem = [str(guest.default_pmem(out / "pmem0.img"))]
        defaults += ["map=both", "write=pmem0!"]
    check_text(env["ARGS"])
    args = add_missing(env["ARGS"], defaults)
    print(f"booting {arch}: {args}", flush=True)
    result = boot(
        arch,
        out=out,
        live=True,
        timeout=timeout,
        efi=efi,
        args=args,
        accel=accel,
        icount=icount,
        pmem=pmem,
        mem=env["MEM"] or "4G",
        smp=smp,
        extra=shlex.split(env["QEMU_ARGS"]),
    )
    if result.errors.strip():
        print(result.errors.rstrip(), file=sys.stderr)
    if result.results_text is None:
        if result.passed and "selftest" not in args.split():
            print("run.py: no results.json, neither on the image nor on the console", file=sys.stderr)
    elif result.results_from != "image":
        print("run.py: results.json taken from the console: none on the image", file=sys.stderr)
    shown = os.path.relpath(out)
    verdict = "passed" if result.passed else f"FAILED: {result.why}"
    print(f"{arch}: {verdict} ({result.wall:.1f} s); see {shown}/report.txt", flush=True)
    return result.passed


def main():
    # So that an ending shell or make takes QEMU along, through run_qemu()'s finally.
    for number_of in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number_of, lambda *_: sys.exit(143))
    archs = sys.argv[1:]
    if not archs or any(arch not in guest.ARCHS for arch in archs):
        sys.exit(f"usage: run.py {'|'.join(guest.ARCHS)} ...")
    for tool in ("mformat", "mcopy"):
        if not shutil.which(tool):
            sys.exit(f"run.py: {tool} not found: install mtools")
    try:
        passed = [run(arch) for arch in archs]
    except (guest.GuestError, LookupError) as error:
        sys.exit(f"run.py: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    main()
