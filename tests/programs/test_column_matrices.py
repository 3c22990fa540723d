"""Tables of numbers that turn pairs of rows, on a circle or not: a constant matrix for each column."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt.errors import NoNormalForm
from algatt.fields import Elements, Reals, concatenate
from pairs_of_texts import ANGLES, PLACES
from written_networks import written


def half(Y: Elements) -> Elements:
    return concatenate((-Y[2:], Y[:2]))


def table(values: np.ndarray) -> np.ndarray:
    """Return floats as the numbers that they are exactly."""
    return np.vectorize(Fraction, otypes=[object])(values)


COSINES, SINES = (table(np.vstack([function(np.outer(ANGLES, PLACES))] * 2)) for function in (np.cos, np.sin))
OTHERS = table(np.cos(np.outer((1.0, 0.25, 0.5, 2.0), PLACES)))
FIRST = [0, 0, 0, 0]
PAIR = np.array([[1], [0], [1], [0]])

TURNS = {
    "an angle for each pair": lambda Y: Y * COSINES + half(Y) * SINES,
    "half of that": lambda Y: Y * COSINES * Fraction(1, 2) + half(Y) * SINES * Fraction(1, 2),
    "pairs of one angle": lambda Y: Y * COSINES[FIRST] + half(Y) * SINES[FIRST],
    "pairs of opposite angles": lambda Y: (
        Y * COSINES[FIRST] + half(Y) * (SINES[FIRST] * np.array([[1], [-1], [1], [-1]]))
    ),
    "both signs are plus in one pair": lambda Y: Y * COSINES + half(Y) * (SINES * np.array([[1], [1], [-1], [1]])),
    "both signs are plus": lambda Y: Y * COSINES + Y[[2, 3, 0, 1]] * SINES,
    "other cosines for each row": lambda Y: Y * OTHERS + half(Y) * SINES,
    "a pair that stays": lambda Y: Y * (COSINES * PAIR + 1 - PAIR) + half(Y) * (SINES * PAIR),
    "halves joined": lambda Y: concatenate(
        (Y[:2] * COSINES[:2] - Y[2:] * SINES[:2], Y[2:] * COSINES[:2] + Y[:2] * SINES[:2])
    ),
}


def matrices(turn) -> list[np.ndarray]:
    """Return the matrix of each column."""
    found = []
    for token in PLACES:
        columns = []
        for row in range(4):
            unit = np.zeros((4, len(PLACES)))
            unit[row, token] = 1
            columns.append(np.asarray(turn(Elements.of(Reals(), unit)).public())[:, token])
        found.append(np.array(columns).T)
    return found


def commutant(turn) -> int:
    """Return the dimension of the matrices that commute with those of all columns, by singular values."""
    one = np.eye(4)
    equations = np.vstack([np.kron(B.T, one) - np.kron(one, B) for B in matrices(turn)])
    return 16 - int(np.linalg.matrix_rank(equations))


def scores(turn) -> algatt.Network:
    """Return a network of queries and keys that are turned."""
    return written(
        {"Q": (4, 4), "K": (4, 4)}, lambda w, X: X @ (turn(w.K @ X).T @ turn(w.Q @ X)), width=4, tokens=len(PLACES)
    )


@pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS)
def test_what_moves_queries_and_keys_commutes_with_the_matrix_of_every_column(turn):
    """(B K)^T (B Q) is the same for L Q and L^-T K, if L commutes with all B and so does L^T."""
    net = scores(turn)
    report = algatt.dimension(net)
    assert (report.value, report.status) == (32 - commutant(turn), "proven")
    theta, X = algatt.sample(net, algatt.Weights, field=Reals(), seed=1), algatt.sample_inputs(net, field=Reals())
    moved = algatt.fiber(net, theta).sample(2)
    assert moved != theta
    np.testing.assert_allclose(algatt.evaluate(net, moved, X), algatt.evaluate(net, theta, X), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS)
@pytest.mark.parametrize("field", [Reals(), algatt.PrimeField()], ids=str)
def test_turned_queries_and_keys_have_a_normal_form(turn, field):
    """One on each orbit: it is made of as many tensors as tell the matrices apart that commute with all turns."""
    net = scores(turn)
    for seed in range(2):
        theta = algatt.sample(net, algatt.Weights, field=field, seed=seed)
        moved = theta
        for family in algatt.symmetries(net):
            moved = algatt.act(family.element(moved, seed), moved)
        form, X = algatt.canonical(net, theta), algatt.sample_inputs(net, field=field)
        value, other = algatt.evaluate(net, theta, X), algatt.evaluate(net, form, X)
        pairs = list(zip(form.elements, algatt.canonical(net, moved).elements, strict=True))
        assert moved != theta != form
        if field.exact:
            assert (value == other).all()
            assert all((one.raw == two.raw).all() for one, two in pairs)
        else:
            np.testing.assert_allclose(other, value, rtol=1e-9, atol=1e-9 * np.abs(value).max())
            assert all(np.allclose(one.raw, two.raw, rtol=0, atol=1e-9 * np.abs(one.raw).max()) for one, two in pairs)


def test_turned_queries_of_low_rank_are_not_generic():
    net = scores(TURNS["an angle for each pair"])
    theta = algatt.sample(net, algatt.Weights, field=algatt.PrimeField(), seed=1)
    with pytest.raises(NoNormalForm, match="not generic"):
        algatt.canonical(net, theta.replace([element * 0 for element in theta.elements]))
