# SPDX-License-Identifier: Apache-2.0
"""The tables of cases and the tests agree: nobody can drop a case, or a case's proof, unnoticed."""

import re
import unittest
from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parent
ROW = re.compile(r"^\| (B\d{3}) \| (.+) \| (.+) \|$", re.M)
PLACE = re.compile(r"`([^`]+)`")
NAMED_TEST = re.compile(r"def test_b(\d{3})_\w+\(self\):\n +\"\"\"\S")
# So many are known.
CASES = {"wire": 77, "fleet": 39}


class Table(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tables = {name: ROW.findall((TESTS / name / "README.md").read_text()) for name in CASES}
        cls.rows = [row for table in cls.tables.values() for row in table]

    def test_each_case_stands_there_once(self):
        for name, table in self.tables.items():
            numbers = [number for number, _, _ in table]
            self.assertEqual(numbers, sorted(set(numbers)))
            self.assertEqual(len(numbers), CASES[name])
        self.assertEqual(len({number for number, _, _ in self.rows}), sum(CASES.values()))

    def test_each_place_names_its_case(self):
        for number, _, places in self.rows:
            found = PLACE.findall(places)
            self.assertTrue(found, number)
            for place in found:
                with self.subTest(number, place=place):
                    text = (TESTS / place).read_text()
                    name = f"def test_{number.lower()}_" if place.startswith("wire/") else number
                    self.assertTrue(name in text, f"{name} does not stand in {place}")

    def test_each_named_test_stands_in_the_table(self):
        places = {number: PLACE.findall(found) for number, _, found in self.rows}
        for file in sorted(HERE.glob("test_*.py")):
            named = re.findall(r"def test_b(\d{3})_", file.read_text())
            self.assertEqual(
                len(named), len(NAMED_TEST.findall(file.read_text())), f"{file}: docstrings"
            )
            for number in named:
                with self.subTest(file=file.name, number=number):
                    self.assertIn(f"wire/{file.name}", places.get(f"B{number}", []))


if __name__ == "__main__":
    unittest.main()
