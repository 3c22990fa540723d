"""Conserved quantities of networks of any size, as matrices and rows of numbers: one for each space, not each entry.

`algatt.geometry.equality.large` says how matrices and numbers move the tensors of a network whose gains are folded,
from its types alone. A symmetric velocity S of a space moves a tensor by S T, or T S, or their negatives, and keeps the
sum of T T^T, or T^T T, with these signs. Rows of a tensor move the same whether gains are folded into its columns or
not.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.geometry.equality.large.motions import Factors, MatrixSpace
from algatt.geometry.equality.large.spaces import large_motions
from algatt.geometry.training.naming import ConservedTerm, join, plain, scale_of
from algatt.symmetry import GainSymmetry


@dataclass(frozen=True, eq=False)
class LargeQuantity:
    """A matrix that gradient flow keeps, its diagonal, or sums of entries of this.

    Parameters
    ----------
    name : str
        The matrix, as `ConservationLaw.quantity`.
    terms : tuple of Term
        What it is the sum of: multiples of T T^T (``rows``) and T^T T (``columns``).
    whole : bool
        Whether all entries are kept, or those of the diagonal alone.
    parts : tuple of tuple of int, or None
        The entries of the diagonal that are kept as one sum; None for each of its own.
    """

    name: str
    terms: tuple[ConservedTerm, ...]
    whole: bool
    parts: tuple[tuple[int, ...], ...] | None = None

    def value(self, tensors: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return the matrix, or the numbers that are kept of its diagonal."""
        total: np.ndarray = np.sum([self.part(term, tensors) for term in self.terms], axis=0)
        return total

    def size(self, tensors: Mapping[str, np.ndarray]) -> float:
        """Return the sum of the norms of the terms."""
        return float(sum(np.linalg.norm(self.part(term, tensors)) for term in self.terms))

    def part(self, term: ConservedTerm, tensors: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return a term of the quantity."""
        X = tensors[term.tensor] if term.side == "rows" else tensors[term.tensor].T
        found: np.ndarray = float(term.factor) * (X @ X.T if self.whole else np.sum(X * X, axis=1))
        return found if self.parts is None else np.array([found[list(part)].sum() for part in self.parts])


@functools.lru_cache(maxsize=16)
def large_quantities(arch: Architecture) -> tuple[LargeQuantity, ...]:
    """Return the quantities of the matrices and numbers that move the tensors of a network, and of its gains.

    Shifts, which keep sums of weights, and motions that no rule for whole matrices has are left out. Cost: that of the
    types of the network, which does not depend on its widths.
    """
    order = {name: number for number, name in enumerate(verbs.coordinates(arch))}
    motions = large_motions(arch)
    found = [one for space in motions.spaces for one in of_space(space, order)]
    found += [one for each in motions.coordinates for factors in each.factors for one in of_factors(factors, order)]
    for family in verbs.members(GainSymmetry, arch):
        gain = family.gain
        powers = {(gain.name, 0): 1} | {(name, 0): 1 for name in gain.divided}
        powers |= {(name, 1): -1 for name in gain.columns} | {(name, 0): -1 for name in gain.rows}
        found += of_factors(Factors(powers), order)
    return tuple(sorted(found, key=lambda one: order[one.terms[0].tensor]))


def named(powers: Mapping[tuple[str, int], int], order: Mapping[str, int]) -> tuple[tuple[ConservedTerm, ...], str]:
    """Return the terms of a quantity in the order of the tensors, with its name."""
    sides = sorted(powers, key=lambda side: (side[1], order[side[0]]))
    terms = [ConservedTerm(name, "columns" if axis else "rows", Fraction(powers[name, axis])) for name, axis in sides]
    terms.sort(key=lambda term: order[term.tensor])
    scale = scale_of(terms)
    return tuple(term._replace(factor=term.factor * scale) for term in terms), join(terms, scale, plain)


def of_space(space: MatrixSpace, order: Mapping[str, int]) -> Iterator[LargeQuantity]:
    """Iterate over the quantity of a space in which general matrices act, or those that commute with turns of pairs."""
    if space.group not in ("general", "turns"):
        return  # rotations keep nothing
    parts = {side.part for side in space.sides}
    whole = space.group == "general"
    if len(parts) > 1 or (whole and parts != {None}):
        return
    terms, name = named({(side.tensor, side.axis): -1 if side.inverse else 1 for side in space.sides}, order)
    if whole:
        yield LargeQuantity(name, terms, True)
        return
    chosen = parts.pop() or tuple(range(space.size))
    pairs = tuple((chosen[k], chosen[k + 1]) for k in range(0, len(chosen), 2))
    yield LargeQuantity(f"partial traces of {name}", terms, False, pairs)


def of_factors(factors: Factors, order: Mapping[str, int]) -> Iterator[LargeQuantity]:
    """Iterate over the quantity of numbers that multiply rows and columns."""
    powers = {side: power for side, power in factors.exponents.items() if power}
    if factors.signs or not powers:
        return
    terms, name = named(powers, order)
    yield LargeQuantity(f"partial traces of {name}" if factors.equal else name, terms, False, factors.equal or None)
