"""The right null space."""

from __future__ import annotations

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt import Balls, PrimeField, Reals, verbs
from algatt.errors import InvalidArgument, RankUndecided
from algatt.fields import Elements
from algatt.linalg import Auto, Blas, Flint, Galois
from algatt.linalg.kernel import kernel_of_rank
from algatt.linalg.rank import rank_from_below

PRIMES = (2, 3, 31, 3191, 1048583, 8388593, 2147483647, 2305843009213693951)


def public(p: int, matrix: np.ndarray) -> np.ndarray:
    field = PrimeField(p)
    return np.asanyarray(verbs.decode(field, verbs.encode(field, matrix)))


def plain(array: np.ndarray) -> np.ndarray:
    return np.array([int(x) for x in array.ravel()], dtype=object).reshape(array.shape)


def flint_rank(matrix: np.ndarray, p: int) -> int:
    return int(flint.nmod_mat(matrix.shape[0], matrix.shape[1], [int(x) for x in matrix.ravel()], p).rank())


def random_matrix(p: int, rows: int, columns: int, rank: int, seed: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    left, right = (
        np.array(generator.integers(p, size=m * n).tolist(), dtype=object).reshape(m, n)
        for m, n in ((rows, rank), (rank, columns))
    )
    return np.asarray(left @ right % p)


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize(
    ("rows", "columns", "rank"), [(5, 8, 5), (8, 5, 5), (6, 6, 3), (9, 20, 7), (1, 4, 1), (40, 45, 20)]
)
def test_the_kernel_is_annihilated_and_has_the_right_dimension(p: int, rows: int, columns: int, rank: int) -> None:
    matrix = random_matrix(p, rows, columns, rank, 0)
    basis = algatt.kernel(public(p, matrix))
    assert type(basis) is PrimeField(p).galois
    dimension = columns - flint_rank(matrix, p)
    assert basis.shape == (columns, dimension)
    assert not (matrix @ plain(basis) % p).any()
    assert flint_rank(basis, p) == dimension


@given(rows=st.integers(1, 5), columns=st.integers(1, 5), rank=st.integers(0, 5), seed=st.integers(0, 2**32))
def test_engines_give_the_same_basis(rows: int, columns: int, rank: int, seed: int) -> None:
    matrix = random_matrix(31, rows, columns, rank, seed)
    expected = plain(algatt.kernel(public(31, matrix)))
    assert not (matrix @ expected % 31).any()
    assert expected.shape == (columns, columns - flint_rank(matrix, 31))
    for engine in (Auto(), Blas(), Flint(), Galois()):
        assert np.array_equal(plain(algatt.kernel(public(31, matrix), engine=engine)), expected)


@pytest.mark.parametrize("p", PRIMES)
def test_the_gradients_that_vanish_on_a_connected_graph_are_the_constants(p: int) -> None:
    """Edges by vertices; the free column is the last vertex, where the basis has a 1."""
    edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)]
    matrix = np.zeros((5, 5), dtype=object)
    for row, (tail, head) in enumerate(edges):
        matrix[row, tail], matrix[row, head] = p - 1, 1
    assert algatt.kernel(public(p, matrix)).tolist() == [[1]] * 5


@pytest.mark.parametrize("p", [2, 8388593, 2305843009213693951])
def test_zero_empty_and_invertible_matrices(p: int) -> None:
    family = PrimeField(p).galois
    assert np.array_equal(algatt.kernel(family.Zeros((2, 3))), family.Identity(3))
    assert np.array_equal(algatt.kernel(public(p, np.zeros((0, 3), dtype=int))), family.Identity(3))
    assert algatt.kernel(family.Identity(3)).shape == (3, 0)
    assert algatt.kernel(public(p, np.zeros((3, 0), dtype=int))).shape == (0, 0)


# ----- floating point


def orthonormal(rows: int, columns: int, seed: int) -> np.ndarray:
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((rows, columns)))[0]


@pytest.mark.parametrize(
    ("rows", "columns", "rank"), [(5, 8, 3), (8, 5, 3), (6, 6, 5), (4, 4, 4), (3, 7, 3), (7, 3, 3)]
)
def test_a_float_kernel_is_orthonormal_and_orthogonal_to_the_rows(rows: int, columns: int, rank: int) -> None:
    row_space = orthonormal(columns, rank, 1)
    matrix = orthonormal(rows, rank, 2) * np.arange(1, rank + 1) @ row_space.T
    basis = algatt.kernel(matrix)
    assert basis.shape == (columns, columns - rank)
    np.testing.assert_allclose(basis.T @ basis, np.eye(columns - rank), atol=1e-12)
    np.testing.assert_allclose(matrix @ basis, 0, atol=1e-12)
    np.testing.assert_allclose(basis @ basis.T + row_space @ row_space.T, np.eye(columns), atol=1e-12)


def test_zero_and_empty_float_matrices() -> None:
    for shape in ((2, 3), (0, 3)):
        basis = algatt.kernel(np.zeros(shape))
        np.testing.assert_allclose(basis.T @ basis, np.eye(3), atol=1e-12)
    assert algatt.kernel(np.zeros((3, 0))).shape == (0, 0)


