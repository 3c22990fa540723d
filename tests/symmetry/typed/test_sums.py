"""Equations A C = C B with C = c 1 + u v^T, written with few terms."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from algatt import verbs
from algatt.fields.motions import Action, Equations, Intertwining, Space
from algatt.fields.motions.words import Entries
from algatt.symmetry.typed.basis import Basis, VectorFields
from algatt.symmetry.typed.entries import Sum, forms_with_sums, multiple_and_factors
from algatt.symmetry.typed.linear_system import earliest, solve
from algatt.symmetry.typed.solution import with_own_entries


@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_the_same_solutions_as_entry_by_entry(seed: int, alike: bool) -> None:
    """The pairs with A C = C B have dimension 25 for an invertible C, the A that commute with C have 17."""
    rng = np.random.default_rng(seed)
    u, v = ([Fraction(int(one), int(rng.integers(1, 4))) for one in rng.integers(-3, 4, 5)] for _ in range(2))
    u[seed], v[(seed + 1) % 5] = Fraction(1), Fraction(-2)  # not zero outside of the diagonal
    c = Fraction(7, 3)
    array = np.array([[a * b + (c if i == j else 0) for j, b in enumerate(v)] for i, a in enumerate(u)], dtype=object)
    equations = Equations()
    left = Action(5, {(Space(5, 1, "A"), False): 1})
    right = left if alike else Action(5, {(Space(5, 2, "B"), True): 1})
    constraint = Intertwining(left, Entries.of(array), right)
    spaces = dict.fromkeys(space for action in (left, right) for space, _ in action.terms)
    unknowns = [(space, i, j) for space in spaces for i in range(5) for j in range(5)]
    dense = solve(filter(None, verbs.linear_forms(constraint, equations)), unknowns)
    made = list(forms_with_sums(constraint, equations) or ())
    sums = dict.fromkeys(key for form in made for key in form if isinstance(key, Sum))
    found = solve(filter(None, made), [*sums, *unknowns])
    sparse = earliest([{key: one[key] for key in one if key not in sums} for one in found], unknowns)
    assert sparse == dense
    assert len(sparse) == (17 if alike else 25)


@pytest.mark.parametrize(
    "array", [[[1, 2, 3], [2, 1, 3], [3, 2, 1]], [[1, 0, 0], [0, 2, 0], [0, 0, 3]], [[2, 1], [1, 2]], [[1, 1, 1]] * 3]
)
def test_no_multiple_of_the_identity_and_rank_one(array: list[list[int]]) -> None:
    """The last one is u v^T alone."""
    assert multiple_and_factors(np.array(array, dtype=object)) is None


def test_fields_with_an_entry_of_their_own() -> None:
    """Of three values of unknowns the first has an entry that no other one has; the others have diagonals, or share."""
    alone, one, other = (Space(2, number, "") for number in range(3))
    sums = Action(2, {(one, False): 1, (other, False): 1})
    actions = {"W": (Action(2, {(alone, False): 1}), sums)}
    basis = [{(alone, 0, 1): 1, (alone, 1, 0): 1}, {(alone, 1, 0): 2}, {(alone, 0, 0): 1}, {(one, 0, 1): 1}]
    assert with_own_entries(VectorFields(Basis.of(basis), actions), {alone}).tolist() == [True, False, False, False]
