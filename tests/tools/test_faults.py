# SPDX-License-Identifier: BSD-2-Clause
"""The fault build reaches every call of the firmware, and production holds none of it."""

import pathlib
import re
import unittest

from tests.boot import faults

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# They give no answer that could be an error.
CANNOT_FAIL = {"RaiseTPL", "RestoreTPL"}
CALL = re.compile(
    r"\b(?:efi_bs|efi_st->\w+|file|root|directory|fs|storage)\s*->\s*([A-Z]\w+)\(", re.S
)


def counted():
    text = (ROOT / "tests/faults/faults.h").read_text()
    return set(re.findall(r"\bX\((\w+)\)", text)) - {"name"}


class Faults(unittest.TestCase):
    def test_every_call_of_the_firmware_can_fail(self):
        called = set()
        for path in (ROOT / "boot").glob("*.c"):
            called |= set(CALL.findall(path.read_text()))
        self.assertGreater(len(called), 20)
        self.assertEqual(called - CANNOT_FAIL, counted() - {"malloc", "window", "poison"})

    def test_every_count_has_a_wrapper(self):
        text = "".join(path.read_text() for path in (ROOT / "tests/faults").glob("*.c"))
        wrapped = set(re.findall(r"\bFAULT\((\w+)\)", text))
        self.assertEqual(wrapped, counted())

    def test_production_holds_none_of_it(self):
        found = sorted(ROOT.glob("build/*/pagestamp.efi"))
        if not found:
            self.skipTest("nothing is built")
        for path in found:
            data = path.read_bytes()
            self.assertIn(b"PAGESTAMP JSON", data)
            for text in (b"fault: ", b"pagestamp:fault=", b"stands still", b"no-console"):
                self.assertNotIn(text, data, path)

    def test_the_fault_image_holds_it(self):
        found = sorted(ROOT.glob("build/faults/*/pagestamp.efi"))
        if not found:
            self.skipTest("nothing is built")
        for path in found:
            self.assertIn(b"pagestamp:fault=", path.read_bytes())

    def test_the_sample_names_what_there_is(self):
        for _, _, fault in faults.SAMPLE:
            self.assertRegex(fault, r"^(%s):[1-9]\d*\+?$" % "|".join(counted()))


class Judging(unittest.TestCase):
    """What counts as survived."""

    HELD = "fault: held: pages 0 pools 0 files 0 tpl 0"
    GOOD = (
        "fault: Stall 3 fails\nnote: the firmware's Stall failed: device error\npagestamp: pass\n"
        + HELD
        + "\nfault: Exit with 0x0\n"
    )

    def wrong(self, console, status=0, why="", fault="Stall:3", args="list exit=return"):
        return faults.wrong(fault, faults.Scenario("x", args), status, console, why)

    def test_it_goes_on_and_says_so(self):
        self.assertEqual(self.wrong(self.GOOD), "")
        silent = self.GOOD.replace("note: the firmware's Stall failed: device error\n", "")
        self.assertIn("does not say so", self.wrong(silent))

    def test_it_fails_with_its_reason(self):
        bad = self.GOOD.replace("pagestamp: pass", "pagestamp: FAIL no memory").replace(
            "Exit with 0x0", "Exit with 0x8000000000000015"
        )
        self.assertEqual(self.wrong(bad), "")
        self.assertIn("it left with", self.wrong(bad.replace("0x8000000000000015", "0x0")))
        self.assertIn("no clear reason", self.wrong(bad.replace("no memory", 'assertion "x"')))
        self.assertIn("no clear reason", self.wrong(bad.replace("no memory", "no reason given")))

    def test_a_hang_a_leak_a_wrong_way_out(self):
        self.assertIn("hangs", self.wrong(self.GOOD, why="still running after 90 s"))
        self.assertIn("ended with 1", self.wrong(self.GOOD, status=1))
        self.assertIn("not given back", self.wrong(self.GOOD.replace("pages 0", "pages 64")))
        self.assertIn("not given back", self.wrong(self.GOOD.replace("tpl 0", "tpl 1")))
        self.assertIn("not leave", self.wrong(self.GOOD.replace("Exit with", "Exit")))
        self.assertIn("not leave", self.wrong(self.GOOD, args="list exit=reset"))
        self.assertIn("no verdict", self.wrong(self.GOOD.replace("pagestamp: pass", "")))
        self.assertIn("not reached", self.wrong(self.GOOD.replace("Stall 3 fails", "")))


if __name__ == "__main__":
    unittest.main()
