# SPDX-License-Identifier: BSD-2-Clause
import pathlib
import tempfile
import unittest

import guest
import run

ALIVE = "pagestamp v1 x86_64: alive\n"


class Console(unittest.TestCase):
    def test_escape_codes_and_returns_are_dropped(self):
        plain = run.ConsoleFilter()
        self.assertEqual(plain.feed(b"\x1b[2J\x1b[01;01H\x1b[=3hab\r\nc"), "ab\nc")

    def test_an_escape_code_cut_anywhere(self):
        text = b"x\x1b[01;02Hy\r\n"
        for cut in range(len(text)):
            plain = run.ConsoleFilter()
            self.assertEqual(plain.feed(text[:cut]) + plain.feed(text[cut:]), "xy\n")

    def test_report_leaves_out_firmware_and_json(self):
        console = f"BdsDxe\n{ALIVE}table\n{run.JSON_BEGIN}\n{{}}\n{run.JSON_END}\npagestamp: pass\n"
        self.assertEqual(run.report_of(console), f"{ALIVE}table\npagestamp: pass\n")


class Judge(unittest.TestCase):
    def judge(self, arch, status, last):
        return run.judge(arch, "tcg", status, ALIVE + last + "\n", "")

    def test_pass_needs_code_and_line(self):
        self.assertEqual(self.judge("x86_64", 85, "pagestamp: pass"), "")
        self.assertEqual(self.judge("arm64", 42, "pagestamp: pass"), "")
        for arch in guest.ARCHS:
            for status in (0, 1, 2, 42 if arch == "x86_64" else 85, 87, 43, -9):
                self.assertTrue(self.judge(arch, status, "pagestamp: pass"), (arch, status))
        self.assertTrue(self.judge("x86_64", 85, "pagestamp: pass of another kind"))
        self.assertTrue(self.judge("x86_64", 85, "something else"))

    def test_a_fail_is_reported_in_its_own_words(self):
        self.assertEqual(self.judge("arm64", 43, "pagestamp: FAIL it broke"), "pagestamp: FAIL it broke")

    def test_without_an_exit_device_the_line_decides(self):
        self.assertEqual(run.judge("arm64", "kvm", 0, ALIVE + "pagestamp: pass\n", ""), "")
        self.assertTrue(run.judge("arm64", "kvm", 0, ALIVE, ""))


class Arguments(unittest.TestCase):
    def test_only_keys_that_are_lacking(self):
        self.assertEqual(
            run.add_missing("budget=5 list", ["exit=qemu", "budget=30"]), "budget=5 list exit=qemu"
        )
        self.assertEqual(run.add_missing("", ["a=1"]), "a=1")

    def test_only_text(self):
        run.check_text("experiment=fsdax\tquick")
        for args in ("experiment=fsd\u00e4x", "list quick\x01"):
            with self.assertRaisesRegex(SystemExit, "printable ASCII"):
                run.check_text(args)

    def test_nvdimm_items(self):
        arguments, size, node = guest.nvdimm(0, "16G,node=1,label-size=2M")
        self.assertEqual((size, node), (16 << 30, 1))
        self.assertIn("nvdimm,id=nvdimm0,memdev=nv0,node=1,label-size=2M", arguments)
        for bad in ("0G", "nowhere.img", "4G,unarmed", "4G,node=x"):
            with self.assertRaises(guest.GuestError, msg=bad) as caught:
                guest.nvdimm(0, bad)
            self.assertIn(bad, str(caught.exception))

    def test_a_backing_file(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "disk.img")
            path.write_bytes(bytes(4096))
            arguments, size, _ = guest.nvdimm(3, f"{path},unarmed=on")
            self.assertEqual(size, 4096)
            self.assertIn(f"mem-path={path},size=4096,share=on", arguments[1])

    def test_memory(self):
        arguments, _ = guest.memory("2G,2G", 0, 0, 1)
        self.assertEqual(arguments[1].split(",")[0], "size=4096M")
        self.assertIn("node,nodeid=1,memdev=ram1", arguments)
        with self.assertRaises(guest.GuestError):
            guest.memory("4X", 0, 0, 1)


class Images(unittest.TestCase):
    def test_newest_results_by_number(self):
        with tempfile.TemporaryDirectory() as directory:
            image = guest.results_image(pathlib.Path(directory, "esp.img"))
            self.assertIsNone(guest.newest_results(image))
            for n in (2, 10, 9):
                text = f"number {n}".encode()
                name = f"::/pagestamp/results-{n}.json"
                guest.mtools("mcopy", "-i", str(image), "-", name, data=text)
            guest.mtools("mcopy", "-i", str(image), "-", "::/pagestamp/results-11.tmp", data=b"cut")
            self.assertEqual(guest.newest_results(image), "number 10")


if __name__ == "__main__":
    unittest.main()
