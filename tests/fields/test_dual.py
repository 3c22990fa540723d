"""Dual numbers differentiate: against truncated power series over GF(p), against difference quotients over
the reals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algatt import PrimeField, Reals, verbs
from algatt.fields import Dual, DualArray, Elements

PRIMES = (2, 31, 8388593, 2147483647, 2305843009213693951)


# Two matrices with their batch axes: none, shared, of one factor alone, broadcast in both.
PAIRS = (
    ((2, 3), (3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (3, 4)),
    ((5, 1, 2, 3), (4, 3, 2)),
    ((3, 2, 3), (4, 1, 3, 2)),
)


def draw(p: int, shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Random residues as Python integers."""
    generator = np.random.default_rng(seed)
    return np.array([int(generator.integers(p)) for _ in range(int(np.prod(shape)))], dtype=object).reshape(shape)


def dual(field: PrimeField, value: np.ndarray, tangent: np.ndarray | None) -> Elements:
    raw = Elements.of(field, value).raw, None if tangent is None else Elements.of(field, tangent).raw
    return Elements(Dual(field), DualArray(*raw))


def integers(raw: np.ndarray) -> list[Any]:
    return list(np.array([int(x) for x in raw.ravel()], dtype=object).reshape(raw.shape).tolist())


def expect(result: Elements, value: np.ndarray, tangents: list[np.ndarray], p: int) -> None:
    """Compare a dual array with its value and with its derivative in each direction, given as integers."""
    assert integers(result.raw.value) == (value % p).tolist()
    assert integers(result.raw.tangent) == [(tangent % p).tolist() for tangent in tangents]


