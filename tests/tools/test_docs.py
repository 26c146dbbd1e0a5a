# SPDX-License-Identifier: BSD-2-Clause
"""The documents name what there is: options, JSON keys, copies, files, make targets.

A test that fails here names the line that a document lacks or has too much.
"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import results_table  # noqa: E402

DOCS = sorted((ROOT / "docs").glob("*.md"))
ALL = [ROOT / "README.md", *DOCS]
ARCHS = ("x86_64", "arm64")
# Made by building and running, or lying on somebody's volume.
MADE = {"pagestamp.efi", "pagestamp.conf", "results.json", "report.txt", "console.log"}
SUFFIXES = r"c|h|S|py|sh|md|mk|lds|json|txt|bin"


def text_of(path):
    return (ROOT / path).read_text()


def cells(line):
    """Of a table's row; a pipe inside backticks is none."""
    line = re.sub(r"`[^`]*`", lambda match: match[0].replace("|", "\0"), line)
    return [cell.strip().replace("\0", "|") for cell in line.strip().strip("|").split("|")]


def tables(text):
    """[[header cells, row cells, ...], ...]"""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        rows = [cells(line) for line in block.splitlines()]
        found.append([rows[0], *rows[2:]])
    return found


def table(path, *header):
    """The rows of the one table whose header begins so."""
    [only] = [t for t in tables(text_of(path)) if tuple(t[0][: len(header)]) == header]
    return only[1:]


def in_backticks(text):
    return re.findall(r"`([^`\n]+)`", text)


def prose_and_code(path):
    """(words in backticks, lines of indented code)"""
    text = path.read_text()
    code = re.findall(r"^ {4}(.*)$", text, re.M)
    return in_backticks(re.sub(r"^ {4}.*$", "", text, flags=re.M)), code


def differences(documented, real, what):
    return [f"{what} not documented: {name}" for name in sorted(real - documented)] + [
        f"{what} documented and not there: {name}" for name in sorted(documented - real)
    ]


# ---- options -----------------------------------------------------------------


def option_table():
    """{name: (usual, accepted, later)} of discover/option_values.c; None where there is none."""
    source = text_of("discover/option_values.c")
    source = re.sub(r"\\\n\s*", " ", source)
    macros = dict(re.findall(r'^#define (\w+)\s+"(.*)"$', source, re.M))
    rows = source.split("option_keys[] = {")[1].split("\n};")[0]
    options = {}
    for row in re.findall(r'\{("\w+".*?)\},', rows, re.S):
        fields = [macros.get(field, field) for field in re.split(r",\s*(?=\.|\"|[A-Z])", row)]
        plain = [field.strip().strip('"') for field in fields if not field.startswith(".")]
        later = re.search(r'\.later = "([^"]*)"', row)
        usual = plain[1] if len(plain) > 1 and plain[1] != "NULL" else None
        accepted = plain[2] if len(plain) > 2 else None
        options[plain[0]] = usual, accepted, later[1].split() if later else []
    return options


class Options(unittest.TestCase):
    def setUp(self):
        self.options = option_table()
        self.rows = {}
        for row in table("docs/options.md", "option"):
            self.rows[row[0].strip("`").rstrip("=")] = row

    def test_the_parser_of_this_test_sees_the_table(self):
        self.assertEqual(self.options["map"], ("mem", "mem,dev,both", []))
        self.assertIn("fsdax,", self.options["experiment"][1])
        self.assertEqual(self.options["write"][0], None)
        self.assertGreater(len(self.options), 25)

    def test_every_option_and_no_other(self):
        self.assertEqual(differences(set(self.rows), set(self.options), "option"), [])

    def test_default_first_and_every_value(self):
        for name, (usual, accepted, _) in self.options.items():
            values = self.rows[name][1]
            if usual is not None:
                self.assertTrue(
                    re.match(rf"`{re.escape(usual)}\b", values), f"{name}=: {usual} is not first"
                )
            for group in re.findall(r"[\w-]+(?:,[\w-]+)+", accepted or ""):
                for value in group.split(","):
                    self.assertRegex(values, rf"[`,]{re.escape(value)}[`,]", f"{name}={value}")

    def test_what_this_build_lacks_is_said_to_be_lacking(self):
        for name, (_, accepted, later) in self.options.items():
            said = set(in_backticks(self.rows[name][2]))
            self.assertEqual(said, {word.rstrip("*,") for word in later}, f"{name}=")

    def test_examples_use_options_that_exist(self):
        for path in ALL:
            words, code = prose_and_code(path)
            lines = code + [word for word in words if " " in word]
            for line in lines:
                given = re.findall(r"ARGS='([^']*)'|ARGS=(\S+)", line)
                given = [a or b for a, b in given]
                given += re.findall(r"pagestamp\.efi (.*?)'?$", line)
                for word in " ".join(given).split():
                    if re.match(r"[\w-]+(=|$)", word):
                        self.assertIn(word.split("=")[0], self.options, f"{path.name}: {line}")

    def test_every_copy_and_no_other(self):
        real = set()
        for arch, folder in [(arch, f"arch/{arch}/copy") for arch in ARCHS] + [("both", "mm")]:
            for source in (ROOT / folder).glob("*.[ch]"):
                for row in re.findall(r"DEFINE_COPY_BACKEND\w*\(\s*(\w+,.*?)\);", source.read_text(), re.S):
                    name = re.search(r'\.name = "([^"]+)"', row)
                    if name:
                        real.add((name[1], arch))
        real.discard(("plain", "both"))
        rows = table("docs/options.md", "copy", "on")
        documented = {(row[0].strip("`"), row[1]) for row in rows}
        self.assertIn(("plain", "both"), documented)
        documented.discard(("plain", "both"))
        self.assertGreater(len(real), 15)
        self.assertEqual(differences(documented, real, "copy"), [])


