"""The list of all statements: it names every test of this folder and every number of HMK, and what it names exists."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "theory" / "statements.md"


def named(kind, text):
    """Return the numbers after a word, single or in a range, as in 'Equations 1 to 5' or 'Figures 2 and 4'."""
    found = set()
    for start, end, more in re.findall(rf"{kind}s? (\d+)(?: to (\d+))?(?: and (\d+))?", text):
        found |= set(range(int(start), int(end or start) + 1)) | ({int(more)} if more else set())
    return found


def test_the_list_is_that_of_the_folder():
    tests = set(re.findall(r"`(test_\w+\.py)`", PAGE.read_text()))
    assert tests == {path.name for path in HERE.glob("test_*.py")} - {Path(__file__).name}


def test_every_number_of_hmk_is_there():
    table = PAGE.read_text().partition("## HCK")[0]
    assert named("Equation", table) == set(range(1, 32))
    assert named("Figure", table) == {1, 2, 3, 4}
    for number in ("Lemma 3.1", "Theorem 3.2", "Corollary 3.3", "Theorem 3.4", "Lemma 3.5", "Lemma 3.6", "Theorem 3.7"):
        assert number in table
    for number in ("Corollary 3.8", "Theorem 3.9", "Conjecture 3.10", "Corollary A.1", "A.2", "Lemma A.3", "A.4"):
        assert number in table
    assert "Proposition A.5" in table
    assert "A.6" in table


def test_pages_exist_and_rows_without_a_place_say_why():
    for row in (line for line in PAGE.read_text().splitlines() if line.startswith("| ") and "`" not in line):
        assert "no place: " in row or row.startswith(("| number", "| statement"))
    assert all((PAGE.parent / link).exists() for link in re.findall(r"\]\((\w+\.md)\)", PAGE.read_text()))
