# SPDX-License-Identifier: BSD-2-Clause
"""Every file of tests/data/samples and tests/data/nvdimm is read by a test, and says whence it is."""

import pathlib
import re
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
DATA = TESTS / "data"


def sources():
    """{path: text}; a unit test with the headers of tests/unit/ that it includes."""
    texts = {path: path.read_text() for path in TESTS.rglob("*.py") if path.name != "test_data.py"}
    for path in (TESTS / "unit").glob("test_*.c"):
        text, seen = path.read_text(), set()
        while True:
            wanted = set(re.findall(r'#include "tests/(unit/\w+\.h)"', text)) - seen
            if not wanted:
                break
            seen |= wanted
            text += "".join((TESTS / name).read_text() for name in wanted)
        texts[path] = text
    return texts


def is_named(name, text):
    """By its whole name, or by its stem where the text puts the ending to a stem: %s.head.bin."""
    stem, dot, ending = name.partition(".")
    put_together = re.search(r"(?:%s|\})" + re.escape(dot + ending), text)
    return name in text or (f'"{stem}"' in text and put_together is not None)


def who_names(name, texts):
    return [path.name for path, text in texts.items() if is_named(name, text)]


class Data(unittest.TestCase):
    def test_each_file_is_named(self):
        texts = sources()
        for folder in ("samples", "nvdimm"):
            names = sorted(path.name for path in (DATA / folder).iterdir())
            self.assertGreater(len(names), 15)
            nobody = [n for n in names if n != "README.md" and not who_names(n, texts)]
            self.assertEqual(nobody, [], f"{folder}: named by no test")

    def test_a_stem_alone_does_not_name_every_file_of_it(self):
        text = 'take("fsdax"); snprintf(path, size, "nvdimm/%s.head.bin", name);'
        self.assertTrue(is_named("fsdax.head.bin", text))
        self.assertFalse(is_named("fsdax.ndctl.json", text))
        self.assertFalse(is_named("devdax.head.bin", text))
        self.assertFalse(is_named("fsdax-2.head.bin", text))

    def test_each_sample_says_where_it_comes_from(self):
        for path in (DATA / "samples").glob("*.txt"):
            first = path.read_text().splitlines()[0]
            self.assertRegex(first, r"^#", path.name)
            self.assertRegex(path.read_text(), r"https?://|mailing list|linux-\w+", path.name)

    def test_each_readme_names_its_samples(self):
        readme = (DATA / "samples/README.md").read_text()
        for path in (DATA / "samples").glob("*.txt"):
            self.assertRegex(readme, rf"\b{path.name[:2]}\b", path.name)


if __name__ == "__main__":
    unittest.main()
