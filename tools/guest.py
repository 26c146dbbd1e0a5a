# SPDX-License-Identifier: BSD-2-Clause
"""What the guest consists of: QEMU's command line, NVDIMMs, and the images it sees."""

import os
import pathlib
import re
import subprocess

import firmware

ARCHS = ("x86_64", "arm64")
ROOT = pathlib.Path(__file__).resolve().parent.parent
GIB = 1 << 30
DEFAULT_PMEM_BYTES = 8 * GIB
# What Linux and ndctl left on such a device; see the README beside it.
DEFAULT_PMEM_HEAD = ROOT / "tests/data/nvdimm/fsdax-dev-2M.head.bin"
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


class GuestError(Exception):
    """Something asked for that cannot be; says what and what would be right."""


def parse_size(text, what):
    match = re.fullmatch(r"(\d+)([KMGT]?)", text, re.I)
    if not match or int(match[1]) == 0:
        raise GuestError(f"{what}: '{text}' is no size; expected a number with K, M, G or T")
    return int(match[1]) * UNITS[match[2].upper()]


def has_exit_device(arch, accel):
    """Semihosting is TCG's alone: under KVM an arm64 guest can only power off."""
    return arch == "x86_64" or accel != "kvm"


def exit_code(arch, accel, status):
    """The code that the program handed to QEMU's exit device; None when it was not that."""
    if status is None or status < 0:
        return None
    if not has_exit_device(arch, accel):
        # Nothing better is to be had; the console's last line has to carry the verdict.
        return 0x2A if status == 0 else None
    if arch == "x86_64":
        return status >> 1 if status & 1 else None
    return status


def mtools(*command, data=b""):
    """One command of mtools; `data` is its standard input."""
    try:
        return subprocess.run(
            command, check=True, capture_output=True, timeout=60, input=data
        ).stdout
    except subprocess.CalledProcessError as error:
        raise GuestError(f"{command[0]}: {error.stderr.decode(errors='replace').strip()}") from error


def results_image(path):
    """A fresh FAT volume with the directory that the program looks for."""
    path = pathlib.Path(path)
    path.unlink(missing_ok=True)
    mtools("mformat", "-C", "-F", "-T", "131072", "-v", "PAGESTAMP", "-i", str(path), "::")
    mtools("mmd", "-i", str(path), "::/pagestamp")
    return path


def boot_image(path, efis, config=None):
    """A FAT volume that firmware boots by itself: {arch: efi file}, and pagestamp.conf's text."""
    path = results_image(path)
    mtools("mmd", "-i", str(path), "::/EFI", "::/EFI/BOOT")
    names = {"x86_64": "BOOTX64.EFI", "arm64": "BOOTAA64.EFI"}
    for arch, efi in efis.items():
        mtools("mcopy", "-i", str(path), str(efi), f"::/EFI/BOOT/{names[arch]}")
    if config is not None:
        data = config if isinstance(config, bytes) else config.encode()
        mtools("mcopy", "-i", str(path), "-", "::/pagestamp/pagestamp.conf", data=data)
    return path


def newest_results(image):
    """The text of the highest-numbered results file on the image, or None."""
    try:
        listing = mtools("mdir", "-b", "-i", str(image), "::/pagestamp/").decode(errors="replace")
    except GuestError:
        return None
    numbers = [int(n) for n in re.findall(r"results-(\d+)\.json", listing)]
    if not numbers:
        return None
    name = f"::/pagestamp/results-{max(numbers)}.json"
    return mtools("mtype", "-i", str(image), name).decode(errors="replace")


def default_pmem(path, head=DEFAULT_PMEM_HEAD, size=DEFAULT_PMEM_BYTES):
    """A fresh sparse backing file that begins as `head` does."""
    path = pathlib.Path(path)
    path.unlink(missing_ok=True)
    with open(path, "wb") as f:
        f.write(head.read_bytes())
        f.truncate(size)
    return path


def nvdimm(index, item):
    """(QEMU arguments, bytes, node) of one PMEM item."""
    source, *properties = item.split(",")
    for text in properties:
        if not re.fullmatch(r"[\w-]+=[^=]+", text):
            raise GuestError(f"PMEM item '{item}': '{text}' is no property; expected name=value")
    if re.fullmatch(r"\d+[KMGT]?", source, re.I):
        size = parse_size(source, f"PMEM item '{item}'")
        backend = f"memory-backend-memfd,id=nv{index},size={size},share=on,reserve=off"
    else:
        path = pathlib.Path(source)
        if not path.is_file():
            raise GuestError(
                f"PMEM item '{item}': no such file; expected a size (16G) or an existing backing file"
            )
        size = path.stat().st_size
        if not size:
            raise GuestError(f"PMEM item '{item}': the file is empty")
        name = str(path).replace(",", ",,")
        backend = f"memory-backend-file,id=nv{index},mem-path={name},size={size},share=on"
    node = dict(text.split("=", 1) for text in properties).get("node", "0")
    if not re.fullmatch(r"\d{1,2}", node):
        raise GuestError(f"PMEM item '{item}': node={node}: expected a number from 0 to 99")
    device = ",".join([f"nvdimm,id=nvdimm{index},memdev=nv{index}", *properties])
    return ["-object", backend, "-device", device], size, int(node)


