# SPDX-License-Identifier: BSD-2-Clause
"""What a firmware looks at in the image that was built."""

import pathlib
import struct
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Image(unittest.TestCase):
    def images(self):
        found = sorted(ROOT.glob("build/*/pagestamp.efi"))
        if not found:
            self.skipTest("nothing is built")
        for path in found:
            with self.subTest(path.parent.name):
                data = path.read_bytes()
                pe = struct.unpack_from("<I", data, 0x3C)[0]
                yield data, pe

    def sections(self, data, pe):
        count, = struct.unpack_from("<H", data, pe + 6)
        optional, = struct.unpack_from("<H", data, pe + 20)
        for i in range(count):
            at = pe + 24 + optional + 40 * i
            name = data[at : at + 8].rstrip(b"\0").decode()
            size, address, raw_size, raw = struct.unpack_from("<IIII", data, at + 8)
            rights, = struct.unpack_from("<I", data, at + 36)
            yield name, size, address, data[raw : raw + raw_size], rights

    def test_nx_compatible_and_relocatable(self):
        for data, pe in self.images():
            flags, = struct.unpack_from("<H", data, pe + 22)
            self.assertFalse(flags & 1, "relocations stripped")
            self.assertEqual(struct.unpack_from("<H", data, pe + 24 + 68)[0], 10)
            self.assertTrue(struct.unpack_from("<H", data, pe + 24 + 70)[0] & 0x100, "NX_COMPAT")

    def test_no_section_is_writable_and_executable(self):
        for data, pe in self.images():
            for name, _, address, _, rights in self.sections(data, pe):
                self.assertNotEqual(rights & 0xA0000000, 0xA0000000, name)
                self.assertEqual(address % 4096, 0, name)

    def test_sbat_is_the_text(self):
        for data, pe in self.images():
            size, content = next(
                (size, content)
                for name, size, _, content, _ in self.sections(data, pe)
                if name == ".sbat"
            )
            text = content[:size].decode("ascii")
            self.assertEqual(content[size:].strip(b"\0"), b"")
            lines = text.splitlines()
            self.assertTrue(text.endswith("\n"))
            self.assertTrue(lines[0].startswith("sbat,1,"))
            self.assertTrue(lines[1].startswith("pagestamp,1,"))

    def test_the_checkout_does_not_show(self):
        for data, _ in self.images():
            self.assertNotIn(str(ROOT).encode(), data)


if __name__ == "__main__":
    unittest.main()
