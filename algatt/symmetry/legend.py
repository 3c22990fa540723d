"""The letters of groups, and the words that say on what a family rests, with what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeVar

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


class Named(Protocol):
    """What has a name."""

    @property
    def name(self) -> str:
        """The name."""


Kind = TypeVar("Kind", bound=Named)

GROUPS = (GeneralLinear, Orthogonal, Torus, PositiveTorus, Commutant, Stabilizer, LinearGroup)

LETTERS = {f"{group.letter}(n)": group.meaning for group in GROUPS} | {str(Trivial(1)): "a finite group"}
"""The letters of groups of n x n matrices, and what they mean."""

BASES = {
    "equivariant": "proven by the code: each operation carries a change of its operands to one of its result",
    "quotient": "proven by the code: the function depends on fewer numbers, such as W diag(g) in place of W and g",
    "choice": "proven by the code to first order: the tensor only chooses, and small changes change no choice",
    "ambient": "proven by a space of polynomials that has all functions of the network",
    "symbols": "proven with sizes as symbols, without matrices",
    "declared": "stated by a theorem about this architecture",
}
"""The words for what a family rests on, and what they mean."""


MOST_FAMILIES = 24
"""Maximum number of families that are listed one by one."""


def counted(families: Sequence[Kind], *others: str) -> list[tuple[Kind, str]]:
    """Return families, each with how often it occurs, in words: of many families the first one of those that are alike
    in all attributes with the names of `others`, in other blocks and heads.
    """
    if len(families) <= MOST_FAMILIES:
        return [(family, "") for family in families]
    found: dict[tuple[Any, ...], list[Kind]] = {}
    for family in families:
        kind = tuple(getattr(family, name) for name in others)
        found.setdefault((re.sub(BLOCK_OR_HEAD, "", family.name), *kind), []).append(family)
    return [(alike[0], f"{len(alike)} times " if len(alike) > 1 else "") for alike in found.values()]


COUNTED = "k times n", "n in each of k blocks or heads, the first of which is named"
"""What is meant by families that are counted."""

BLOCK_OR_HEAD = r"(?<![\w.])\d+\.|_\d+$"
"""The numbers of a block and a head in the name of a family."""


def explain(groups: Iterable[str], bases: Iterable[str]) -> list[tuple[str, str]]:
    """Return the letters and words that occur in the names of groups and among bases, each with what it means."""
    letters = {name.partition("(")[0] for name in groups}
    words = set(bases)
    return [
        *((letter, meaning) for letter, meaning in LETTERS.items() if letter.partition("(")[0] in letters),
        *((word, meaning) for word, meaning in BASES.items() if word in words),
    ]
