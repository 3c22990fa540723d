"""Inverses, against closed formulas and FLINT."""

from __future__ import annotations

from math import comb

import flint
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algatt
from algatt import PrimeField, Reals
from algatt.errors import InvalidArgument, MethodError, SingularMatrix
from algatt.fields import Dual, Elements, Field

PRIMES = (2, 3, 31, 3191, 1048583, 8388593, 2147483647, 2305843009213693951)


def inverse(matrix: np.ndarray, p: int) -> list[list[int]]:
    result = algatt.linalg.inverse(Elements.of(PrimeField(p), matrix % p))
    assert result.field == PrimeField(p)
    return [[int(x) for x in row] for row in result.raw]


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize("n", [1, 2, 9, 33, 50])
def test_pascals_triangle_is_inverted_by_signs(p: int, n: int) -> None:
    triangle = np.array([[comb(i, j) for j in range(n)] for i in range(n)], dtype=object)
    signs = np.array([[(-1) ** (i + j) for j in range(n)] for i in range(n)], dtype=object)
    assert inverse(triangle, p) == (triangle * signs % p).tolist()


@pytest.mark.parametrize("p", [p for p in PRIMES if p > 30])
@pytest.mark.parametrize("n", [1, 4, 15])
def test_hilbert_matrices_have_integer_inverses(p: int, n: int) -> None:
    """The formula of Savage and Lukacs (1954), which holds modulo every prime above 2n - 1."""
    hilbert = np.array([[pow(i + j - 1, -1, p) for j in range(1, n + 1)] for i in range(1, n + 1)], dtype=object)

    def entry(i: int, j: int) -> int:
        return (
            (-1) ** (i + j)
            * (i + j - 1)
            * comb(n + i - 1, n - j)
            * comb(n + j - 1, n - i)
            * comb(i + j - 2, i - 1) ** 2
        )

    assert inverse(hilbert, p) == [[entry(i, j) % p for j in range(1, n + 1)] for i in range(1, n + 1)]


@pytest.mark.parametrize("p", PRIMES)
@given(n=st.integers(1, 8), seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_flint_agrees_on_the_inverse_and_on_whether_there_is_one(p: int, n: int, seed: int) -> None:
    matrix = np.array(np.random.default_rng(seed).integers(p, size=n * n).tolist(), dtype=object).reshape(n, n)
    other = flint.nmod_mat(n, n, matrix.ravel().tolist(), p)
    if int(other.det()) == 0:
        with pytest.raises(SingularMatrix):
            inverse(matrix, p)
    else:
        assert [x for row in inverse(matrix, p) for x in row] == [int(x) for x in other.inv().entries()]


@pytest.mark.parametrize("field", [PrimeField(2), PrimeField(), PrimeField(2305843009213693951), Reals()], ids=str)
def test_singular_matrices_are_refused(field: Field) -> None:
    for matrix in ([[0]], [[1, 1], [1, 1]], [[0, 1], [0, 1]]):
        size = len(matrix)
        with pytest.raises(SingularMatrix) as caught:
            algatt.linalg.inverse(Elements.of(field, matrix))
        assert str(caught.value) == f"a {size} x {size} matrix over {field} is singular"


@pytest.mark.parametrize("field", [PrimeField(), Reals()], ids=str)
@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (0, 1), (2, 2, 2), (3,)])
def test_matrices_that_are_not_square_are_refused(field: Field, shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidArgument) as caught:
        algatt.linalg.inverse(Elements.of(field, np.ones(shape, dtype=int)))
    assert str(caught.value) == f"matrix was of shape {shape}; it should be square"


@pytest.mark.parametrize("field", [PrimeField(), PrimeField(2305843009213693951), Reals()], ids=str)
def test_the_empty_matrix_is_its_own_inverse(field: Field) -> None:
    assert algatt.linalg.inverse(Elements.of(field, np.zeros((0, 0), dtype=int))).shape == (0, 0)


def test_the_reals() -> None:
    inverted = algatt.linalg.inverse(Elements.of(Reals(), [[2.0, 1.0], [7.0, 4.0]]))
    np.testing.assert_allclose(inverted.public(), [[4.0, -1.0], [-7.0, 2.0]], rtol=1e-12)


@pytest.mark.parametrize("base", [PrimeField(), Reals()], ids=str)
def test_dual_matrices_are_not_called_singular(base: Field) -> None:
    with pytest.raises((InvalidArgument, MethodError)):
        algatt.linalg.inverse(Elements.of(Dual(base), [[1, 2], [0, 1]]))
