"""Numbers by powers of which whole tensors are multiplied, and that are no multiples of the identity in a space."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from algatt.architectures import Architecture
from algatt.architectures.network import program as program_of
from algatt.fields import Elements, Reals
from algatt.geometry.equality.large.motions import LargeMotions, MatrixSpace
from algatt.geometry.equality.large.spaces import folded_types
from algatt.symmetry import GroupElement
from algatt.symmetry.quotients.folded import through
from algatt.symmetry.quotients.gains import Fold
from algatt.symmetry.tensors_element import Sides, TensorsElement

POLYNOMIAL = ("tensor", "input", "constant", "product", "transpose", "add", "multiply", "negate", "take", "concatenate")
"""Operations of networks that are polynomials: an identity for positive numbers holds for negative ones."""


@dataclass(frozen=True, eq=False)
class Scaling:
    """A number by powers of which tensors are multiplied, after gains are folded.

    Parameters
    ----------
    exponents : dict of str to int
        The powers by tensor.
    positive : bool
        Whether the number has to be positive.
    fold : Fold
        The quotient that folds gains.
    """

    exponents: Mapping[str, int]
    positive: bool
    fold: Fold

    def element(self, theta: Mapping[str, Elements], number: float) -> GroupElement:
        """Return the element of a number, for tensors of given shapes."""
        sides = {}
        for name, power in self.exponents.items():
            factor = number**power * np.eye(theta[name].shape[0])
            sides[name] = Sides(name, Elements(Reals(), factor))
        return through(self.fold, TensorsElement(sides))


@functools.lru_cache(maxsize=16)
def scalings_of(arch: Architecture, motions: LargeMotions, fold: Fold) -> tuple[Scaling, ...]:
    """Return the numbers that types find and that spaces do not have among their matrices."""
    _, folded, parts = folded_types(arch)
    bound = {scalar for part in parts if part.constraints for scalar in part.scalars}
    totals: dict[object, dict[str, Fraction]] = {}
    for name, pair in folded.items():
        for action in pair:
            for scalar, coefficient in action.scalars.items():
                if scalar not in bound:
                    total = totals.setdefault(scalar, {})
                    total[name] = total.get(name, Fraction(0)) + coefficient
    names = list(folded)
    known = [one for one in (multiples(space, names) for space in motions.spaces) if np.any(one)]
    rank = int(np.linalg.matrix_rank(np.array(known))) if known else 0
    found = []
    polynomial = all(one.operation in POLYNOMIAL for one in program_of(arch).instructions)
    for total in totals.values():
        vector = np.array([float(total.get(name, 0)) for name in names])
        rows = [*known, vector]
        if np.linalg.matrix_rank(np.array(rows)) > rank:
            known, rank = rows, rank + 1
            scale = math.lcm(*(power.denominator for power in total.values()))
            exponents = {name: int(power * scale) for name, power in total.items() if power}
            found.append(Scaling(exponents, not polynomial, fold))
    return tuple(found)


def multiples(space: MatrixSpace, names: list[str]) -> np.ndarray:
    """Return by what powers the multiples of the identity in a space multiply tensors; zero if it has none."""
    powers = dict.fromkeys(names, 0.0)
    if space.group in ("general", "turns"):
        for side in space.sides:
            if side.part is None and side.tensor in powers:
                powers[side.tensor] += -1.0 if side.inverse else 1.0
    return np.array(list(powers.values()))
