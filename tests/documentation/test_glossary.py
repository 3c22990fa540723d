"""The glossary: few terms, each defined once, and all that the package prints as letters and statuses among them."""

from __future__ import annotations

import re
from pathlib import Path

from algatt.symmetry.legend import BASES, LETTERS

PAGE = Path(__file__).parents[2] / "docs" / "glossary.md"

STATUSES = ("proven", "probable", "numerical", "undecided", "refuted")


def terms() -> list[str]:
    """Return the first cells of the tables."""
    rows = re.findall(r"^\| (.+?) \| .+ \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [row.removesuffix(" †") for row in rows if row != "term"]


def test_at_most_sixty_terms_are_defined_each_once() -> None:
    assert len(terms()) == len(set(terms())) <= 60


def test_letters_of_groups_and_words_of_verdicts_are_defined() -> None:
    words = {part for term in terms() for part in term.split(", ")}
    assert {letter for letter in LETTERS if letter.endswith("(n)")} <= words
    assert words.issuperset([*BASES, *STATUSES])
