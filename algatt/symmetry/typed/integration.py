"""From Lie algebras to groups: exponentials over the reals, Cayley transforms over all fields.

The equations of types are S C = C T, S + S^T = 0 and that S is diagonal. The Cayley transform (1 - S)^-1 (1 + S) takes
their solutions to matrices g with g C = C h, g g^T = 1 and diagonal ones, and -S^T to the inverse of g^T, as the
exponential does. Multiples of S go to powers of g where these are diagonal or numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import SymmetryError
from algatt.fields import Elements, Field, Reals
from algatt.fields.types import Action, Diagonal, Scalar, Space
from algatt.symmetry.tensors_element import Sides, TensorsElement, multiply
from algatt.symmetry.typed.solution import Solution

__all__ = ["values_of"]


def values_of(solution: Solution, field: Field, coefficients: np.ndarray) -> dict[Space | Scalar, Elements]:
    """Return the matrices of the unknowns of a combination of vector fields; numbers as 1 x 1 matrices."""
    unknowns: tuple[Space | Scalar, ...] = (*solution.component.spaces, *solution.component.scalars)
    basis: dict[Space | Scalar, np.ndarray] = {
        one: np.zeros((len(coefficients), one.size**2 if isinstance(one, Space) else 1), dtype=np.int64)
        for one in unknowns
    }
    for number, assignment in enumerate(solution.assignments):
        for key, value in assignment.items():
            unknown, place = (key[0], key[1] * key[0].size + key[2]) if isinstance(key, tuple) else (key, 0)
            basis[unknown][number, place] = value
    combination = Elements(field, coefficients.reshape(1, -1))
    values: dict[Space | Scalar, Elements] = {}
    for unknown, matrices in basis.items():
        size = unknown.size if isinstance(unknown, Space) else 1
        values[unknown] = Elements(field, (combination @ matrices).raw.reshape(size, size))
    return values


def own(action: Action, values: Mapping[Space | Scalar, Elements]) -> list[tuple[Elements, bool, Fraction]]:
    """Return the parts of an action that belong to the unknowns of a solution: matrices, whether they are transposed,
    and coefficients.
    """
    spaces = [(values[space], transposed, c) for (space, transposed), c in action.terms.items() if space in values]
    scalars = [(values[scalar], False, c) for scalar, c in action.scalars.items() if scalar in values]
    return [(matrix, transposed, Fraction(c)) for matrix, transposed, c in (*spaces, *scalars)]


def sides(solution: Solution, values: Mapping[Space | Scalar, Elements], transform: Any) -> TensorsElement:
    """Return the element whose matrices are made of the parts of actions by a function."""
    found = {}
    for name in dict.fromkeys(tensor for tensor, _ in solution.sides):
        left, right = (transform(action.size, own(action, values)) for action in solution.actions[name])
        found[name] = Sides(name, left, right)
    return TensorsElement(found)


@verbs.element_of.method
def integrate_over_reals(solution: Solution, field: Reals, coefficients: np.ndarray) -> TensorsElement:
    from scipy.linalg import expm

    def exponential(size: int, parts: list[tuple[Elements, bool, Fraction]]) -> Elements | None:
        if not parts:
            return None
        total = np.zeros((size, size))
        for matrix, transposed, c in parts:
            whole = matrix.raw * np.eye(size) if matrix.shape == (1, 1) else matrix.raw
            total += float(c) * (whole.T if transposed else whole)
        return Elements(field, expm(total))

    return sides(solution, values_of(solution, field, coefficients), exponential)


@verbs.element_of.method
def integrate_exactly(solution: Solution, field: Field, coefficients: np.ndarray) -> TensorsElement:
    check_coefficients(solution)
    used = [action for pair in solution.actions.values() for action in pair]
    values = values_of(solution, field, coefficients)
    # squares of diagonal matrices are positive, and squares of solutions are solutions
    degree = (1 + solution.positive) * lcm(*(c.denominator for action in used for _, _, c in own(action, values)))
    transforms = {}
    for unknown, S in values.items():
        one = Elements.of(field, np.eye(S.shape[0], dtype=np.int64))
        g = verbs.inverse(one - S) @ (one + S)
        transforms[unknown] = g, verbs.inverse(g)
    pairs = {unknown: pair[0] for unknown, pair in transforms.items()}
    inverses = {id(g): inverse for g, inverse in transforms.values()}

    def product(size: int, parts: list[tuple[Elements, bool, Fraction]]) -> Elements | None:
        result: Elements | None = None
        for g, transposed, c in parts:
            base = g if c > 0 else inverses[id(g)]
            power = base
            for _ in range(int(abs(c) * degree) - 1):
                power = power @ base
            if power.shape == (1, 1) and size > 1:
                power = Elements.of(field, np.eye(size, dtype=np.int64)) * power
            result = multiply(result, power.T if transposed else power)
        return result

    return sides(solution, pairs, product)


def check_coefficients(solution: Solution) -> None:
    """Raise `SymmetryError` unless Cayley transforms of the solutions of the constraints are elements of the group."""
    component = solution.component
    diagonal = {
        space
        for one in component.constraints
        if isinstance(one, Diagonal) and len(one.action.terms) == 1
        for space, _ in one.action.terms
    }
    parts = [one for one in component.constraints if not isinstance(one, Diagonal)]
    plain = all(abs(c) == 1 for one in parts for action in one.actions for c in action.terms.values())
    in_constraints = plain and not any(action.scalars for one in parts for action in one.actions)
    in_tensors = all(
        len(terms) <= 1 and all(abs(c) == 1 for _, c in terms)
        for pair in solution.actions.values()
        for action in pair
        for terms in [[(space, c) for (space, _), c in action.terms.items() if space in component.spaces]]
        if not all(space in diagonal for space, _ in terms)
    )
    if not (in_constraints and in_tensors):
        raise SymmetryError(
            "no exact elements of the group are known: its equations have coefficients besides 1 and -1"
        )
