# SPDX-License-Identifier: BSD-2-Clause
"""The self-test under Bochs: an emulator that executes AVX-512, with the stock firmware.

Bochs has no exit device: the program powers the machine off, which Bochs takes for a
panic, and the verdict is the console's last line.
"""

import pathlib
import shutil
import time

import firmware
import guest
import run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIMIT_SECONDS = 300
VGA_BIOS = pathlib.Path("/usr/share/vgabios/vgabios.bin")
# Rows that only AVX-512 brings: the self-test must have run them.
MUST_HAVE = ("copy: movdqa-zmm", "copy: movntdq-zmm")

CONFIG = """megs: 512
cpu: model=corei7_skylake_x, count=1, ips=100000000, reset_on_triple_fault=0
romimage: file={firmware}, address={address:#x}
vgaromimage: file={vga}
ata0-master: type=disk, path={disk}, mode=flat
boot: disk
com1: enabled=1, mode=file, dev={serial}
display_library: rfb, options="timeout=0"
log: {log}
panic: action=fatal
error: action=ignore
info: action=ignore
debug: action=ignore
"""


def why_not():
    if not shutil.which("bochs"):
        return "Bochs is not installed (packages bochs, bochs-term, bochsbios, vgabios)"
    if not VGA_BIOS.exists():
        return f"{VGA_BIOS} is not there"
    return None


def last_line(text):
    lines = text.replace("\r", "").strip().splitlines()
    return lines[-1] if lines else ""


def self_test(out):
    """Runs it; returns what is wrong, or ""."""
    out.mkdir(parents=True, exist_ok=True)
    for left in out.glob("*.lock"):
        left.unlink()
    serial = out / "console.log"
    serial.unlink(missing_ok=True)
    image = pathlib.Path(firmware.find("x86_64"))
    disk = guest.boot_image(
        out / "disk.img",
        {"x86_64": ROOT / "build/x86_64/pagestamp.efi"},
        "selftest\nexit=shutdown\n",
    )
    (out / "bochsrc").write_text(
        CONFIG.format(
            firmware=image,
            address=(1 << 32) - image.stat().st_size,
            vga=VGA_BIOS,
            disk=disk,
            serial=serial,
            log=out / "bochs.log",
        )
    )
    (out / "continue").write_text("c\n")  # Debian's is built with the debugger
    command = ["bochs", "-q", "-f", str(out / "bochsrc"), "-rc", str(out / "continue")]
    _, _, errors, _, _, _ = run.run_qemu(
        command, timeout=LIMIT_SECONDS, alive_timeout=LIMIT_SECONDS
    )
    text = serial.read_text(errors="replace") if serial.exists() else ""
    if last_line(text) != "pagestamp: pass":
        tail = "\n".join(text.splitlines()[-15:])
        return f"the last line is {last_line(text)!r}\n{tail}\n{errors[-500:]}"
    missing = [row for row in MUST_HAVE if f" {row}" not in text]
    return f"the self-test did not run: {', '.join(missing)}" if missing else ""


def outcomes(outcome_type, out):
    name = "boot bochs: self-test with AVX-512"
    reason = why_not()
    if reason:
        yield outcome_type(name, skipped=1, detail=reason)
        return
    start = time.monotonic()
    wrong = self_test(pathlib.Path(out))
    spent = time.monotonic() - start
    yield outcome_type(
        name, passed=0 if wrong else 1, failed=1 if wrong else 0, detail=wrong, seconds=spent
    )
