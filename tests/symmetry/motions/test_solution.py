"""Entries of vector fields, beside matrices of all entries."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from algatt import PrimeField
from algatt.fields import Elements
from algatt.fields.motions import Action, Scalar, Space
from algatt.symmetry.motions.solution import Connected, NonzeroEntries, Solution, add_entries

SIZE = 3

NOTHING = Connected((), (), ())


def dense(entries: NonzeroEntries, count: int, size: int = SIZE) -> np.ndarray:
    found = np.zeros((count, size, size), dtype=object)
    for number, i, j, value in zip(*entries.arrays, strict=True):
        assert value
        found[number, i, j] += value
    return found


def assignments(seed: int, spaces: tuple[Space, ...], scalar: Scalar) -> tuple[Solution, dict[Any, np.ndarray]]:
    rng = np.random.default_rng(seed)
    values: dict[Any, np.ndarray] = {one: rng.integers(-1, 2, (4, SIZE, SIZE)) for one in spaces}
    values[scalar] = rng.integers(-1, 2, (4, 1, 1))
    listed = [
        {
            (one if one is scalar else (one, *place)): int(matrices[number][place])
            for one, matrices in values.items()
            for place in zip(*np.nonzero(matrices[number]), strict=True)
        }
        for number in range(4)
    ]
    return Solution.of(NOTHING, {}, listed), values


@pytest.mark.parametrize("seed", range(8))
def test_sums_of_matrices_and_numbers(seed: int) -> None:
    """Terms that cancel leave nothing: S - S^T has no diagonal."""
    one, two, other, scalar = Space(SIZE, 1, ""), Space(SIZE, 2, ""), Space(SIZE, 3, ""), Scalar(4)
    basis, values = assignments(seed, (one, two), scalar)
    S, T, s = values[one], values[two], values[scalar]
    half = Fraction(1, 2)
    for action, expected in (
        (Action(SIZE, {(one, False): 1}), S),
        (Action(SIZE, {(one, True): -2}), -2 * S.transpose(0, 2, 1)),
        (Action(SIZE, {(one, False): 1, (one, True): -1}), S - S.transpose(0, 2, 1)),
        (Action(SIZE, {(one, False): 1, (two, False): -1, (other, False): 5}), S - T),
        (
            Action(SIZE, {(one, False): 1, (two, True): half}, {scalar: 3}),
            2 * S + T.transpose(0, 2, 1) + 6 * s * np.eye(SIZE, dtype=int),
        ),
        (Action(SIZE, {(other, False): 1}), 0 * S),
    ):
        found = basis.matrices(action)
        assert np.array_equal(dense(found, 4), expected)
        assert basis.moves(action) == expected.any()
        assert basis.moves(action, mixed=True) == (expected * (1 - np.eye(SIZE, dtype=int))).any()
        kept = np.array([True, False, True, True])
        assert np.array_equal(dense(basis.some(kept).matrices(action), 3), expected[kept])


def test_fields_have_integers_without_a_common_divisor() -> None:
    """By L = 2 s and R = - s / 2 the first moves by 4 and -1, and twice as much is the same; large ones stay exact."""
    space, scalar = Space(2, 1, ""), Scalar(2)
    large = 3**60
    basis = Solution.of(
        NOTHING, {}, [{scalar: 2}, {(space, 0, 1): 6, (space, 1, 0): 4}, {(space, 1, 1): 5 * large, scalar: 7 * large}]
    )
    actions = {"W": (Action(2, {(space, False): 1}, {scalar: 2}), Action(2, {}, {scalar: Fraction(-1, 2)}))}
    first, second, third = replace(basis, actions=actions).each()
    assert first == {("W", "rows"): {(0, 0): 4, (1, 1): 4}, ("W", "columns"): {(0, 0): -1, (1, 1): -1}}
    assert second == {("W", "rows"): {(0, 1): 3, (1, 0): 2}}
    assert third == {("W", "rows"): {(0, 0): 28, (1, 1): 38}, ("W", "columns"): {(0, 0): -7, (1, 1): -7}}


def test_entries_at_one_place_are_added() -> None:
    total = Elements.of(PrimeField(31), np.zeros((2, 2), dtype=np.int64))
    entries = Elements.of(PrimeField(31), np.array([30, 5, 7, 20]))
    add_entries(total, np.array([3, 0, 3, 3]), entries)
    assert total.raw.tolist() == [[5, 0], [0, (30 + 7 + 20) % 31]]