def test_a_kernel_without_a_gap_is_refused() -> None:
    matrix = np.diag([2.0 ** (-8 * k) for k in range(7)])
    with pytest.raises(RankUndecided, match="widest gap 256, required 1e"):
        algatt.kernel(matrix)
    with pytest.raises(InvalidArgument, match="gap was 1; it should be a number above 1"):
        algatt.kernel(matrix, gap=1)


@pytest.mark.parametrize("array", [np.zeros(3), PrimeField(31).galois([1, 2])], ids=["reals", "GF(31)"])
def test_matrices_alone_have_kernels(array: np.ndarray) -> None:
    with pytest.raises(InvalidArgument, match=r"matrix was of shape .*; it should be of shape \(rows, columns\)"):
        algatt.kernel(array)


# ----- Elements, and kernels of matrices whose largest possible rank is known


@pytest.mark.parametrize("p", PRIMES)
def test_the_kernel_of_elements_is_that_of_the_public_array(p: int) -> None:
    matrix = random_matrix(p, 4, 7, 3, 5)
    basis = algatt.kernel(Elements.of(PrimeField(p), matrix))
    assert isinstance(basis, Elements)
    assert np.array_equal(plain(basis.public()), plain(algatt.kernel(public(p, matrix))))


def test_the_kernel_of_real_elements() -> None:
    matrix = np.random.default_rng(0).standard_normal((2, 5))
    basis = algatt.kernel(Elements.of(Reals(), matrix))
    assert basis.field == Reals()
    np.testing.assert_allclose(matrix @ basis.raw, 0, atol=1e-12)
    assert algatt.kernel(Elements.of(Reals(), np.zeros((0, 3)))).shape == (3, 3)


@pytest.mark.parametrize("p", PRIMES)
def test_a_kernel_of_known_rank_is_the_kernel_or_empty(p: int) -> None:
    for seed in range(5):
        matrix = random_matrix(p, 4, 6, 3, seed)
        basis = kernel_of_rank(Elements.of(PrimeField(p), matrix), 3)
        if flint_rank(matrix, p) == 3:
            assert basis.shape == (6, 3)
            assert not (matrix @ plain(basis.public()) % p).any()
        else:
            assert basis.shape == (6, 0)
    assert kernel_of_rank(Elements.of(PrimeField(p), np.zeros((4, 6), dtype=int)), 3).shape == (6, 0)
    assert kernel_of_rank(Elements.of(PrimeField(p), np.zeros((4, 6), dtype=int)), 0).shape == (6, 6)


def test_near_a_point_of_known_rank_the_kernel_is_a_rational_function() -> None:
    """The rows (1, s, s^2) and (s, s^2, s^3) have rank one for all s, and the kernel with the identity in the last two
    columns.
    """
    for s in range(31):
        matrix = Elements.of(PrimeField(31), np.array([[1, s, s * s], [s, s**2, s**3]]) % 31)
        assert kernel_of_rank(matrix, 1).public().tolist() == [[-s % 31, -s * s % 31], [1, 0], [0, 1]]


def test_over_the_reals_the_known_rank_decides() -> None:
    """The singular values have no gap; the kernel is orthonormal and belongs to the smallest ones."""
    matrix = np.diag([2.0 ** (-8 * k) for k in range(5)])
    basis = kernel_of_rank(Elements.of(Reals(), matrix), 3)
    np.testing.assert_allclose(np.abs(basis.raw), np.eye(5)[:, 3:], atol=1e-12)
    np.testing.assert_allclose(kernel_of_rank(Elements.of(Reals(), np.zeros((0, 3))), 0).raw, np.eye(3))


@pytest.mark.parametrize(
    ("rows", "columns", "rank"), [(2, 3, 2), (3, 5, 2), (4, 4, 3), (3, 4, 0), (3, 3, 3), (5, 2, 1)]
)
def test_null_vectors_of_balls_are_enclosed(rows, columns, rank):
    """Against those of FLINT over the rationals, up to the basis: the products with the matrix are balls around zero,
    and narrow.
    """
    rng = np.random.default_rng(7)
    matrix = rng.integers(-9, 10, (rows, rank)) @ rng.integers(-9, 10, (rank, columns))
    assert flint.fmpz_mat(matrix.tolist()).rank() == rank
    for bits in (53, 300):
        field = Balls(bits)
        basis = kernel_of_rank(Elements.of(field, matrix), rank)
        assert basis.shape == (columns, columns - rank)
        assert rank_from_below(field, basis.raw).rank == columns - rank
        along = (Elements.of(field, matrix) @ basis).raw
        assert all(0 in flint.arb(entry) and flint.arb(entry).rad() <= 2.0 ** (10 - bits) for entry in along.flat)


def test_balls_that_are_too_wide_for_a_rank_have_no_null_vectors():
    wide = np.array([[flint.arb(1), flint.arb(1)], [flint.arb(1), flint.arb(1, 0.25)]], dtype=object)
    assert kernel_of_rank(Elements(Balls(), wide), 1).shape == (2, 1)
    with pytest.raises(
        algatt.errors.DivisionByZero, match="a minor of order 2 is zero, or not told from zero with 128 bits"
    ):
        kernel_of_rank(Elements(Balls(), wide), 2)
