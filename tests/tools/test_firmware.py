# SPDX-License-Identifier: BSD-2-Clause
"""Firmware images are found where each distribution's package puts them."""

import os
import pathlib
import tempfile
import unittest
from unittest import mock

import firmware

# What the packages install, of what -bios takes.
PACKAGES = {
    "x86_64": {
        "Debian 12, Ubuntu 24.04": "/usr/share/ovmf/OVMF.fd",
        "Ubuntu 20.04 (qemu's link)": "/usr/share/qemu/OVMF.fd",
        "Fedora": "/usr/share/edk2/ovmf/OVMF_CODE.fd",
        "Arch": "/usr/share/edk2/x64/OVMF.4m.fd",
        "Arch before 2024": "/usr/share/edk2-ovmf/x64/OVMF.fd",
        "openSUSE": "/usr/share/qemu/ovmf-x86_64.bin",
        "openSUSE, 4 MiB only": "/usr/share/qemu/ovmf-x86_64-4m.bin",
    },
    "arm64": {
        "Debian 12, Ubuntu 24.04": "/usr/share/qemu-efi-aarch64/QEMU_EFI.fd",
        "Debian, by AAVMF": "/usr/share/AAVMF/AAVMF_CODE.fd",
        "Fedora": "/usr/share/edk2/aarch64/QEMU_EFI.fd",
        "Arch": "/usr/share/edk2/aarch64/QEMU_CODE.fd",
        "Arch before 2024": "/usr/share/edk2-armvirt/aarch64/QEMU_EFI.fd",
        "openSUSE": "/usr/share/qemu/qemu-uefi-aarch64.bin",
        "QEMU's own": "/usr/share/qemu/edk2-aarch64-code.fd",
    },
}
VARIABLES = {"x86_64": "OVMF", "arm64": "AAVMF"}


class Firmware(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.TemporaryDirectory()
        self.addCleanup(self.root.cleanup)
        clean = {k: v for k, v in os.environ.items() if k not in VARIABLES.values()}
        patch = mock.patch.dict(os.environ, clean, clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def install(self, place, data=b"firmware"):
        path = pathlib.Path(self.root.name, place.lstrip("/"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return str(path)

    def test_each_distribution(self):
        for arch, packages in PACKAGES.items():
            for name, place in packages.items():
                with self.subTest(f"{arch} {name}"):
                    path = self.install(place)
                    self.assertEqual(firmware.find(arch, self.root.name), path)
                    os.unlink(path)

    def test_no_row_is_of_the_other_architecture(self):
        rows = firmware.rows(firmware.LIST.read_text())
        self.assertEqual({(arch, variable) for arch, variable, _ in rows}, set(VARIABLES.items()))
        self.assertEqual(len(rows), len({place for _, _, place in rows}))
        for arch, _, place in rows:
            self.assertRegex(place, r"^/usr/(local/)?share/")
            self.assertNotRegex(place, {"x86_64": "(?i)aarch64|aavmf", "arm64": "(?i)ovmf|x64"}[arch])
            # Images of variables alone, and such as want SMM, do not boot by -bios.
            self.assertNotRegex(place, r"(?i)vars|secboot|secure|pflash|qcow2|CODE_4M")

    def test_nothing_there(self):
        for arch, variable in VARIABLES.items():
            with self.assertRaises(LookupError) as caught:
                firmware.find(arch, self.root.name)
            self.assertIn(f"no UEFI firmware for {arch} in /usr/share/", str(caught.exception))
            self.assertIn(f"{variable}=", str(caught.exception))

    def test_an_empty_file_and_a_dangling_link_are_passed_over(self):
        self.install("/usr/share/ovmf/OVMF.fd", b"")
        link = pathlib.Path(self.root.name, "usr/share/qemu/OVMF.fd")
        link.parent.mkdir(parents=True)
        link.symlink_to("nowhere")
        path = self.install("/usr/share/qemu/ovmf-x86_64.bin")
        self.assertEqual(firmware.find("x86_64", self.root.name), path)

    def test_the_variable_overrides(self):
        self.install("/usr/share/ovmf/OVMF.fd")
        mine = self.install("/home/me/own.fd")
        with mock.patch.dict(os.environ, {"OVMF": mine}):
            self.assertEqual(firmware.find("x86_64", self.root.name), mine)
        with mock.patch.dict(os.environ, {"OVMF": mine + ".not"}):
            with self.assertRaises(LookupError) as caught:
                firmware.find("x86_64", self.root.name)
            self.assertIn(mine + ".not: no such file", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
