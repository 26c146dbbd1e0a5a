# SPDX-License-Identifier: BSD-2-Clause
"""What a kernel leaves in a device's descriptor area, from tests/data/linux-struct-page."""

import array
import pathlib
import sys

from tests.boot import devices

README = pathlib.Path(__file__).resolve().parent.parent / "data/linux-struct-page/README.md"
ROWS = {
    "fsdax": "6.12 fsdax, every page",
    "head": "6.12 devdax head",
    "tail1": "6.12 devdax tail 1 (2 MiB)",
    "tail": "6.12 devdax tails 2..last",
}
DEVICE_FLAGS = {"x86_64": 0x0027FFFFC0002000, "arm64": 0x09FFFF0000002000}
ORDER = {"fsdax": 0, "devdax-2m": 9, "devdax-1g": 18}


def dumped(arch, order):
    """{row: its eight words as dumped from Linux 6.12}; the words that point are texts."""
    rows = {}
    for line in README.read_text().splitlines():
        # "head\|1" is a cell of its own, but for Markdown.
        cells = [cell.strip() for cell in line.replace("\\|", "+").strip("|").split("|")]
        for row, label in ROWS.items():
            if cells[0] != label:
                continue
            words = [text if text in ("pgmap", "head+1") else int(text, 16) for text in cells[1:]]
            words[0] += DEVICE_FLAGS[arch] - DEVICE_FLAGS["x86_64"]
            rows[row] = words + [0]  # memcg_data
    # 7.x, not 6.12: FS_DAX pages start with a count of 0.
    rows["fsdax"][6] &= 0xFFFFFFFF
    # Dumped from 2 MiB compounds: the order, and the number of pages.
    rows["tail1"][0] += order - 9
    rows["tail1"][4] = 1 << order
    return rows


def wrong_descriptors(made, arch, experiment, base, dataoff=None):
    """Every descriptor on the device against what Linux leaves; "" = all is right."""
    order = ORDER[experiment]
    begin, end = devices.descriptors(experiment, base, made.device.size, dataoff)
    words = array.array("Q")
    with open(made.path, "rb") as f:
        f.seek(begin)
        words.frombytes(f.read(end - begin))
    if sys.byteorder == "big":
        words.byteswap()
    pages, compound = len(words) // 8, 1 << order
    column = [words[w::8] for w in range(8)]
    rows = dumped(arch, order)

    pgmap = column[1][0]
    if pgmap == 0 or pgmap % 8:
        return f"pgmap is {pgmap:#x}"
    link = column[1][1] if order else 0  # of the first compound's tails
    for w in range(8):
        if order == 0:
            value = rows["fsdax"][w]
            expected = array.array("Q", [pgmap if value == "pgmap" else value]) * pages
        elif w == 1:
            expected = array.array("Q")
            for i in range(pages // compound):
                expected.append(pgmap)
                expected.extend(
                    array.array("Q", [link + i * compound * 64]) * (compound - 1)
                )
        else:
            one = array.array("Q", [rows["head"][w], rows["tail1"][w]])
            one.extend(array.array("Q", [rows["tail"][w]]) * (compound - 2))
            expected = one * (pages // compound)
        if column[w] != expected:
            i = next(i for i in range(pages) if column[w][i] != expected[i])
            return (
                f"descriptor {i} of {experiment}, at device offset {begin + 64 * i:#x}: "
                f"word {w} is {column[w][i]:#x}, Linux's {expected[i]:#x}"
            )
    if order and link % 64 != 1:
        return f"the tails' link is {link:#x}"
    return ""


def counts(made, arch, experiment, base, dataoff=None):
    """(heads, first tails, further tails) in the descriptor area; fsdax: all are heads."""
    order = ORDER[experiment]
    begin, end = devices.descriptors(experiment, base, made.device.size, dataoff)
    words = array.array("Q")
    with open(made.path, "rb") as f:
        f.seek(begin)
        words.frombytes(f.read(end - begin))
    rows = dumped(arch, order)
    if not order:
        return words[0::8].count(rows["fsdax"][0]), 0, 0
    return (
        words[0::8].count(rows["head"][0]),
        words[0::8].count(rows["tail1"][0]),
        words[3::8].count(rows["tail"][3]),
    )
