"""Minors of tangents that are known from single tensors, beside determinants of the tangents themselves by FLINT."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import flint
import numpy as np
import pytest

import algatt
from algatt import Lightning, PrimeField, Softmax, Weights, verbs
from algatt.fields import Elements
from algatt.geometry.dimensions import bounds
from algatt.geometry.dimensions.bounds import upper_bound
from algatt.geometry.dimensions.evidence import Minor
from algatt.geometry.dimensions.gauge import Fixed, fixed_spaces, minor_of_gauge
from algatt.geometry.dimensions.question import Question
from algatt.linalg import RowSpace
from algatt.symmetry import Interlayer, KeyQuery
from algatt.symmetry.base import unit_matrices
from algatt.symmetry.named.place import Place, PlaceMove

FIELD = PrimeField(8388593)


def determinant(matrix: np.ndarray, p: int) -> int:
    return int(flint.nmod_mat(*matrix.shape, [int(x) for x in matrix.ravel()], p).det())


def stacked(arch: Any, theta: Weights) -> np.ndarray:
    return np.concatenate([family.tangent_elements(theta).raw for family in verbs.symmetries(arch)])


@pytest.mark.parametrize(
    "arch",
    [
        Lightning((4, 4, 4), (2, 2), 3),
        Lightning((5, 3, 4), (2, 3), 3),
        Lightning((4, 4, 4, 4), (2, 3, 1), 3),
        Softmax((5, 4, 3), (3, 2), 3),
    ],
    ids=str,
)
@pytest.mark.parametrize("p", [31, 8388593])
def test_the_minor_is_that_of_all_tangents(arch: Any, p: int) -> None:
    field = PrimeField(p)
    theta = algatt.sample(arch, Weights, field=field, seed=3)
    minor = minor_of_gauge(arch, verbs.symmetries(arch), field, theta)
    tangents = stacked(arch, theta)
    assert minor is not None
    assert sorted(minor.rows) == list(range(len(tangents)))
    assert len(set(minor.columns)) == len(minor.rows)
    assert minor.determinant == determinant(tangents[np.ix_(minor.rows, minor.columns)], p) != 0


@pytest.mark.parametrize(("side", "power", "transposed"), product(("rows", "columns"), (1, -1), (False, True)))
@pytest.mark.parametrize("n", [2, 3])
def test_every_way_in_which_a_tensor_moves(side: str, power: int, transposed: bool, n: int) -> None:
    place = Place(n, (PlaceMove("W", side, power, transposed),))
    shape = (n, 4) if side == "rows" else (4, n)
    W = Elements(FIELD, verbs.draw_array(FIELD, shape=shape, seed=n, label="W"))
    fixed = Fixed(0, place, place.moves[0])
    space = RowSpace(FIELD, 4)
    space.add(Elements(FIELD, np.ascontiguousarray(fixed.matrix(W.raw))))
    minor = fixed.minor_of(space, shape, 0)
    tangents = place.tangents(unit_matrices(FIELD, n), {"W": W})["W"].raw.reshape(n * n, -1)
    assert minor.determinant == determinant(tangents[np.ix_(minor.rows, minor.columns)], FIELD.p) != 0
    wanted = verbs.draw_array(FIELD, shape=(5, *shape), seed=0, label="wanted")
    change = fixed.change(wanted, W, list(space.pivot_columns))
    found = place.tangents(change, {"W": W})["W"].raw.reshape(5, -1)
    assert np.array_equal(found[:, minor.columns], wanted.reshape(5, -1)[:, minor.columns])


@dataclass(frozen=True)
class OneNumber(KeyQuery):
    """Tensors that one number moves; whether the function stays the same is not asked here.

    Below a family that is there, so that it is none of other networks for the tests that follow.
    """

    name = "one number"
    powers: tuple[tuple[str, int], ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        return (Place(1, tuple(PlaceMove(tensor, "rows", power) for tensor, power in self.powers), number=True),)


@pytest.mark.parametrize("powers", [{"V_1": 1}, {"V_1": -1, "Q_2": 1}, {"K_1": 1, "K_2": 1, "V_1": 1}], ids=str)
def test_numbers_that_move_a_tensor_by_which_a_space_is_fixed(powers: dict[str, int]) -> None:
    arch = Lightning((4, 4, 4), (2, 2), 3)
    theta = algatt.sample(arch, Weights, field=FIELD, seed=3)
    families = [Interlayer(arch), KeyQuery(arch), OneNumber(arch, tuple(powers.items()))]
    minor = minor_of_gauge(arch, families, FIELD, theta)
    tangents = np.concatenate([family.tangent_elements(theta).raw for family in families])
    assert minor is not None
    assert minor.determinant == determinant(tangents[np.ix_(minor.rows, minor.columns)], FIELD.p) != 0


@pytest.mark.parametrize("powers", [{"V_1": 1, "Q_2": -1, "K_2": -1, "V_2": -1}, {"K_1": 1, "Q_1": -1}], ids=str)
def test_a_number_that_moves_as_a_space_does_has_no_minor(powers: dict[str, int]) -> None:
    arch = Lightning((4, 4, 4), (2, 2), 3)
    theta = algatt.sample(arch, Weights, field=FIELD, seed=3)
    families = [Interlayer(arch), KeyQuery(arch), OneNumber(arch, tuple(powers.items()))]
    assert minor_of_gauge(arch, families, FIELD, theta) is None


@pytest.mark.parametrize("step", [1, -1])
def test_each_space_has_a_tensor_that_no_later_one_moves(step: int) -> None:
    arch = Lightning((4, 4, 4, 4), (2, 2, 2), 3)
    fixed = fixed_spaces(arch, verbs.symmetries(arch)[::step])
    assert fixed is not None
    assert len({one.move.tensor for one in fixed}) == len(fixed) == 5
    for number, one in enumerate(fixed):
        assert not any(move.tensor == one.move.tensor for later in fixed[number + 1 :] for move in later.place.moves)


def by_elimination(arch: Any, theta: Weights, monkeypatch: pytest.MonkeyPatch) -> bounds.UpperBound:
    with monkeypatch.context() as patch:
        patch.setattr(bounds, "minor_of_gauge", lambda *given: None)
        return upper_bound(Question(arch), FIELD, theta)


@pytest.mark.parametrize("name", [None, "Q_1", "V_1", "Q_2"])
def test_at_special_weights_the_bound_is_that_of_the_elimination(
    name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a tensor has less than full rank the tangents may depend on each other."""
    arch = Lightning((4, 4, 4), (2, 2), 3)
    theta = algatt.sample(arch, Weights, field=FIELD, seed=0)
    if name is not None:
        names = list(theta.names())
        elements = list(theta.elements)
        raw = elements[names.index(name)].raw.copy()
        raw[1] = 0
        elements[names.index(name)] = Elements(FIELD, raw)
        theta = theta.replace(elements)
    found, expected = upper_bound(Question(arch), FIELD, theta), by_elimination(arch, theta, monkeypatch)
    assert (found.value, found.families) == (expected.value, expected.families)
    assert isinstance(found.minor, Minor)
    matrix = stacked(arch, theta)[np.ix_(found.minor.rows, found.minor.columns)]
    assert determinant(matrix, FIELD.p) == found.minor.determinant != 0


@pytest.mark.parametrize(
    "arch", [Lightning((3, 5, 4), (2, 1), 3), algatt.Network(algatt.layers.Heads(2), width=4, tokens=2)], ids=str
)
def test_other_families_are_eliminated(arch: Any) -> None:
    assert fixed_spaces(arch, verbs.symmetries(arch)) is None
    theta = algatt.sample(arch, Weights, field=FIELD, seed=0)
    assert minor_of_gauge(arch, verbs.symmetries(arch), FIELD, theta) is None
