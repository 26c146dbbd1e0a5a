# SPDX-License-Identifier: BSD-2-Clause
"""What stays on a device is what Linux leaves there, and nothing else of it changed."""

from tests.boot import linux_words
from tests.boot.case import Case
from tests.boot.devices import GIB, MIB, Device, descriptors

# Counted on devices that Linux had bound: tests/data/nvdimm/README.md.
COUNTS = {
    "fsdax": (2063872, 0, 0),
    "devdax-2m": (4031, 4031, 2055810),
    "devdax-1g": (7, 7, 1834994),
}
# Device offset of the first descriptor, and of the first data page.
AREA = {
    "fsdax": (2 * MIB + 64 * 33280, 130 * MIB),
    "devdax-2m": (2 * MIB + 64 * 33280, 130 * MIB),
    "devdax-1g": (2 * MIB + 64 * 262144, GIB),
}


def case(experiment, head, write, args="copy=plain,{nt}", name=""):
    def base(result):
        return int(result.results["ranges"][0]["base"], 16)

    def may_write(result, _):
        begin, end = descriptors(experiment, base(result), 8 * GIB)
        assert begin == AREA[experiment][0] and end <= AREA[experiment][1]
        return [(begin, end)]

    def check(result):
        made = result.devices[0]
        wrong = linux_words.wrong_descriptors(made, result.arch, experiment, base(result))
        if wrong:
            return wrong
        got = linux_words.counts(made, result.arch, experiment, base(result))
        return "" if got == COUNTS[experiment] else f"heads and tails: {got}"

    return Case(
        f"left on the device: {experiment}{name}",
        args=f"rebinds=1 experiment={experiment} map=dev write=pmem0{write} {args}",
        devices=(Device(head=head),),
        may_write=may_write,
        check=check,
    )


CASES = [
    case("fsdax", "fsdax-dev-2M", ""),
    case("devdax-2m", "devdax-dev-2M", ""),
    case("devdax-2m", "fsdax-mem-2M", "!", "method=base,template copy=plain,{nt}", " by template"),
    case("devdax-1g", "fsdax-dev-2M-label", "!"),
    case("fsdax", "raw-gpt", "!", "method=base verify=off", " by the base"),
]
