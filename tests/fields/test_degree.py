"""Degrees in place of numbers, against the degrees of polynomials that are written out."""

from __future__ import annotations

from typing import Any

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algatt.fields import Degree, Degrees, Elements

WEIGHTS, INPUTS = 4, 4
ring = flint.fmpz_mpoly_ctx.get([f"w{k}" for k in range(WEIGHTS)] + [f"x{k}" for k in range(INPUTS)], "lex")


def symbols(first: int) -> np.ndarray:
    """A 2 x 2 matrix of different variables."""
    return np.asarray(np.frompyfunc(ring.gen, 1, 1)(np.arange(first, first + 4))).reshape(2, 2)


def written_out(matrix: np.ndarray) -> Degree:
    """Return the largest degree in the weights and in the inputs over all monomials of all entries."""
    monomials = [monomial for entry in matrix.ravel() for monomial in entry.to_dict()]
    return Degree(max(sum(m[:WEIGHTS]) for m in monomials), max(sum(m[WEIGHTS:]) for m in monomials), matrix.shape)


def leaf(degree: Degree) -> Elements:
    return Elements(Degrees(), degree)


W = (leaf(Degree(1, 0, (2, 2))), symbols(0))
X = (leaf(Degree(0, 1, (2, 2))), symbols(WEIGHTS))
ONE = (leaf(Degree(0, 0, (2, 2))), np.asarray(np.frompyfunc(ring.constant, 1, 1)([[1, 2], [3, 4]])))

Pair = tuple[Elements, np.ndarray]


def larger(smaller: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    pairs = st.tuples(smaller, smaller)
    return st.one_of(
        pairs.map(lambda ab: (ab[0][0] + ab[1][0], ab[0][1] + ab[1][1])),
        pairs.map(lambda ab: (ab[0][0] * ab[1][0], ab[0][1] * ab[1][1])),
        pairs.map(lambda ab: (ab[0][0] @ ab[1][0], ab[0][1] @ ab[1][1])),
        smaller.map(lambda a: (a[0].T, a[1].T)),
    )


@given(pair=st.recursive(st.sampled_from([W, X, ONE]), larger, max_leaves=5))
def test_sums_and_products_of_matrices(pair: Pair) -> None:
    """Without subtraction nothing cancels, so the bounds are attained."""
    assert pair[0].public() == written_out(pair[1])


def test_a_difference_may_cancel_but_is_bounded() -> None:
    (w, polynomial), (x, other) = W, X
    assert (w @ x - w @ x).public() == Degree(1, 1, (2, 2))
    assert (w - x @ x).public() == written_out(polynomial - other @ other) == Degree(1, 2, (2, 2))
    assert (-w).public() == Degree(1, 0, (2, 2))


def test_one_layer_of_attention() -> None:
    """V X X^T K^T Q X with V, K, Q of parameters: each monomial has three weights and three inputs."""
    w, x = W[0], X[0]
    assert (
        (w @ x @ x.T @ w.T @ w @ x).public()
        == written_out(W[1] @ X[1] @ X[1].T @ W[1].T @ W[1] @ X[1])
        == Degree(3, 3, (2, 2))
    )


def test_constants_have_degree_zero() -> None:
    w = W[0]
    assert (w * 5 + 1).public() == Degree(1, 0, (2, 2))
    assert (np.eye(2) @ w).public() == Degree(1, 0, (2, 2))
    assert Elements.of(Degrees(), np.ones((3, 2))).public() == Degree(0, 0, (3, 2))


@pytest.mark.parametrize(
    ("left", "right"), [((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((2, 3), (5, 3, 4)), ((5, 1, 2, 3), (6, 3, 4))]
)
def test_shapes_are_those_of_numpy(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    a, b = np.zeros(left), np.zeros(right)
    result: Any = leaf(Degree(1, 2, left)) @ leaf(Degree(10, 20, right))
    assert result.public() == Degree(11, 22, (a @ b).shape)
    assert leaf(Degree(1, 2, left)).T.shape == np.swapaxes(a, -1, -2).shape


def test_entrywise_operations_broadcast() -> None:
    column, row = leaf(Degree(1, 2, (4, 1))), leaf(Degree(3, 0, (5, 1, 3)))
    assert (column + row).public() == Degree(3, 2, (5, 4, 3))
    assert (column * row).public() == Degree(4, 2, (5, 4, 3))
