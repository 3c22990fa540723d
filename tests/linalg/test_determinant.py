"""Determinants: values from FLINT, and from theory for matrices that have a formula."""

from __future__ import annotations

import math

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt


@given(
    p=st.sampled_from((2, 3, 31, 8388593, 2147483647)),
    size=st.integers(1, 12),
    density=st.floats(0.2, 1),
    seed=st.integers(0, 2**32 - 1),
)
def test_flint_agrees(p: int, size: int, density: float, seed: int) -> None:
    generator = np.random.default_rng(seed)
    matrix = generator.integers(0, p, (size, size)) * (generator.random((size, size)) < density)
    expected = int(flint.nmod_mat(size, size, [int(x) for x in matrix.ravel()], p).det())
    GF = algatt.PrimeField(p).galois
    assert algatt.linalg.determinant(GF(matrix)) == expected
    assert algatt.linalg.is_invertible(GF(matrix)) == (expected != 0)


@pytest.mark.parametrize("size", [1, 2, 5, 40, 300])
def test_permutation_matrices_have_the_sign_of_the_permutation(size: int) -> None:
    """A cycle of length n is even if n is odd."""
    p = 8388593
    cycle = np.roll(np.eye(size, dtype=int), 1, axis=0)
    assert algatt.linalg.determinant(algatt.PrimeField(p).galois(cycle)) == (1 if size % 2 else p - 1)


@pytest.mark.parametrize("size", [2, 10, 70])
def test_vandermonde(size: int) -> None:
    """The determinant is the product of the differences of the nodes."""
    p = 2147483647
    nodes = list(range(3, 3 + size))
    matrix = np.array([[pow(node, k, p) for k in range(size)] for node in nodes])
    expected = math.prod(b - a for i, a in enumerate(nodes) for b in nodes[i + 1 :]) % p
    assert algatt.linalg.determinant(algatt.PrimeField(p).galois(matrix)) == expected


@pytest.mark.parametrize("size", [5, 33, 64, 100, 300, 520])
def test_a_permutation_has_its_sign(size: int) -> None:
    """Its pivots come in the order of the halves and panels of rows, not of the columns; the sign is that of the number
    of inversions.
    """
    generator = np.random.default_rng(size)
    for p in (3, 8388593):
        for _ in range(3):
            permutation = generator.permutation(size)
            inversions = sum(int((permutation[:i] > permutation[i]).sum()) for i in range(size))
            factors = generator.integers(1, p, size)
            matrix = np.zeros((size, size), dtype=np.int64)
            matrix[np.arange(size), permutation] = factors
            product = math.prod(int(factor) for factor in factors)
            assert algatt.linalg.determinant(algatt.PrimeField(p).galois(matrix)) == (-1) ** inversions * product % p


def test_floats_are_decided_by_their_gap() -> None:
    assert algatt.linalg.is_invertible(np.array([[2.0, 1.0], [1.0, 1.0]]))
    assert not algatt.linalg.is_invertible(np.array([[2.0, 1.0], [4.0, 2.0]]))
    with pytest.raises(algatt.errors.RankUndecided):
        algatt.linalg.is_invertible(1.0 / (np.arange(14)[:, None] + np.arange(14) + 1))


def test_bad_input() -> None:
    GF = algatt.PrimeField(7).galois
    for verb in (algatt.linalg.determinant, algatt.linalg.is_invertible, algatt.linalg.inverse):
        with pytest.raises(algatt.errors.InvalidArgument, match=r"matrix was of shape \(1, 2\); it should be square"):
            verb(GF([[1, 2]]))
    with pytest.raises(algatt.errors.InvalidArgument, match="computed exactly or not at all"):
        algatt.linalg.determinant(np.eye(2))


def test_public_inverse_and_echelon_form() -> None:
    GF = algatt.PrimeField(7).galois
    A = GF([[1, 2], [3, 5]])
    assert (A @ algatt.linalg.inverse(A)).tolist() == [[1, 0], [0, 1]]
    form = algatt.linalg.echelon(GF([[0, 2, 4], [0, 1, 2], [0, 3, 0]]))
    assert (form.matrix.tolist(), form.pivots, form.rank) == ([[0, 1, 0], [0, 0, 1]], (1, 2), 2)
    assert type(form.matrix) is GF
