# SPDX-License-Identifier: BSD-2-Clause
"""console=: UARTs that the program drives itself, and those that it must not touch."""

from tests.boot.case import Case

import run as runner


def once_more(result):
    """What was said to the firmware's console is said again; what follows is said once."""
    lines = result.console.split("\n")
    alive = [line for line in lines if line.endswith(": alive")]
    if len(alive) != 2 or alive[0] != alive[1]:
        return f"alive: {alive}"
    if result.console.count(runner.JSON_BEGIN) != 1 or lines.count("pagestamp: pass") != 1:
        return "the report is not there once"
    return "" if result.results_from == "image" else "no results file"


def uart(arch, console):
    return Case(
        f"console={console}", archs=(arch,), args=f"list console={console}", check=once_more
    )


def refused(arch, console, why):
    return Case(
        f"console={console}: refused",
        archs=(arch,),
        args=f"list console={console}",
        fails=f"console=: {why}",
        never=(r"^ranges ",),
        timeout=60,
    )


CASES = [
    uart("x86_64", "ttyS0"),
    uart("x86_64", "ttyS0,115200"),
    uart("arm64", "pl011,0x9000000"),
    Case("console= in pagestamp.conf", config="list\nconsole=efi\nexit=qemu\n"),
    refused("arm64", "ttyS0", "this architecture has no I/O ports$"),
    refused("arm64", "pl011,0x40000000", "0x40000000 is memory$"),
    refused("arm64", "mmio32,0x10000000000000", "the firmware does not map 0x10000000000000$"),
    refused("x86_64", "mmio32,0x100000", "0x100000 is memory$"),
    refused("x86_64", "pl011,0x400000000000", "the firmware does not map 0x400000000000$"),
    refused("x86_64", "mmio32,0xd0000000", "no UART answers at address 0xd0000000$"),
]
