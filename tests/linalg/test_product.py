"""Matrix products: exact modulo p up to the last residue, batched as numpy does."""

from __future__ import annotations

from fractions import Fraction

import flint
import galois
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from algatt import Balls, PrimeField, Reals
from algatt.fields import Elements, Field
from algatt.linalg import arithmetic
from algatt.linalg.product import centre, matrix_product, product_balanced

PRIMES = (2, 3, 31, 3191, 1048583, 8388593, 2147483647, 2305843009213693951)
# The primes on either side of 2^24, where one factor is cut into two limbs, primes some way above, the smallest above
# 2^31, the largest below 2^63.
BORDER_PRIMES = (16777213, 16777259, 134217689, 268435399, 2147483659, 9223372036854775783)


def random_integers(p: int, shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Python integers, half of them from the ends and the middle of the residues."""
    generator = np.random.default_rng(seed)
    edges = [p - 1, p // 2, (p // 2 + 1) % p, (p - 2) % p]
    entries = [
        int(generator.integers(p)) if generator.integers(2) else edges[generator.integers(4)]
        for _ in range(int(np.prod(shape)))
    ]
    return np.array(entries, dtype=object).reshape(shape)


def product(p: int, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    raw = (Elements.of(PrimeField(p), left) @ Elements.of(PrimeField(p), right)).raw
    return np.array([int(x) for x in raw.ravel()], dtype=object).reshape(raw.shape)


# ----- exactness


@pytest.mark.parametrize("length", [1, 2, 7, 8, 9, 31, 32, 33, 127, 128, 129, 255, 511, 512, 513, 1025, 3000])
@pytest.mark.parametrize("p", PRIMES + BORDER_PRIMES)
def test_constant_matrices_have_constant_products(p: int, length: int) -> None:
    """The sum of n equal terms u v is n u v; equal terms add up to the largest numbers that can occur on the way."""
    for u in (p - 1, p // 2, (p // 2 + 1) % p):
        for v in (p - 1, p // 2, (p // 2 + 1) % p):
            result = product(p, np.full((2, length), u), np.full((length, 3), v))
            assert result.tolist() == [[length * u * v % p] * 3] * 2


@pytest.mark.parametrize("p", [2, 3, 31, 3191])
def test_inner_lengths_beyond_a_million(p: int) -> None:
    length = 2**20 + 77
    half = p // 2
    left, right = np.full((1, length), half, dtype=np.int64), np.full((length, 1), half, dtype=np.int64)
    left[0, 2**20 :] = p - 1
    assert product(p, left, right).tolist() == [[(2**20 * half * half - 77 * half) % p]]


@pytest.mark.sample(7)
@pytest.mark.parametrize("p", PRIMES + BORDER_PRIMES)
def test_long_products_agree_with_python_integers(p: int) -> None:
    left, right = random_integers(p, (3, 3000), 0), random_integers(p, (3000, 2), 1)
    assert product(p, left, right).tolist() == ((left @ right) % p).tolist()


@pytest.mark.sample(5)
@pytest.mark.parametrize("p", PRIMES + BORDER_PRIMES)
@given(shape=st.tuples(st.integers(1, 5), st.integers(0, 600), st.integers(1, 5)), seed=st.integers(0, 2**32))
@settings(max_examples=10)
def test_products_agree_with_python_integers(p: int, shape: tuple[int, int, int], seed: int) -> None:
    m, n, r = shape
    left, right = random_integers(p, (m, n), seed), random_integers(p, (n, r), seed + 1)
    expected = [
        [sum(int(x) * int(y) for x, y in zip(row, column, strict=True)) % p for column in right.T] for row in left
    ]
    assert product(p, left, right).tolist() == expected


@pytest.mark.sample(2)
@pytest.mark.parametrize("p", [p for p in PRIMES + BORDER_PRIMES if p < 2**31])
def test_balanced_products_are_balanced_again(p: int) -> None:
    """Products of many factors stay exact because each product is as small as its factors."""
    left, right = random_integers(p, (5, 3000), 0), random_integers(p, (3000, 5), 1)
    left[0], right[:, 0] = p // 2, p // 2
    result = product_balanced(centre(left.astype(float), p), centre(right.astype(float), p), p)
    assert np.abs(result).max() <= p / 2 + 2
    assert [[int(x) % p for x in row] for row in result] == ((left @ right) % p).tolist()


def test_products_agree_with_galois() -> None:
    family = galois.GF(3191)
    left, right = family.Random((4, 50), seed=1), family.Random((50, 3), seed=2)
    result = (Elements.of(PrimeField(3191), left) @ right).public()
    assert type(result) is family
    assert np.array_equal(result, left @ right)


def test_a_product_leaves_its_factors_alone() -> None:
    left, right = Elements.of(PrimeField(), [[8388592, 5]]), Elements.of(PrimeField(), [[8388592], [7]])
    before = left.raw.copy(), right.raw.copy()
    assert (left @ right).raw.tolist() == [[36]]
    assert np.array_equal(left.raw, before[0])
    assert np.array_equal(right.raw, before[1])


# ----- batches

BATCHES = [
    ((4,), ()),
    ((), (4,)),
    ((4,), (4,)),
    ((4,), (1,)),
    ((1,), (4,)),
    ((4, 1), (3,)),
    ((3,), (4, 1)),
    ((2, 1, 3), (4, 1)),
    ((2, 3), (2, 3)),
    ((2, 1), (2, 5)),
    ((1, 1), (2, 1, 1)),
    ((2, 5, 1), (1, 5, 3)),
]


@pytest.mark.parametrize("p", [2, 8388593, 2147483647, 2305843009213693951])
@pytest.mark.parametrize(("left_batch", "right_batch"), BATCHES)
def test_batches_broadcast_as_in_numpy(p: int, left_batch: tuple[int, ...], right_batch: tuple[int, ...]) -> None:
    left, right = random_integers(p, (*left_batch, 2, 7), 0), random_integers(p, (*right_batch, 7, 3), 1)
    assert product(p, left, right).tolist() == ((left @ right) % p).tolist()


@given(
    shapes=hnp.mutually_broadcastable_shapes(signature="(m,n),(n,r)->(m,r)", max_side=4, max_dims=4),
    seed=st.integers(0, 2**32),
)
def test_any_batches_broadcast_as_in_numpy(shapes: hnp.BroadcastableShapes, seed: int) -> None:
    generator = np.random.default_rng(seed)
    left, right = (generator.integers(-9, 10, shape).astype(float) for shape in shapes.input_shapes)
    result = matrix_product(left, right)
    assert result.shape == shapes.result_shape
    assert np.array_equal(result, np.matmul(left, right))


FIELDS = (PrimeField(2), PrimeField(), PrimeField(2147483647), PrimeField(2305843009213693951), Reals())


@pytest.mark.parametrize("field", FIELDS, ids=str)
@pytest.mark.parametrize(
    ("left", "right"), [((2, 0), (0, 3)), ((0, 2), (2, 3)), ((2, 3), (3, 0)), ((0, 0), (0, 0)), ((4, 2, 0), (0, 3))]
)
def test_empty_matrices(field: Field, left: tuple[int, ...], right: tuple[int, ...]) -> None:
    result = Elements.of(field, np.ones(left, dtype=int)) @ Elements.of(field, np.ones(right, dtype=int))
    expected = np.ones(left, dtype=int) @ np.ones(right, dtype=int)
    assert result.shape == expected.shape
    assert result.raw.tolist() == expected.tolist()


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_empty_batches(field: Field) -> None:
    batch, matrix = Elements.of(field, np.ones((0, 2, 3), dtype=int)), Elements.of(field, np.ones((3, 4), dtype=int))
    assert (batch @ matrix).shape == (0, 2, 4)
    assert (matrix.T @ batch.T).shape == (0, 4, 2)


# ----- bad input


@pytest.mark.parametrize("field", FIELDS, ids=str)
@pytest.mark.parametrize(
    ("left", "right"), [((2, 3), (4, 2)), ((2, 3), (2, 4)), ((2, 2, 3), (3, 3, 4)), ((2, 3), (2, 4, 3))]
)
def test_factors_that_do_not_fit_are_refused(field: Field, left: tuple[int, ...], right: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"shape|size"):
        Elements.of(field, np.ones(left, dtype=int)) @ Elements.of(field, np.ones(right, dtype=int))


@pytest.mark.parametrize("p", [8388593, 16777213])
def test_long_factors_that_do_not_fit_are_refused(p: int) -> None:
    """Whatever the length of the blocks is, no row of the right factor may be left out."""
    ones = Elements.of(PrimeField(p), np.ones((1, 600), dtype=int)).raw
    for length in range(1, 599):
        left, right = Elements(PrimeField(p), ones[:, :length]), Elements(PrimeField(p), ones[:, : length + 1].T)
        with pytest.raises(ValueError, match=r"shape|size"):
            left @ right


@pytest.mark.parametrize("p", [2, 8388593, 16777259, 2147483647])
@pytest.mark.parametrize(
    ("left", "right"),
    [((7, 530), (530, 9)), ((3, 7, 530), (530, 9)), ((7, 530), (3, 530, 9)), ((3, 7, 530), (3, 530, 9))],
)
def test_compiled_products_are_those_of_python_integers(
    p: int, left: tuple[int, ...], right: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arithmetic, "LARGE", 0)
    monkeypatch.setattr(arithmetic, "LARGE_ONCE_LOADED", 0)
    generator = np.random.default_rng(1)
    one, two = (generator.integers(0, p, shape).astype(object) for shape in (left, right))
    one[..., 0, :], two[..., 0] = p - 1, p - 1
    result = Elements.of(PrimeField(p), one) @ Elements.of(PrimeField(p), two)
    assert result.raw.tolist() == (np.matmul(one, two) % p).tolist()


@pytest.mark.sample(1)
@pytest.mark.parametrize("bits", [53, 128, 600])
@pytest.mark.parametrize(
    ("left", "right"),
    [((3, 40), (40, 600)), ((41, 40), (5, 40, 9)), ((2, 41, 40), (40, 41)), ((4, 30, 50), (4, 50, 60))],
)
def test_large_products_of_balls_are_exact(bits: int, left: tuple[int, ...], right: tuple[int, ...]) -> None:
    """Exact factors of very different sizes: at 600 bits the product is exact, too."""
    generator = np.random.default_rng(bits)
    one, two = (generator.standard_normal(shape) * 2.0 ** generator.integers(-60, 60, shape) for shape in (left, right))
    found = (Elements.of(Balls(bits), one) @ Elements.of(Balls(bits), two)).raw
    exact = np.matmul(*(np.vectorize(Fraction, otypes=[object])(factor) for factor in (one, two)))
    assert found.shape == exact.shape
    for ball, fraction in zip(found.flat, exact.flat, strict=True):
        assert ball.contains(flint.arb((fraction.numerator, 1 - fraction.denominator.bit_length())))
        assert bits < 600 or ball.is_exact()


def test_large_products_keep_the_widths_of_balls() -> None:
    wide = np.full((50, 50), flint.arb(0, 1), dtype=object)
    product = (Elements(Balls(), wide) @ Elements.of(Balls(), np.ones((50, 50)))).raw
    assert all(entry.contains(50) and entry.contains(-50) and not entry.contains(51) for entry in product.flat)