def memory(mem, pmem_bytes, nr_pmem, nodes):
    """QEMU arguments for RAM that is reserved only as it is touched; MEM='2G,2G' = two nodes."""
    sizes = [parse_size(text, f"MEM={mem}") for text in mem.split(",")]
    nodes = max(nodes, len(sizes))
    slots = max(4, nr_pmem)
    # Each NVDIMM is aligned to 1 GiB in the hot-plug area: one more for each.
    maxmem = sum(sizes) + pmem_bytes + slots * GIB
    arguments = ["-m", f"size={sum(sizes) >> 20}M,slots={slots},maxmem={-(-maxmem // GIB)}G"]
    for i, size in enumerate(sizes):
        arguments += ["-object", f"memory-backend-ram,id=ram{i},size={size},reserve=off"]
    if nodes == 1:
        arguments += ["-machine", "memory-backend=ram0"]
    else:
        for i in range(nodes):
            backend = f",memdev=ram{i}" if i < len(sizes) else ""
            arguments += ["-numa", f"node,nodeid={i}{backend}"]
    return arguments, maxmem


def command(
    arch,
    *,
    efi=None,
    args="",
    image=None,
    disk=None,
    accel="tcg",
    icount=None,
    pmem=(),
    mem="4G",
    smp=1,
    el2=False,
    cpu=None,
    acpi_tables=(),
    extra=(),
):
    """QEMU's command line.

    efi, args    boot this program by -kernel; args is text, or bytes passed as they are
    disk         or boot this disk image as firmware does (guest.boot_image())
    image        a further volume, for the results
    el2          arm64: enter at EL2
    acpi_tables  x86_64: files with whole ACPI tables, added to the firmware's
    """
    if (efi is None) == (disk is None):
        raise GuestError("exactly one of efi and disk boots")
    dimms, pmem_bytes, nodes = [], 0, 1
    for index, item in enumerate(pmem):
        arguments, size, node = nvdimm(index, item)
        dimms += arguments
        pmem_bytes += size
        nodes = max(nodes, node + 1)
    ram, maxmem = memory(mem, pmem_bytes, len(pmem), nodes)

    if arch == "x86_64":
        program, machine = "qemu-system-x86_64", "q35,nvdimm=on"
        cpu = cpu or "max"
        # QEMU's default of 40 bits ends at 1 TiB.
        if maxmem > 900 * GIB:
            cpu += ",phys-bits=46" if accel == "tcg" else ",host-phys-bits=on"
        exit_device = ["-device", "isa-debug-exit,iobase=0xf4,iosize=4"]
    else:
        program, machine = "qemu-system-aarch64", "virt,nvdimm=on"
        # "max" has what a server has (LSE, SVE); "impdef" makes its pointer authentication cheap.
        cpu = cpu or ("max,pauth-impdef=on" if accel == "tcg" else "host")
        if accel == "kvm":
            machine += ",gic-version=host"
        if el2:
            machine += ",virtualization=on"
        exit_device = ["-semihosting-config", "enable=on,target=native"]
    if not has_exit_device(arch, accel):
        exit_device = []

    # The program cannot see from inside what drives it, and its figures depend on it.
    told = ["pagestamp:accel=" + ("tcg-icount" if icount is not None else accel)]
    if icount is not None:
        told.append(f"pagestamp:icount={icount}")
    line = [
        program,
        *("-nodefaults", "-no-user-config", "-no-reboot", "-net", "none"),
        *("-vga", "none", "-display", "none", "-parallel", "none"),
        *("-chardev", "stdio,id=console,signal=off", "-serial", "chardev:console"),
        *("-machine", machine, "-accel", accel, "-cpu", cpu, "-smp", str(smp)),
        *("-bios", firmware.find(arch)),
        *("-smbios", "type=11," + ",".join(f"value={text}" for text in told)),
        *ram,
        *dimms,
        *exit_device,
    ]
    if icount is not None:
        line += ["-icount", f"shift={icount},sleep=off"]
    if efi is not None:
        if not os.path.isfile(efi):
            raise GuestError(f"{efi}: no such file; build it first")
        line += ["-kernel", str(efi)]
        if args:
            line += ["-append", args]
    else:
        # Without a menu's time-out AAVMF waits five seconds before it boots.
        line += ["-boot", "menu=on,splash-time=0"]
    for i, volume in enumerate(v for v in (disk, image) if v):
        name = str(volume).replace(",", ",,")
        line += ["-drive", f"file={name},format=raw,if=none,id=disk{i}"]
        line += ["-device", f"virtio-blk-pci,drive=disk{i}"]
    for table in acpi_tables:
        line += ["-acpitable", f"file={table}"]
    return [*line, *extra]
