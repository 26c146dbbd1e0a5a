# SPDX-License-Identifier: BSD-2-Clause
"""The boot tests' own helpers: would they see what they are there to see?"""

import copy
import dataclasses
import json
import os
import pathlib
import struct
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT)]

import guest  # noqa: E402
import run  # noqa: E402
from tests.boot import devices, linux_words, schema  # noqa: E402
from tests.boot import run as boot  # noqa: E402
from tests.boot.case import Case  # noqa: E402

MIB = 1 << 20
BASE = 0x180000000


class Superblocks(unittest.TestCase):
    def test_as_ndctl_writes_them(self):
        for head, arguments in {
            "fsdax-dev-2M": ("fsdax", "dev", 8 << 30, 2 * MIB),
            "devdax-dev-2M": ("devdax", "dev", 8 << 30, 2 * MIB),
            "devdax-mem-1G": ("devdax", "mem", 8 << 30, 1 << 30),
            "fsdax-mem-2M": ("fsdax", "mem", 8 << 30, 2 * MIB),
        }.items():
            real = (devices.DATA / f"{head}.head.bin").read_bytes()[4096:8192]
            ours = devices.superblock(*arguments, "x")
            self.assertEqual(ours[:16], real[:16], head)
            self.assertEqual(ours[48:94], real[48:94], head)  # all but the UUIDs
            self.assertEqual(devices.fletcher64(real[:-8]), struct.unpack("<Q", real[-8:])[0])

    def test_geometry_of_8_gib(self):
        self.assertEqual(devices.geometry("fsdax", "mem", BASE, 8 << 30)[0], 2097152)
        for experiment, pages, dataoff in (
            ("fsdax", 2063872, 130 * MIB),
            ("devdax-2m", 2063872, 130 * MIB),
            ("devdax-1g", 1835008, 1024 * MIB),
        ):
            got = devices.geometry(experiment, "dev", BASE, 8 << 30)
            self.assertEqual(got, (pages, dataoff // 4096, dataoff))


class Changes(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        device = devices.Device(64 * MIB, head="fsdax-dev-2M")
        self.made = device.make(pathlib.Path(self.directory.name, "nvdimm.img"))

    def write(self, offset, data):
        with open(self.made.path, "r+b") as f:
            f.seek(offset)
            f.write(data)

    def test_none(self):
        self.assertEqual(self.made.changed(), [])
        self.write(32 * MIB, bytes(8192))  # zeros where zeros were
        self.assertEqual(self.made.changed(), [])

    def test_one_byte_anywhere(self):
        for offset in (0, 4096, 5000, 2 * MIB - 1, 2 * MIB, 64 * MIB - 1):
            self.made.remember()
            self.write(offset, b"!")
            page = offset // 4096 * 4096
            self.assertEqual(self.made.changed(), [(page, page + 4096)], offset)

    def test_what_is_gone(self):
        self.write(4096, bytes(4096))
        self.assertEqual(self.made.changed(), [(4096, 8192)])

    def test_beside_what_is_allowed(self):
        self.write(2 * MIB, b"x" * 8192)
        self.assertEqual(self.made.changed_beside([(2 * MIB, 3 * MIB)]), [])
        begin = 2 * MIB + 4096
        self.assertEqual(self.made.changed_beside([(begin, 3 * MIB)]), [(2 * MIB, begin)])
        self.assertEqual(self.made.changed_beside([]), [(2 * MIB, 2 * MIB + 8192)])


class LinuxWords(unittest.TestCase):
    """A device as Linux leaves it passes; with any one bit of a word turned it does not."""

    SIZE = 64 * MIB

    def make(self, experiment, directory, arch):
        made = devices.Device(self.SIZE).make(pathlib.Path(directory, "nvdimm.img"))
        order = linux_words.ORDER[experiment]
        rows = linux_words.dumped(arch, order)
        # 6 MiB: room for the descriptors of all 64.
        begin, end = devices.descriptors(experiment, BASE, self.SIZE, 6 * MIB)
        with open(made.path, "r+b") as f:
            f.seek(begin)
            for i in range((end - begin) // 64):
                in_compound = i & ((1 << order) - 1)
                row = "tail"
                if in_compound < 2:
                    row = ("head", "tail1")[in_compound] if order else "fsdax"
                head = 0xFFFF800000000000 + begin + (i - in_compound) * 64
                link = {"pgmap": 0xFFFF000012345678, "head+1": head + 1}
                f.write(struct.pack("<8Q", *(link.get(word, word) for word in rows[row])))
        return made, begin, end

    def test_every_word_counts(self):
        for arch, experiment in (("x86_64", "fsdax"), ("arm64", "devdax-2m")):
            with tempfile.TemporaryDirectory() as directory:
                made, begin, end = self.make(experiment, directory, arch)

                def wrong():
                    return linux_words.wrong_descriptors(
                        made, arch, experiment, BASE, dataoff=6 * MIB
                    )

                self.assertEqual(wrong(), "")
                nr = (end - begin) // 64
                for page in {1, 2, 511, 512, 513, nr - 1}:
                    for word in range(8):
                        self.flip(made.path, begin + 64 * page + 8 * word)
                        said = wrong()
                        self.assertIn(f"word {word} is", said)
                        # Where the memmap was mapped is read off the first link.
                        if (page, word) != (1, 1):
                            self.assertIn(f"descriptor {page} of {experiment}", said)
                        self.flip(made.path, begin + 64 * page + 8 * word)

    def flip(self, path, offset):
        with open(path, "r+b") as f:
            byte = os.pread(f.fileno(), 1, offset)[0] ^ 4
            os.pwrite(f.fileno(), bytes([byte]), offset)

    def test_the_words_that_were_dumped(self):
        words = linux_words.dumped("arm64", 18)
        self.assertEqual(words["head"][0], 0x09FFFF0000002040)
        self.assertEqual(words["tail1"][0], 0x09FFFF0000002012)
        self.assertEqual(words["tail1"][4], 0x40000)
        self.assertEqual(words["tail"][3], 0xDEAD000000000400)
        self.assertEqual(words["fsdax"][6], 0x00000000FFFFFFFF)


def sample():
    """Results with two rows, as small as the schema allows."""
    cell = {
        "cell": "a",
        "experiment": "fsdax",
        "range": "pmem0",
        "map": "mem",
        "align": 4096,
        "order": 0,
        "method": "base",
        "copy": None,
        "model": "vmemmap",
        "tail": "pointer",
        "state": "warm",
        "touch": "none",
        "order_of_stores": "ascending",
        "dest_offset": 0,
        "dax_vmemmap": "full",
        "cpus": 1,
        "page_size": 4096,
        "descriptor_bytes": 64,
        "pages": 1024,
        **{"window_pages": None, "holes": None, "contiguous": None},
    }
    figures = {
        **{"chosen": None, "why": None, "written": 1024, "first_ticks": None, "first_ns": None},
        **{"first_pages": None, "first_written": None},
        "rebind_ns": {"n": 2, "min": 9, "median": 10.0, "mean": 10.0, "max": 11, "mad": 1},
        "samples_ticks": [9, 11],
        "ns_per_page": 10 / 1024,
        **{"instructions_per_page": None, "gb_per_s": 6.5536, "vs_base_pct": 0, "vs_fill": 1.5},
        **{"vs_ordinary_fill": 1.2, "vs_best": None},
        **{"touch_bytes": None, "touch_ns": None, "phases": [], "saved_bytes": 0, "counters": {}},
        **{"dump": [], "verified": True, "why_not": None},
    }
    stamp = {**cell, "cell": "b", "method": "stamp", "copy": "plain"}
    return {
        **{"schema": "pagestamp/1", "version": "1", "compiler": "gcc 1", "arch": "x86_64"},
        **{"accel": "tcg", "options": "", "build_flags": "-O2", "result": "pass", "fail_why": None},
        "machine": {
            **{"cpu": None, "family_model_stepping": "1/1/1", "microcode": None, "midr": None},
            **{"llc_bytes": None, "window_page": "2M", "features": [], "firmware": None},
            **{"secure_boot": None, "el": None, "hypervisor": "TCG", "memory_bytes": 1},
            **{"nodes": 1, "icount_shift": None},
        },
        "counter": {
            **{"name": "tsc", "hz": 1000000000, "source": "cpuid", "cross_check": "none"},
            **{"disagreement_ppm": None, "resolution_ns": 1, "overhead_ticks": 0},
        },
        "ranges": [
            {
                **{"id": "pmem0", "kind": "persistent", "source": "nfit", "base": "0x100000000"},
                **{"size": 4194304, "node": 0, "node_by": "nfit 0", "about": None},
                **{"attributes": "0x8008", "read_only": False},
                **{"holds": "nothing (blank)", "namespace": None, "namespace_size": None},
                **{"dataoff": None, "npfns": None, "usable_2m": 4194304, "usable_1g": 0},
                **{"lost_head": 0, "lost_tail": 0},
            }
        ],
        "backends": [
            {
                **{"name": "plain", "streaming": False, "block_bytes": 8, "instruction": "mov"},
                **{"available": True, "never_run": False, "why": None},
            }
        ],
        "runs": [{**cell, **figures}, {**stamp, **copy.deepcopy(figures)}],
        **{"pools": [], "limits": [], "answers": [], "skipped": []},
    }


def places(value, path=()):
    """Every (path, value) below."""
    yield path, value
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, below in items:
            yield from places(below, (*path, key))


def changed(value, path, to):
    value = copy.deepcopy(value)
    at = value
    for key in path[:-1]:
        at = at[key]
    if to is DROP:
        del at[path[-1]]
    else:
        at[path[-1]] = to
    return value


DROP = object()


class Schema(unittest.TestCase):
    def errors(self, results):
        return schema.errors_of(json.dumps(results))

    def test_good(self):
        self.assertEqual(self.errors(sample()), [])

    def test_every_key_is_wanted(self):
        for path, _ in places(sample()):
            if path and isinstance(path[-1], str):
                self.assertTrue(self.errors(changed(sample(), path, DROP)), path)
                unknown = (*path[:-1], "colour")
                self.assertTrue(self.errors(changed(sample(), unknown, 1)), unknown)

    def test_every_type_counts(self):
        for path, value in places(sample()):
            if not path:
                continue
            for bad in ([[]], True if value is not True else 1, -1 if value != 0 else "0"):
                if path[-1] in ("read_only", "streaming", "never_run", "secure_boot"):
                    continue  # any truth will do there
                if bad == -1 and path[-1] == "vs_base_pct":
                    continue  # may be negative
                results = changed(sample(), path, bad)
                self.assertTrue(self.errors(results), (path, bad))

    def test_what_does_not_go_together(self):
        for path, to in (
            (("runs", 0, "copy"), "plain"),
            (("runs", 1, "copy"), None),
            (("runs", 1, "copy"), "nothere"),
            (("runs", 1, "cell"), "a"),
            (("runs", 0, "range"), "pmem1"),
            (("runs", 0, "written"), 512),
            (("runs", 0, "written"), 0),
            (("runs", 0, "order"), 9),
            (("runs", 0, "pages"), 2048),
            (("runs", 0, "ns_per_page"), None),
            (("runs", 0, "ns_per_page"), 1.0),
            (("runs", 0, "samples_ticks"), [9]),
            (("runs", 0, "verified"), False),
            (("runs", 0, "first_ticks"), 5),
            (("runs", 0, "chosen"), "plain"),
            (("runs", 0, "window_pages"), 16),
            (("runs", 0, "holes"), "none"),
            (("runs", 0, "contiguous"), False),
            (("runs", 0, "method"), "page"),
            (("runs", 0, "experiment"), "pte"),
            (("runs", 0, "instructions_per_page"), 5.0),
            (("counter", "hz"), None),
            (("counter", "disagreement_ppm"), 3),
            (("machine", "el"), 1),
            (("machine", "midr"), "0x1"),
            (("machine", "icount_shift"), 1),
            (("backends", 0, "available"), False),
            (("ranges", 0, "namespace"), "fsdax map=dev align=2M"),
            (("result",), "fail"),
            (("fail_why",), "it broke"),
        ):
            self.assertTrue(self.errors(changed(sample(), path, to)), (path, to))

    def test_what_auto_took_adds_up(self):
        took = schema.takes_all_rebinds
        self.assertTrue(took("ordinary stores were fastest on 64 KiB", 3))
        self.assertTrue(took("x; taken for 2 of 4 rebinds, movnti for 1, movntdq-xmm for 1", 4))
        self.assertFalse(took("x; taken for 2 of 4 rebinds, movnti for 1", 4))
        self.assertFalse(took("x; taken for 3 of 4 rebinds, movnti for 1", 3))
        self.assertFalse(took("x; taken for 4 of 4 rebinds", 4))
        self.assertFalse(took("x; taken for 3 of 4 rebinds, movn", 4))

    def test_json_itself(self):
        for text in ("", "{", "[]", '{"schema": NaN}', '{"schema": 1, "schema": 1}'):
            self.assertTrue(schema.errors_of(text), text)


class Judging(unittest.TestCase):
    """run.wrong() of a boot that never was."""

    ALIVE = "firmware\npagestamp v1 x86_64: alive\n"

    def wrong(self, case, console, status=85, text=None, devices=()):
        why = run.judge("x86_64", "tcg", status, console, "")
        parsed = json.loads(text) if text else None
        result = run.Result(status, console, parsed, text, "image", 1.0, 0.5, "", why)
        result.arch, result.out, result.devices = "x86_64", pathlib.Path("."), devices
        return boot.wrong(case, result)

    def test_a_pass(self):
        good = self.ALIVE + "table\npagestamp: pass\n"
        self.assertEqual(self.wrong(Case("x"), good), "")
        self.assertTrue(self.wrong(Case("x"), good, status=87))
        self.assertTrue(self.wrong(Case("x"), good, status=0))
        self.assertTrue(self.wrong(Case("x", fails="anything"), good))
        self.assertTrue(self.wrong(Case("x", says=("^row",)), good))
        self.assertTrue(self.wrong(Case("x", never=("^table",)), good))
        self.assertTrue(self.wrong(Case("x", explains=("it",)), good))
        self.assertTrue(self.wrong(Case("x", check=lambda result: "no"), good))

    def test_a_fail(self):
        bad = self.ALIVE + "pagestamp: FAIL map=x: not a value of it\n"
        self.assertEqual(self.wrong(Case("x", fails="map=x: "), bad, status=87), "")
        self.assertTrue(self.wrong(Case("x", fails="map=y: "), bad, status=87))
        self.assertTrue(self.wrong(Case("x", fails="map=x: "), bad, status=85))
        self.assertTrue(self.wrong(Case("x", fails="map=x: "), bad, status=None))
        self.assertTrue(self.wrong(Case("x"), bad, status=87))

    def test_what_the_report_looks_like(self):
        for line in ("x" * 81, "caf\u00e9", "\x1b[2J", "tab\there"):
            console = f"{self.ALIVE}{line}\npagestamp: pass\n"
            self.assertTrue(self.wrong(Case("x"), console), line)

    def test_results_against_the_console(self):
        text = json.dumps(sample()) + "\n"
        shown = f"{self.ALIVE}{run.JSON_BEGIN}\n{text}{run.JSON_END}\npagestamp: pass\n"
        self.assertEqual(self.wrong(Case("x"), shown, text=text), "")
        self.assertTrue(self.wrong(Case("x"), shown, text=text.replace("gcc 1", "gcc 2")))
        self.assertTrue(self.wrong(Case("x"), shown, text=text.replace("/1", "/2")))

    def test_a_write_that_nobody_allowed(self):
        good = self.ALIVE + "table\npagestamp: pass\n"
        with tempfile.TemporaryDirectory() as directory:
            made = devices.Device(4 * MIB).make(pathlib.Path(directory, "nvdimm.img"))
            self.assertEqual(self.wrong(Case("x"), good, devices=[made]), "")
            with open(made.path, "r+b") as f:
                f.seek(3 * MIB + 17)
                f.write(b"x")
            self.assertIn("device 0 was written at [0x300000", self.wrong(
                Case("x", may_write=lambda result, i: [(2 * MIB, 3 * MIB)]), good, devices=[made]
            ))


class Hanging(unittest.TestCase):
    """What does not end is ended, with all that it started."""

    def ended(self, script, **limits):
        started = time.monotonic()
        status, _, _, _, _, why = run.run_qemu(["sh", "-c", script], **limits)
        self.assertLess(time.monotonic() - started, 20)
        group = run.started[-1]
        for _ in range(50):  # those that the shell left behind are init's to reap
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                return status, why
            time.sleep(0.1)
        self.fail("processes are left behind")

    def test_never_alive(self):
        status, why = self.ended("sleep 300 & sleep 300", timeout=30, alive_timeout=0.3)
        self.assertIsNone(status)
        self.assertIn("no sign of life", why)

    def test_never_done(self):
        script = "echo 'pagestamp v1 x86_64: alive'; sleep 300 & sleep 300"
        status, why = self.ended(script, timeout=0.5, alive_timeout=0.3)
        self.assertIsNone(status)
        self.assertIn("still running", why)

    def test_a_firmware_that_was_given_back_does_not_end(self):
        script = "echo 'pagestamp v1 x86_64: alive'; echo 'pagestamp: FAIL why'; sleep 300 & sleep 300"
        status, why = self.ended(script, timeout=30, alive_timeout=30, verdict_timeout=0.3)
        self.assertIsNone(status)
        self.assertIn("said 'pagestamp: FAIL why' and did not end", why)

    def test_a_case_has_a_limit(self):
        limit = {field.name: field.default for field in dataclasses.fields(Case)}["timeout"]
        self.assertLessEqual(limit, 120)
        for case in boot.load_cases():
            self.assertLessEqual(case.timeout, 400, case.name)

    def test_names_are_told_apart(self):
        for files in ("cases*.py", "sweep.py"):
            names = [(arch, case.name) for case in boot.load_cases(files) for arch in case.archs]
            self.assertEqual(len(names), len(set(names)))
            self.assertTrue(all(arch in guest.ARCHS for arch, _ in names))


if __name__ == "__main__":
    unittest.main()
