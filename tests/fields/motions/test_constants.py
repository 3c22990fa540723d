"""Constants in programs over types: arithmetic on them is that of numbers, and what multiplies them moves as before."""

from fractions import Fraction

import numpy as np
import pytest

from algatt import verbs
from algatt.fields.motions import Intertwining, Motions

C, D = np.array([[1, 2], [3, 4]]), np.array([[5, 6], [7, 9]])


@pytest.mark.parametrize(
    ("compute", "expected"),
    [
        (lambda field, c, d: verbs.add(field, c, d), [[6, 8], [10, 13]]),
        (lambda field, c, d: verbs.multiply(field, c, d), [[5, 12], [21, 36]]),
        (lambda field, c, d: verbs.product(field, c, d), [[19, 24], [43, 54]]),
        (lambda field, c, d: verbs.negate(field, c), [[-1, -2], [-3, -4]]),
        (lambda field, c, d: verbs.transpose(field, c), [[1, 3], [2, 4]]),
        (lambda field, c, d: verbs.take(field, c, rows=[1], columns=[1, 0]), [[4, 3]]),
        (lambda field, c, d: verbs.reciprocal(field, c), [[1, Fraction(1, 2)], [Fraction(1, 3), Fraction(1, 4)]]),
    ],
)
def test_arithmetic_on_constants(compute, expected):
    field = Motions()
    result = compute(field, verbs.encode(field, C), verbs.encode(field, D))
    assert result.constant.tolist() == expected


def test_products_with_zero_are_zero():
    field = Motions()
    zero = verbs.encode(field, np.zeros((2, 2), dtype=np.int64))
    assert not verbs.multiply(field, field.tensor("W", (2, 2)), zero).constant.any()


def test_zeros_spread_a_row():
    field = Motions()
    zero = verbs.encode(field, np.zeros((3, 2), dtype=np.int64))
    assert verbs.add(field, zero, field.tensor("r", (1, 2))).shape == (3, 2)


def test_what_a_constant_multiplies_keeps_its_other_side():
    """C W moves by C W R where W does, and W C by L W C; the constants of the equations are C and its transpose."""
    field = Motions()
    W, c = field.tensor("W", (2, 2)), verbs.encode(field, C)
    assert verbs.product(field, c, W).columns is W.columns
    assert verbs.product(field, W, c).rows.terms == W.rows.terms
    left, right = (one for one in field.equations.constraints if isinstance(one, Intertwining))
    assert left.constant.array.tolist() == C.tolist()
    assert right.constant.array.tolist() == C.T.tolist()
