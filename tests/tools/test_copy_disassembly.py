# SPDX-License-Identifier: BSD-2-Clause
"""Each copy is made of the instruction it is named for, and calls no memcpy().

For a copy that no machine here can execute this is all that is known of it.
"""

import pathlib
import platform
import re
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# Of a copy: each pattern, so many times in copy_<id> and in every template walk's loop.
# In stamp_<id> at least once. As objdump prints them.
XMM, YMM, ZMM = (rf"%{letter}mm\d+,.*\(%" for letter in "xyz")
INSTRUCTIONS = {
    "x86_64": {
        "movq": {r"\tmov +%r\w+,.*\(%": 8},
        "prefetchw": {r"\tprefetchw ": 1, r"\tmov +%r\w+,.*\(%": 8},
        "rep_movsb": {r"\trep movsb ": 1},
        "rep_movsq": {r"\trep movsq ": 1},
        "movdqa_xmm": {r"\tmovdqa +" + XMM: 4},
        "movdqa_ymm": {r"\tvmovdqa +" + YMM: 2},
        "movdqa_zmm": {r"\tvmovdqa64 +" + ZMM: 1},
        "movq_clwb": {r"\tmov +%r\w+,.*\(%": 8, r"\tclwb ": 1},
        "movnti": {r"\tmovnti +%r\w+,": 8},
        "movntdq_xmm": {r"\tmovntdq +" + XMM: 4},
        "movntdq_ymm": {r"\tvmovntdq +" + YMM: 2},
        "movntdq_zmm": {r"\tvmovntdq +" + ZMM: 1},
        "movdir64b": {r"\tmovdir64b ": 1},
        "clzero": {r"\tclzero": 1, r"\tmov +%r\w+,.*\(%": 1},
    },
    "arm64": {
        "stp": {r"\tstp\tx\d+, x\d+, \[x": 4},
        "stp_q": {r"\tstp\tq\d+, q\d+, \[": 2},
        "sve_st1": {r"\tst1d\t\{z\d+\.d\}, p\d+, \[": 1},
        "mops": {r"\tcpyfp\t.*\n.*\tcpyfm\t.*\n.*\tcpyfe\t": 1},
        "dc_zva": {r"\tdc\tzva, ": 1, r"\tstr\tx\d+, \[x": 1},
        "stnp": {r"\tstnp\tx\d+, x\d+, \[x": 4},
        "stnp_q": {r"\tstnp\tq\d+, q\d+, \[": 2},
        "sve_stnt1": {r"\tstnt1d\t\{z\d+\.d\}, p\d+, \[": 1},
    },
}
# What orders a streaming copy's stores, in its drain.
DRAINS = {"x86_64": r"\tsfence", "arm64": r"\tdmb\tishst"}
# Upper halves that stay in use slow down whoever comes next.
LEAVES = {"movdqa_ymm", "movdqa_zmm", "movntdq_ymm", "movntdq_zmm"}
OBJDUMP = {"x86_64": "x86_64-linux-gnu-objdump", "arm64": "aarch64-linux-gnu-objdump"}
MACHINE = {"x86_64": "x86_64", "arm64": "aarch64"}


def objdump(arch):
    return "objdump" if platform.machine() == MACHINE[arch] else OBJDUMP[arch]


def functions(arch, path):
    """{name: disassembly with relocations}"""
    text = subprocess.run(
        [objdump(arch), "-dr", "--no-show-raw-insn", str(path)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    parts = re.split(r"^[0-9a-f]+ <([^>]+)>:\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def rows():
    """(architecture, row) of every row of every table that is built, but plain."""
    for arch in INSTRUCTIONS:
        if (ROOT / "build" / arch / "pagestamp.efi").exists() and shutil.which(objdump(arch)):
            table = (ROOT / "arch" / arch / "copy/table.c").read_text()
            yield from (
                (arch, row) for row in re.findall(r"&copy_backend_(\w+)", table) if row != "plain"
            )


class CopyDisassembly(unittest.TestCase):
    def for_each_row(self, check):
        """check(architecture, row, its source, its functions)"""
        found = False
        for arch, row in rows():
            found = True
            with self.subTest(f"{arch} {row}"):
                at = pathlib.Path("arch", arch, "copy", row)
                source = (ROOT / at).with_suffix(".c").read_text()
                check(arch, row, source, functions(arch, (ROOT / "build" / arch / at).with_suffix(".o")))
        if not found:
            self.skipTest("nothing is built")

    def test_instruction(self):
        def check(arch, row, _, code):
            self.assertIn(row, INSTRUCTIONS[arch], "a row that this test knows nothing of")
            # Of 64-byte descriptors: memcpy_nt() has straight-line code for most others only.
            templates = [name for name in code if re.match(rf"template_{row}_[vs]64", name)]
            self.assertTrue(templates, "no template walk")
            for name in [f"copy_{row}", *templates, f"stamp_{row}"]:
                self.assertIn(name, code)
                for pattern, times in INSTRUCTIONS[arch][row].items():
                    wanted = 1 if name.startswith("stamp_") else times
                    self.assertGreaterEqual(
                        len(re.findall(pattern, code[name])), wanted, f"{name}: {pattern.strip()}"
                    )

        self.for_each_row(check)

    def test_descends(self):
        """The loop from the last descriptor to the first goes down, a line at a time."""
        down = {"x86_64": r"\tsub +\$0x40,", "arm64": r"\tsub\tx\d+, x\d+, #0x40"}
        up = {"x86_64": r"\tadd +\$0x40,", "arm64": r"\tadd\tx\d+, x\d+, #0x40\b"}
        found = []

        def check(arch, row, source, code):
            if ".stamp_down" not in source:
                return
            self.assertRegex(code["stamp_down"], down[arch])
            self.assertNotRegex(code["stamp_down"], up[arch])
            found.append(row)

        self.for_each_row(check)
        self.assertTrue(found or not any(True for _ in rows()), "no copy descends")

    def test_stages_of_a_pattern(self):
        """mm/stamp_pattern.h: eleven stores of the copy's own; where one is entered, equally far
        from one to the next."""
        found = []

        def check(arch, row, source, code):
            if "stamp_by_pattern" not in source:
                return
            store = next(iter(INSTRUCTIONS[arch][row])).replace(r"\t", r"\b", 1)
            lines = code["store_turns"].splitlines()
            at = [int(line.split(":")[0], 16) for line in lines if re.search(store, line)]
            self.assertEqual(len(at), 11)
            entries = at if arch == "x86_64" else at[0:10:2]  # there a turn is of odd length
            self.assertEqual(len({b - a for a, b in zip(entries, entries[1:])}), 1, at)
            found.append(row)

        self.for_each_row(check)
        self.assertTrue(found or not any(True for _ in rows()), "no copy stamps by pattern")

    def test_no_library_copy(self):
        def check(_, __, source, code):
            if "memcpy_nt(" in source:
                return  # which is memcpy() by contract, for what cannot be streamed
            for name, text in code.items():
                self.assertNotRegex(text, r"\b(memcpy|memmove|memset)\b", name)

        self.for_each_row(check)

    def test_drain(self):
        def check(arch, row, source, code):
            drain = code[f"drain_{row}"]
            if ".streaming = true" in source:
                self.assertRegex(drain, DRAINS[arch])
            if row in LEAVES:
                self.assertIn("vzeroupper", drain)
                self.assertIn("vzeroupper", code[f"stamp_{row}"])

        self.for_each_row(check)


if __name__ == "__main__":
    unittest.main()
