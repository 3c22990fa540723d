"""Tables of numbers that turn pairs of rows, on a circle or not: a constant matrix for each column."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import algatt
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


@pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS)
def test_what_moves_queries_and_keys_commutes_with_the_matrix_of_every_column(turn):
    """(B K)^T (B Q) is the same for L Q and L^-T K, if L commutes with all B and so does L^T."""
    net = written(
        {"Q": (4, 4), "K": (4, 4)}, lambda w, X: X @ (turn(w.K @ X).T @ turn(w.Q @ X)), width=4, tokens=len(PLACES)
    )
    report = algatt.dimension(net)
    assert (report.value, report.status) == (32 - commutant(turn), "proven")
    theta, X = algatt.sample(net, algatt.Weights, field=Reals(), seed=1), algatt.sample_inputs(net, field=Reals())
    moved = algatt.fiber(net, theta).sample(2)
    assert moved != theta
    np.testing.assert_allclose(algatt.evaluate(net, moved, X), algatt.evaluate(net, theta, X), rtol=1e-9, atol=1e-11)
