"""What scores do with products, outside of `Heads`; the scores themselves are in tests/architectures."""

import math
from fractions import Fraction

import numpy as np
import pytest

from algatt import PrimeField, Reals
from algatt.errors import InvalidArgument
from algatt.fields import Balls, Elements
from algatt.layers import Affine, Exponential, Power, SoftCap, Unnormalized, attention_weights
from algatt.layers.scores import scaled
from algatt.verbs import attend

PRODUCTS = [[1, -2], [3, 0], [2, 5]]
MASK = np.array([[1, 0], [1, 1], [0, 1]])


@pytest.mark.parametrize(
    ("score", "function"), [(Power(1), lambda x: x), (Power(3), lambda x: x**3), (Affine(2, 3), lambda x: 2 * x + 3)]
)
def test_without_a_sum_the_weights_are_the_values(score, function):
    plain = [[function(x) for x in row] for row in PRODUCTS]
    masked = [
        [entry * int(shown) for entry, shown in zip(row, seen, strict=True)]
        for row, seen in zip(plain, MASK, strict=True)
    ]
    for field, size in ((PrimeField(31), 31), (Reals(), None)):
        products = Elements(field, np.array(PRODUCTS, dtype=float) % size if size else np.array(PRODUCTS, dtype=float))
        for mask, expected in ((None, plain), (MASK, masked)):
            weights = attention_weights(Unnormalized(score), products, mask=mask).raw
            assert weights.tolist() == [[x % size if size else x for x in row] for row in expected]


@pytest.mark.parametrize("field", [Reals(), Balls()], ids=str)
@pytest.mark.parametrize("mask", [None, MASK], ids=["all seen", "some hidden"])
def test_a_soft_cap_is_put_on_the_products_divided_by_the_temperature(field, mask):
    cap, temperature = 2, Fraction(3, 2)
    shown = np.ones((3, 2), dtype=int) if mask is None else mask
    values = [
        [math.exp(2 * math.tanh(x / 3)) * s for x, s in zip(row, seen, strict=True)]
        for row, seen in zip(PRODUCTS, shown, strict=True)
    ]
    sums = [sum(column) for column in zip(*values, strict=True)]
    expected = [[value / total for value, total in zip(row, sums, strict=True)] for row in values]
    score = SoftCap(cap, Exponential(temperature))
    weights = attention_weights(score, Elements.of(field, np.array(PRODUCTS, dtype=float)), mask=mask)
    assert np.allclose([[float(entry) for entry in row] for row in weights.raw], expected, rtol=1e-14)


def test_the_score_of_heads_is_softmax_over_the_root_of_their_width():
    assert scaled(None, 16) == Exponential(4)
    assert scaled(SoftCap(50), 16) == SoftCap(50, Exponential(4))
    for score in (Affine(1, 1), Unnormalized(), Exponential(3), SoftCap(50, Exponential())):
        assert scaled(score, 16) == score


def test_lightning_attention_is_the_same_in_both_orders():
    """(V K^T) Q = V (K^T Q), modulo p and with a mask that hides nothing."""
    field = PrimeField()
    K, Q, V = (Elements(field, np.array(rows, dtype=float)) for rows in (PRODUCTS, [[4, 1], [0, 2], [1, 1]], [[1, 7]]))
    direct = attend(Unnormalized(), K, Q, V)
    masked = attend(Unnormalized(), K, Q, V, mask=np.ones((2, 2), dtype=np.int64))
    products = [
        [sum(PRODUCTS[r][j] * q[i] for r, q in enumerate([[4, 1], [0, 2], [1, 1]])) for i in range(2)] for j in range(2)
    ]
    expected = [[(products[0][i] + 7 * products[1][i]) % field.p for i in range(2)]]
    assert direct.raw.tolist() == masked.raw.tolist() == expected


def test_a_bias_is_added_to_the_products():
    K, Q, V = (
        Elements(Reals(), np.array(rows, dtype=float)) for rows in (PRODUCTS, [[4, 1], [0, 2], [1, 1]], [[1, 7]])
    )
    bias = np.array([[1, 2], [3, 4]])
    value = attend(Unnormalized(), K, Q, V, bias=bias).raw
    assert np.array_equal(value, V.raw @ (K.raw.T @ Q.raw + bias))


def test_slots_that_hold_something_else_are_refused():
    with pytest.raises(
        InvalidArgument,
        match=r"^score was Affine\(a=1, b=1\); it should be a softmax, such as algatt\.layers\.Exponential\(\)$",
    ):
        SoftCap(50, Affine(1, 1))
    with pytest.raises(InvalidArgument, match=r"^cap was 0; it should be a positive number$"):
        SoftCap(0)
    with pytest.raises(InvalidArgument, match=r"^cap was '50'; it should be a finite number >= 0$"):
        SoftCap("50")
    with pytest.raises(
        InvalidArgument,
        match=r"^score was 'relu'; it should be a score or an activation, such as algatt\.layers\.Power\(1\)$",
    ):
        Unnormalized("relu")
