"""Equations A C = C B with the centring matrix C, written with few terms."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import algatt
from algatt.fields.motions import Action, Centring, Intertwining, Space
from algatt.layers import Heads, LayerNorm
from algatt.linalg.forms import LinearForm, earliest, solve
from algatt.symmetry.motions.solution import Connected, Solution
from algatt.symmetry.motions.solving import Sum, entry_of, forms_of_centring, total

NOTHING = Connected((), (), ())


def forms_by_entries(left: Action, right: Action) -> Iterator[LinearForm]:
    """Iterate over the entries of A C - C B."""
    C = Centring(left.size).array.tolist()
    for i, j in np.ndindex(left.size, left.size):
        parts = [(entry_of(left, i, k), C[k][j]) for k in range(left.size)]
        yield total([*parts, *((entry_of(right, k, j), -C[i][k]) for k in range(left.size))])


@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize("transposed", [True, False])
def test_the_same_solutions_as_entry_by_entry(transposed: bool, alike: bool) -> None:
    """The pairs with A C = C B have dimension 16 + 5 + 5: A and B are one matrix on the sum-zero space, beside A 1
    and 1^T B; the A that commute with C have 17.
    """
    left = Action(5, {(Space(5, 1, "A"), False): 1})
    right = left if alike else Action(5, {(Space(5, 2, "B"), transposed): 1})
    constraint = Intertwining(left, Centring(5), right)
    spaces = dict.fromkeys(space for action in (left, right) for space, _ in action.terms)
    unknowns = [(space, i, j) for space in spaces for i in range(5) for j in range(5)]
    dense = solve(filter(None, forms_by_entries(left, right)), unknowns)
    made = list(forms_of_centring(constraint, left, right))
    sums = dict.fromkeys(key for form in made for key in form if isinstance(key, Sum))
    found = solve(filter(None, made), [*sums, *unknowns])
    sparse = earliest([{key: one[key] for key in one if key not in sums} for one in found], unknowns)
    assert sparse == dense
    assert len(sparse) == (17 if alike else 26)


def test_fields_with_an_entry_of_their_own() -> None:
    """Of three values of unknowns the first has an entry that no other one has; the others have diagonals, or share."""
    alone, one, other = (Space(2, number, "") for number in range(3))
    sums = Action(2, {(one, False): 1, (other, False): 1})
    actions = {"W": (Action(2, {(alone, False): 1}), sums)}
    basis = [{(alone, 0, 1): 1, (alone, 1, 0): 1}, {(alone, 1, 0): 2}, {(alone, 0, 0): 1}, {(one, 0, 1): 1}]
    assert Solution.of(NOTHING, actions, basis).with_own_entries({alone}).tolist() == [True, False, False, False]


def test_gains_of_keys_and_queries_do_not_join_what_centring_leaves_of_the_matrices_before() -> None:
    """Keys and queries that a LayerNorm reads: u 1^T may be added to each matrix, and gains trade entries."""
    net = algatt.Network(Heads(2, width=3, norm=LayerNorm()), 2, 4)
    groups = {one.tensors: str(one.group) for one in algatt.symmetries(net) if one.basis == "equivariant"}
    matrices = {(f"heads.{letter}_{head}",): "G(3)" for letter in "QK" for head in (1, 2)}
    values = {(f"heads.V_{head}", f"heads.O_{head}"): "GL(3)" for head in (1, 2)}
    gains = tuple(f"heads.{norm}_norm.{tensor}" for norm in ("query", "key") for tensor in "gb")
    assert groups == matrices | values | {gains: "T(3)"}
