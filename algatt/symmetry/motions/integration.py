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
from algatt.fields import Elements, Field, Reals, concatenate
from algatt.fields.motions import Action, Constraint, Scalar, Space, Vanishing
from algatt.symmetry.motions.solution import SIDES, Solution, add_entries
from algatt.symmetry.tensors_element import Sides, TensorsElement, multiply


def values_of(solution: Solution, field: Field, coefficients: np.ndarray) -> dict[Space | Scalar, Elements]:
    """Return the matrices of the unknowns of a combination of vector fields; numbers as 1 x 1 matrices."""
    values: dict[Space | Scalar, Elements] = {}
    for unknown in solution.component.both:
        size = unknown.size
        total = Elements.of(field, np.zeros((size, size), dtype=np.int64))
        if unknown in solution.unknowns:
            one = solution.unknowns[unknown]
            entries = Elements(field, coefficients[one.numbers]) * one.values
            add_entries(total, one.rows * size + one.columns, entries)
        values[unknown] = total
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
    if solution.diagonal:
        return powers(solution, field, coefficients)
    if not has_coefficients(solution):
        raise SymmetryError(
            "no exact elements of the group are known: its equations have coefficients besides 1 and -1"
        )
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


def has_transforms(constraint: Constraint) -> bool:
    """Return whether Cayley transforms satisfy a constraint with their solutions: it is S + S^T = 0 or S C = C T for
    single unknowns.
    """
    spaces = {space for action in constraint.actions for space, _ in action.terms}
    scalars = [scalar for action in constraint.actions for scalar in action.scalars]
    if isinstance(constraint, Vanishing):
        return len(spaces) == 1 and not scalars
    return all(
        len(action.terms) + len(action.scalars) <= 1
        and all(abs(c) == 1 for c in (*action.terms.values(), *action.scalars.values()))
        for action in constraint.actions
    )


def has_coefficients(solution: Solution) -> bool:
    """Return whether Cayley transforms of the solutions of the constraints are elements of the group."""
    own = solution.component.spaces
    used = (
        [c for (space, _), c in one.terms.items() if space in own] for pair in solution.actions.values() for one in pair
    )
    in_tensors = all(len(terms) <= 1 and all(abs(c) == 1 for c in terms) for terms in used)
    return in_tensors and all(map(has_transforms, solution.component.constraints))


def powers(solution: Solution, field: Field, coefficients: np.ndarray) -> TensorsElement:
    """Return the element whose entries are powers of numbers, one for each of diagonal vector fields."""
    one = Elements.of(field, [[1]])
    bases = []
    for raw in coefficients.reshape(-1, 1, 1):
        base = verbs.inverse(one - Elements(field, raw)) @ (one + Elements(field, raw))
        bases.append(verbs.inverse(base) ** -(1 + solution.positive))  # SingularMatrix is raised if it is 0
    found: dict[str, list[Elements | None]] = {}
    for name, axis in [(name, axis) for name, side in solution.sides for axis in [int(side == "columns")]]:
        size = solution.actions[name][axis].size
        diagonal = [one] * size
        for number, i, _, exponent in zip(*solution.entries[name, SIDES[axis]].arrays, strict=True):
            diagonal[i] = diagonal[i] * bases[number] ** int(exponent)
        matrix = Elements.of(field, np.eye(size, dtype=np.int64)) * concatenate(diagonal)
        found.setdefault(name, [None, None])[axis] = matrix
    return TensorsElement({name: Sides(name, *pair) for name, pair in found.items()})
