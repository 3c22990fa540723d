"""Linear systems: solutions are checked by multiplying, and their existence by FLINT's ranks."""

from __future__ import annotations

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt

PRIMES = (2, 3, 31, 8388593, 2147483647)


def flint_rank(matrix: np.ndarray, p: int) -> int:
    return int(flint.nmod_mat(matrix.shape[0], matrix.shape[1], [int(x) for x in matrix.ravel()], p).rank())


@given(
    p=st.sampled_from(PRIMES),
    shape=st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(1, 4)),
    rank=st.integers(0, 6),
    seed=st.integers(0, 2**32 - 1),
)
def test_a_solution_solves_and_there_is_one_exactly_if_the_ranks_agree(
    p: int, shape: tuple[int, int, int], rank: int, seed: int
) -> None:
    rows, columns, sides = shape
    generator = np.random.default_rng(seed)
    left = (
        generator.integers(0, p, (rows, rank)).astype(object)
        @ generator.integers(0, p, (rank, columns)).astype(object)
        % p
    )
    left = np.asarray(left, dtype=np.int64)
    right = generator.integers(0, p, (rows, sides))
    GF = algatt.PrimeField(p).galois
    if flint_rank(np.hstack([left, right]), p) == flint_rank(left, p):
        solution = np.array(algatt.linalg.solve(GF(left), GF(right)), dtype=object)
        assert (left.astype(object) @ solution % p == right).all()
    else:
        with pytest.raises(algatt.errors.NoSolution, match="has no solution"):
            algatt.linalg.solve(GF(left), GF(right))


def test_a_vector_gives_a_vector() -> None:
    GF = algatt.PrimeField(7).galois
    solution = algatt.linalg.solve(GF([[1, 1], [1, 2]]), GF([3, 4]))
    assert type(solution) is GF
    assert solution.tolist() == [2, 1]


def test_what_may_be_chosen_is_zero() -> None:
    GF = algatt.PrimeField(7).galois
    assert algatt.linalg.solve(GF([[1, 2, 3]]), GF([[5]])).tolist() == [[5], [0], [0]]


@pytest.mark.parametrize("engine", [algatt.linalg.Blas(), algatt.linalg.Flint(), algatt.linalg.Galois()])
def test_every_engine(engine: algatt.linalg.Engine) -> None:
    GF = algatt.PrimeField(31).galois
    assert algatt.linalg.solve(GF([[2, 1], [1, 1]]), GF([5, 3]), engine=engine).tolist() == [2, 1]


def test_bad_input() -> None:
    GF = algatt.PrimeField(7).galois
    A = GF([[1, 2], [3, 4]])
    with pytest.raises(
        algatt.errors.InvalidArgument, match=r"right was of shape \(3,\); it should be with 2 rows, as the matrix has"
    ):
        algatt.linalg.solve(A, GF([1, 2, 3]))
    with pytest.raises(algatt.errors.InvalidArgument, match=r"right was over GF\(31\); it should be over GF\(7\)"):
        algatt.linalg.solve(A, algatt.PrimeField(31).galois([1, 2]))
    with pytest.raises(
        algatt.errors.InvalidArgument, match=r"matrix was over RR \(float64\); it should be a galois array"
    ):
        algatt.linalg.solve(np.eye(2), GF([1, 2]))
    with pytest.raises(algatt.errors.InvalidArgument, match="engine was 'fast'"):
        algatt.linalg.solve(A, GF([1, 2]), engine="fast")
