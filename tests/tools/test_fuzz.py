# SPDX-License-Identifier: BSD-2-Clause
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT)]

from tests.fuzz import run, seeds  # noqa: E402

OUTPUT = """INFO: Loaded 1 PC tables (159 PCs): 159 [0x1,0x2),
#2\tINITED cov: 5 ft: 6 corp: 1/1b exec/s: 0 rss: 30Mb
#9\tDONE   cov: 76 ft: 120 corp: 20/3Kb lim: 4096 exec/s: 0 rss: 40Mb
stat::number_of_executed_units: 20000
stat::average_exec_per_sec:     52912
"""


class Fuzz(unittest.TestCase):
    def test_figures(self):
        self.assertEqual(run.figures(OUTPUT), (20000, 52912, 76, 159))
        self.assertEqual(run.figures("nothing"), (0, 0, 0, 0))

    def test_every_harness_has_seeds(self):
        self.assertTrue(run.parsers())
        for parser in run.parsers():
            inputs = seeds.inputs_of(parser)
            self.assertTrue(inputs and all(inputs), parser)
            self.assertEqual(len(inputs), len(set(inputs)), parser)

    def test_a_table_of_ours_is_one(self):
        table = seeds.acpi(b"SRAT", b"\x01\x02")
        self.assertEqual(len(table), 38)
        self.assertEqual(sum(table) & 0xFF, 0)