# ---- JSON --------------------------------------------------------------------


class Json(unittest.TestCase):
    def test_every_key_and_no_other(self):
        emitted = set(
            re.findall(r'\b(?:json|write)_\w+\(\s*json,\s*"(\w+)"', text_of("report/json.c"))
        )
        documented = {
            row[0].split("`")[1]
            for header, *rows in tables(text_of("docs/results.md"))
            if header[0] == "key"
            for row in rows
        }
        self.assertGreater(len(emitted), 80)
        self.assertEqual(differences(documented, emitted, "key"), [])


# ---- files, targets, links ---------------------------------------------------


def looks_like_a_path(word):
    return bool(re.fullmatch(r"[\w.<>*+-]+(/[\w.<>*+-]*)*", word)) and (
        "/" in word or bool(re.search(rf"\.(?:{SUFFIXES})$", word))
    )


def is_there(word):
    """A file or folder of the tree; <arch> is each architecture, <anything> and * anything."""
    if word.split("/")[0] in ("build", ".cache") or word.rsplit("/", 1)[-1] in MADE:
        return True
    patterns = [word.replace("<arch>", arch) for arch in ARCHS]
    patterns = {re.sub(r"<\w+>", "*", pattern).rstrip("/") for pattern in patterns}
    for pattern in patterns:
        if "/" not in pattern and "." in pattern:
            pattern = "**/" + pattern  # a file by its name alone
        found = (p for p in ROOT.glob(pattern) if "build" not in p.relative_to(ROOT).parts)
        if next(found, None) is None:
            return False
    return True


class Files(unittest.TestCase):
    def test_every_path_is_there(self):
        top = {path.name for path in ROOT.iterdir()}
        missing = []
        for path in ALL:
            words, _ = prose_and_code(path)
            for word in (part for word in words for part in word.split()):
                if not looks_like_a_path(word):
                    continue
                if word.split("/")[0] not in top and not re.search(rf"\.(?:{SUFFIXES})$", word):
                    continue  # "x/y" that is no path of ours
                if not is_there(word):
                    missing.append(f"{path.name}: {word}")
        self.assertEqual(missing, [])

    def test_links_lead_somewhere(self):
        for path in ALL:
            for target in re.findall(r"\]\(([^)]+)\)", path.read_text()):
                self.assertNotIn("://", target, path.name)
                self.assertTrue((path.parent / target).exists(), f"{path.name}: {target}")

    def test_readme_links_to_every_document(self):
        linked = re.findall(r"\]\((docs/[^)]+)\)", text_of("README.md"))
        self.assertEqual({f"docs/{path.name}" for path in DOCS} - set(linked), set())

    def test_licence_line_first(self):
        for path in ALL:
            first = path.read_text().split("\n", 1)[0]
            self.assertEqual(first, "<!-- SPDX-License-Identifier: BSD-2-Clause -->", path.name)

    def test_make_targets_exist(self):
        makefiles = [ROOT / "Makefile", *ROOT.glob("*/*.mk")]
        targets = {
            name for file in makefiles for name in re.findall(r"^## make ([\w-]+)", file.read_text(), re.M)
        }
        self.assertIn("bench", targets)
        for path in ALL:
            words, code = prose_and_code(path)
            commands = [text for text in words + code if re.match(r"make( |$)", text)]
            for command in commands:
                command = re.sub(r"#.*|'[^']*'", "", command)
                for word in command.split()[1:]:
                    if re.fullmatch(r"[a-z][\w-]*", word):
                        self.assertIn(word, targets, f"{path.name}: {command}")

    def test_measured_tables_are_those_of_the_results(self):
        shown = text_of("docs/results/README.md")
        found = sorted((ROOT / "docs/results").glob("*/results.json.gz"))
        self.assertTrue(found)
        for path in found:
            self.assertIn(f"[{path.parent.name}]({path.parent.name}/report.txt)", shown)
            for line in results_table.table(results_table.load(str(path))):
                self.assertIn(line, shown.splitlines(), path.parent.name)

    def test_they_speak_of_the_project_alone(self):
        for path in ALL:
            found = re.findall(r"(?<![\w.])/(?:work|root|home|tmp)/\S*", path.read_text())
            self.assertEqual(found, [], path.name)


if __name__ == "__main__":
    unittest.main()