# ----- the product rule, direction by direction


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize("shapes", PAIRS)
def test_products_follow_the_product_rule(p: int, shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    a, b = (draw(p, shape, seed) for seed, shape in enumerate(shapes))
    da, db = (draw(p, (3, *shape), seed + 2) for seed, shape in enumerate(shapes))
    field = PrimeField(p)
    expect(dual(field, a, da) @ dual(field, b, db), a @ b, [da[k] @ b + a @ db[k] for k in range(3)], p)
    expect(dual(field, a, da) @ dual(field, b, None), a @ b, [da[k] @ b for k in range(3)], p)
    expect(dual(field, a, None) @ dual(field, b, db), a @ b, [a @ db[k] for k in range(3)], p)
    assert (dual(field, a, None) @ dual(field, b, None)).raw.tangent is None


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize(
    "shapes", [((2, 3), (2, 3)), ((3,), (2, 3)), ((2, 3), (4, 1, 3)), ((2, 1), (1, 3)), ((), (2, 3)), ((4, 2, 3), (3,))]
)
def test_sums_and_entrywise_products(p: int, shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    a, b = (draw(p, shape, seed) for seed, shape in enumerate(shapes))
    da, db = (draw(p, (2, *shape), seed + 2) for seed, shape in enumerate(shapes))
    field = PrimeField(p)
    zero = 0 * (a + b)
    x, y = dual(field, a, da), dual(field, b, db)
    expect(x + y, a + b, [da[k] + db[k] for k in range(2)], p)
    expect(x * y, a * b, [da[k] * b + a * db[k] for k in range(2)], p)
    expect(x + dual(field, b, None), a + b, [da[k] + zero for k in range(2)], p)
    expect(dual(field, a, None) + y, a + b, [db[k] + zero for k in range(2)], p)
    expect(x * dual(field, b, None), a * b, [da[k] * b for k in range(2)], p)
    expect(dual(field, a, None) * y, a * b, [a * db[k] for k in range(2)], p)
    assert (dual(field, a, None) + dual(field, b, None)).raw.tangent is None


@pytest.mark.parametrize("p", PRIMES)
def test_differences_negatives_and_transposes(p: int) -> None:
    a, b, da, db = draw(p, (5, 2, 3), 0), draw(p, (5, 2, 3), 1), draw(p, (4, 5, 2, 3), 2), draw(p, (4, 5, 2, 3), 3)
    x, y = dual(PrimeField(p), a, da), dual(PrimeField(p), b, db)
    expect(x - y, a - b, [da[k] - db[k] for k in range(4)], p)
    expect(-x, -a, [-da[k] for k in range(4)], p)
    expect(x.T, np.swapaxes(a, 1, 2), [np.swapaxes(da[k], 1, 2) for k in range(4)], p)
    constant = dual(PrimeField(p), a, None)
    assert (-constant).raw.tangent is None
    assert constant.T.raw.tangent is None


# ----- whole expressions, against power series in one variable


def cubic(v: Any, a: Any, x: Any) -> Any:
    return v @ x @ x.T @ a @ x + x * (v @ x)


@pytest.mark.parametrize("p", PRIMES)
@given(seed=st.integers(0, 2**32))
def test_an_expression_agrees_with_power_series(p: int, seed: int) -> None:
    shapes = ((3, 3), (3, 3), (3, 2))
    values = [draw(p, shape, seed + k) for k, shape in enumerate(shapes)]
    tangents = [draw(p, shape, seed + 3 + k) for k, shape in enumerate(shapes)]
    line = np.frompyfunc(lambda value, tangent: flint.nmod_poly([value, tangent], p), 2, 1)
    series = cubic(*(line(value, tangent) for value, tangent in zip(values, tangents, strict=True)))
    field = PrimeField(p)
    result = cubic(*(dual(field, value, tangent[None]) for value, tangent in zip(values, tangents, strict=True)))
    assert integers(result.raw.value) == [[int(entry[0]) for entry in row] for row in series]
    assert integers(result.raw.tangent) == [[[int(entry[1]) for entry in row] for row in series]]


# ----- the reals


def batched_cubic(v: Any, a: Any, x: Any) -> Any:
    return v @ x @ (x.T @ a @ x)


def sum_and_scale(v: Any, a: Any, x: Any) -> Any:
    return 3 * (a @ x) * x + (v + 2) @ x * 0.5


@pytest.mark.parametrize("function", [batched_cubic, sum_and_scale, cubic])
@pytest.mark.parametrize("batch", [(), (4,), (2, 3)])
def test_derivatives_agree_with_difference_quotients(function: Callable[..., Any], batch: tuple[int, ...]) -> None:
    generator = np.random.default_rng(0)
    shapes = ((3, 3), (3, 3), (*batch, 3, 2))
    points = [generator.standard_normal(shape) for shape in shapes]
    directions = [generator.standard_normal((2, *shape)) for shape in shapes]
    result = function(*(Elements(Dual(Reals()), DualArray(*pair)) for pair in zip(points, directions, strict=True)))

    def shifted(k: int, step: float) -> np.ndarray:
        moved = (
            Elements.of(Reals(), point + step * direction[k])
            for point, direction in zip(points, directions, strict=True)
        )
        return np.asarray(function(*moved).public())

    np.testing.assert_array_equal(result.public(), shifted(0, 0.0))
    assert result.raw.tangent.shape == (2, *batch, 3, 2)
    step = 1e-4
    for k in range(2):  # fourth-order differences are exact, up to rounding, for polynomials of degree 4
        quotient = (8 * (shifted(k, step) - shifted(k, -step)) - (shifted(k, 2 * step) - shifted(k, -2 * step))) / (
            12 * step
        )
        np.testing.assert_allclose(result.raw.tangent[k], quotient, rtol=1e-8, atol=1e-8)


def test_a_random_array_has_random_directions() -> None:
    raw = verbs.draw_array(Dual(PrimeField(31)), shape=(5, 7), seed=0, label="test")
    assert raw.shape == (5, 7)
    assert raw.tangent.shape == (2, 5, 7)
    parts = [raw.value, *raw.tangent]
    assert len({tuple(part.ravel()) for part in parts}) == 3


def test_constants_are_taken_from_the_base_field() -> None:
    x = Elements.of(Dual(PrimeField(7)), [[1, 6]])
    assert x.raw.tangent is None
    assert x.public().tolist() == [[1, 6]]
    assert type(x.public()) is PrimeField(7).galois
    assert str(Dual(PrimeField(7))) == "dual numbers over GF(7)"
