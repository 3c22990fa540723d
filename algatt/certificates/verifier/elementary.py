"""What stands for exponentials, roots and gates modulo p."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .program import Instruction

__all__ = ["ERF", "Elementary", "Evidence", "Exponential", "Refuted", "Salted", "by_weights", "count_of", "numbers_of"]

Salts = tuple[int, ...]


class Refuted(Exception):
    """What is claimed is not so."""


@dataclass(frozen=True)
class Exponential:
    """An exponential as a power: with z = exp(scale * v), v the result of `base`, its value is z^power.

    Parameters
    ----------
    base : int
        The number of an instruction, of which the exponent is a multiple by the program.
    power : int
        The power.
    scale : Fraction
        One for all exponentials of a base.
    """

    base: int
    power: int
    scale: Fraction


@dataclass(frozen=True)
class Salted:
    """A place, by the numbers of its weights and its input, and how often each column of its residues was drawn anew.

    Parameters
    ----------
    weights : int
        0 for the weights of the certificate, others for those of the labels ``condition/WEIGHTS/NAME``.
    number : int
        The number of its input.
    salts : tuple of int
        One for each column of each draw before a root, in the order of the instructions; none if all are 0.
    """

    weights: int
    number: int
    salts: Salts


@dataclass(frozen=True)
class Evidence:
    """Places at which something is looked at: as many more than there are weights as ranks are large.

    Parameters
    ----------
    instruction : int
        The root or logarithm whose arguments are looked at; -1 for exponents.
    determinant : int
        For exponents the determinant of their differences modulo p; else 0.
    total : int
        The sum of the residues that are known by what is drawn anew, modulo p.
    places : tuple of Salted
        The places; those with the same weights follow each other, the first one being compared with the others.
    """

    instruction: int
    determinant: int
    total: int
    places: tuple[Salted, ...]


@dataclass(frozen=True)
class Elementary:
    """The claims, read and compared with the program.

    Parameters
    ----------
    exponentials : dict of int to Exponential
        By the numbers of their instructions.
    free : dict of int to tuple of int
        For each base, which of its entries are no combinations of others.
    powers : dict of int to list of dict of int to int
        For each base, and each of its entries: of which of what is drawn z is a product, with which powers. Empty
        without ties: then z is drawn.
    draws : dict of int to int
        By what residues are known that are drawn anew before roots, with the number of columns that have a salt each.
    salts : dict of int to tuple of int
        For inputs in the minor: how often each column was drawn anew; those that are not there never were.
    total : int
        The sum of the residues of these inputs that are known by what is drawn anew.
    patterns : tuple of int
        The gates of real inputs as bits, the first gate being the highest one.
    dropped : tuple of int
        Real inputs that are left out.
    conditions : tuple of (Evidence or None, tuple of Evidence)
        For each different pattern, or the only one: exponents, and roots and logarithms in order.
    rests_on : tuple of str
        Theorems without which nothing is said.
    """

    exponentials: dict[int, Exponential]
    free: dict[int, tuple[int, ...]]
    powers: dict[int, list[dict[int, int]]]
    draws: dict[int, int]
    salts: dict[int, Salts]
    total: int
    patterns: tuple[int, ...]
    dropped: tuple[int, ...]
    conditions: tuple[tuple[Evidence | None, tuple[Evidence, ...]], ...]
    rests_on: tuple[str, ...]

    @property
    def tied(self) -> bool:
        """Whether exponents are combinations of others."""
        return bool(self.powers)

    @property
    def key_of_ties(self) -> int:
        """By which instruction the residues are known of which exponentials are products."""
        return min(self.free)

    @property
    def count_of_free(self) -> int:
        """The number of exponents of an input that are no combinations of others."""
        return sum(map(len, self.free.values()))


ERF = "erf not being elementary (Liouville; Ostrowski 1946)"
"""On what networks with error functions rest."""


def numbers_of(program: Sequence[Instruction], *operations: str) -> tuple[int, ...]:
    """Return the instructions with some operations."""
    return tuple(number for number, one in enumerate(program) if one.operation in operations)


def count_of(one: Instruction) -> int:
    """Return the number of entries of a result."""
    return math.prod(one.shape)


def by_weights(places: Iterable[Salted]) -> dict[int, list[Salted]]:
    """Return places by the numbers of their weights."""
    found: dict[int, list[Salted]] = {}
    for place in places:
        found.setdefault(place.weights, []).append(place)
    return found
