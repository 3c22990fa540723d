"""Linear algebra on lists and on numbers of less precision than float64."""

from __future__ import annotations

from typing import Any

import flint
import galois
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt.errors import InvalidArgument, RankUndecided
from algatt.linalg import RankLowerBound

PRECISION = {"float64": 53, "float32": 24, "float16": 11}


def test_lists_are_matrices_over_the_reals() -> None:
    assert algatt.rank([[1, 2], [3, 4]]).rank == 2
    assert algatt.rank(((1, 2), (2, 4))).rank == 1
    assert np.abs(np.array([[1, 2], [2, 4]]) @ algatt.kernel([[1, 2], [2, 4]])).max() < 1e-15
    assert algatt.linalg.inverse([[2, 1], [7, 4]]) == pytest.approx(np.array([[4, -1], [-7, 2]]))
    assert algatt.linalg.is_invertible([[2, 1], [7, 4]])
    assert not algatt.linalg.is_invertible([[2, 1], [4, 2]])
    with pytest.raises(algatt.errors.SingularMatrix):
        algatt.linalg.inverse([[0, 0], [0, 0]])


def test_lists_of_balls_are_matrices_of_balls() -> None:
    found = algatt.rank([[flint.arb(1), flint.arb(2)], [flint.arb(3), flint.arb(4)]])
    assert isinstance(found, RankLowerBound)
    assert found.rank == 2


@pytest.mark.parametrize(
    "verb", [algatt.linalg.determinant, algatt.linalg.echelon, lambda matrix: algatt.linalg.solve(matrix, [1, 2])]
)
def test_what_is_exact_says_how_a_list_becomes_a_matrix_modulo_a_prime(verb: Any) -> None:
    with pytest.raises(InvalidArgument) as caught:
        verb([[1, 2], [3, 4]])
    should = (
        "a galois array, as algatt.PrimeField(p).galois(rows) makes it, or an array of fractions: this is computed "
    )
    should += "exactly or not at all"
    assert str(caught.value) == f"matrix was over RR (float64); it should be {should}"


def test_the_right_side_of_a_system_may_be_a_list() -> None:
    GF = galois.GF(7)
    solution = algatt.linalg.solve(GF([[1, 1], [1, 2]]), [3, 4])
    assert (type(solution), solution.tolist()) == (GF, [2, 1])
    assert algatt.linalg.solve(GF([[1, 1], [1, 2]]), [[3, 0], [4, 0]]).tolist() == [[2, 0], [1, 0]]
    for right, message in (
        ([3, 9], r"right was with entries from 3 to 9; it should be with entries 0\.\.6 of GF\(7\)"),
        ([0.5, 1], "right was an array of float64"),
        ([1, 2, 3], r"right was of shape \(3,\); it should be with 2 rows"),
        (3, r"right was of shape \(\); it should be with 2 rows"),
    ):
        with pytest.raises(InvalidArgument, match=message):
            algatt.linalg.solve(GF([[1, 1], [1, 2]]), right)


@given(seed=st.integers(0, 2**32), dtype=st.sampled_from(list(PRECISION)), rank=st.integers(1, 3))
def test_a_product_that_was_rounded_has_the_rank_of_the_product(seed: int, dtype: str, rank: int) -> None:
    """Factors with the identity in them: the singular values are at least one, and rounding is far below."""
    rng = np.random.default_rng(seed)
    left = np.vstack([np.eye(rank), rng.uniform(-1, 1, (5 - rank, rank))])
    right = np.hstack([np.eye(rank), rng.uniform(-1, 1, (rank, 6 - rank))])
    matrix = (left @ right).astype(dtype)
    assert algatt.rank(matrix).rank == rank
    basis = algatt.kernel(matrix)
    assert basis.shape == (6, 6 - rank)
    assert np.abs(left @ right @ basis).max() < 200 * 2.0 ** -PRECISION[dtype]


def test_the_same_numbers_as_float64_have_their_own_rank() -> None:
    """What rounding to float32 leaves, 1e-8 of the largest, has a gap of its own in float64: two answers,
    none given.
    """
    matrix = np.outer([1.0, 0.7, 0.3], [1.0, 0.9, 0.1]).astype(np.float32)
    assert algatt.rank(matrix).rank == 1
    with pytest.raises(RankUndecided, match="several gaps"):
        algatt.rank(matrix.astype(np.float64))


def test_the_gap_that_is_required_is_one_that_numbers_can_have() -> None:
    """Between 1 and the spacing 2^-10 of half precision no value has gaps of 1000: half of the digits, 32,
    are asked.
    """
    half = np.diag([1.0, 0.05]).astype(np.float16)
    assert algatt.rank(half).rank == 2
    assert 32 < algatt.rank(half).gap < 1000
    with pytest.raises(RankUndecided) as caught:
        algatt.rank(np.diag([1.0, 0.1, 0.01]).astype(np.float16))
    assert caught.value.required == 32
    assert "; give another gap=, or compute over a PrimeField" in str(caught.value)
    assert algatt.rank(np.diag([1.0, 0.25]).astype(np.float16), gap=200).rank == 2
    with pytest.raises(RankUndecided) as caught:
        algatt.rank(half, gap=200)
    assert caught.value.required == 200
    assert algatt.rank(np.diag([1.0, 0.05]).astype(np.float32)).gap > 1000


@pytest.mark.parametrize("size", [12, 230])
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint32, np.int64])
def test_galois_arrays_of_every_integer_type_are_read(dtype: type, size: int) -> None:
    """Of the larger size it is compiled loops that read them."""
    residues = np.random.default_rng(size).integers(0, 31, (size, size))
    matrix = algatt.PrimeField(31).galois(residues.astype(dtype), dtype=dtype)
    before = residues.copy()
    given = flint.nmod_mat(size, size, residues.ravel().tolist(), 31)
    assert algatt.rank(matrix) == given.rank()
    assert algatt.linalg.determinant(matrix) == int(given.det())
    assert np.array_equal(algatt.linalg.echelon(matrix[:, :5]).matrix, np.eye(5))
    side = algatt.linalg.solve(matrix, matrix[:, :2])
    assert np.array_equal(matrix @ side, matrix[:, :2])
    assert np.array_equal(matrix, before)
    assert matrix.dtype == dtype
