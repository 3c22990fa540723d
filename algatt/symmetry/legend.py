"""The letters of groups, and the words that say on what a family rests, with what they mean."""

from __future__ import annotations

from collections.abc import Iterable

from algatt.symmetry.groups import (
    Commutant,
    GeneralLinear,
    LinearGroup,
    Orthogonal,
    PositiveTorus,
    Stabilizer,
    Torus,
    Trivial,
)

GROUPS = (GeneralLinear, Orthogonal, Torus, PositiveTorus, Commutant, Stabilizer, LinearGroup)

LETTERS = {f"{group.letter}(n)": group.meaning for group in GROUPS} | {str(Trivial(1)): "a finite group"}
"""The letters of groups of n x n matrices, and what they mean."""

BASES = {
    "typed": "proven by the code: how each result moves if its tensors do",
    "quotient": "proven by the code: the function depends on fewer numbers, such as W diag(g) in place of W and g",
    "choice": "proven by the code to first order: the tensor only chooses, and small changes change no choice",
    "ambient": "proven by a space of polynomials that has all functions of the network",
    "symbols": "proven with sizes as symbols, without matrices",
    "declared": "stated by a theorem about this architecture",
}
"""The words for what a family rests on, and what they mean."""


def explain(groups: Iterable[str], bases: Iterable[str]) -> list[tuple[str, str]]:
    """Return the letters and words that occur in the names of groups and among bases, each with what it means."""
    letters = {name.partition("(")[0] for name in groups}
    words = set(bases)
    return [
        *((letter, meaning) for letter, meaning in LETTERS.items() if letter.partition("(")[0] in letters),
        *((word, meaning) for word, meaning in BASES.items() if word in words),
    ]
