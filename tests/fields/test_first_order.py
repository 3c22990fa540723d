"""Mixed derivatives against sums over all pairs of disjoint sets, and against tables of Taylor coefficients."""

from __future__ import annotations

import itertools
from math import factorial, pi, sqrt

import numpy as np
import pytest

from algatt import verbs
from algatt.fields import Erf, Exp, FirstOrder, PrimeField, Reals, Sigmoid, Sqrt
from algatt.fields.first_order import join, split

RESIDUES = FirstOrder(FirstOrder(FirstOrder(PrimeField())))
NUMBERS = FirstOrder(FirstOrder(FirstOrder(Reals())))

TAYLOR = {
    Exp: (0.0, [1 / factorial(k) for k in range(4)]),
    Sigmoid: (0.0, [1 / 2, 1 / 4, 0, -1 / 48]),
    Sqrt: (1.0, [1, 1 / 2, -1 / 8, 1 / 16]),
    Erf: (0.0, [0, 2 / sqrt(pi), 0, -2 / (3 * sqrt(pi))]),
}
"""Abramowitz and Stegun, 4.2.1, 23.1.20 (with Bernoulli numbers), 3.6.11 and 7.1.5."""


def test_a_product_sums_over_disjoint_sets() -> None:
    left, right = (verbs.draw_array(RESIDUES, shape=shape, seed=1, label=f"{shape}") for shape in ((2, 3), (3, 2)))
    one, other, p = split(left).astype(int), split(right).astype(int), RESIDUES.characteristic
    expected = np.zeros((8, 2, 2), dtype=int)
    for s, t in itertools.product(range(8), repeat=2):
        if not s & t:
            expected[s | t] += one[s] @ other[t] % p
    assert np.array_equal(split(verbs.product(RESIDUES, left, right)), expected % p)


@pytest.mark.parametrize("kind", TAYLOR, ids=lambda kind: kind.__name__)
def test_functions_have_their_taylor_coefficients(kind: type) -> None:
    """The coefficient of all three variables of f(x) is a sum over partitions of the set (Faà di Bruno)."""
    point, c = TAYLOR[kind]
    a = np.array([point, 0.3, -0.7, 0.2, 1.1, 0.5, -0.4, 0.9])
    value = split(verbs.entrywise(NUMBERS, kind(), join(a[:, None, None])))[:, 0, 0]
    pairs = a[1] * a[6] + a[2] * a[5] + a[4] * a[3]
    expected = c[1] * a[7] + 2 * c[2] * pairs + 6 * c[3] * a[1] * a[2] * a[4]
    assert value[[0, 7]] == pytest.approx([c[0], expected], abs=1e-14)
