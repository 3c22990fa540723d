"""Ranks from below over balls, against ranks over the rationals."""

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt import Balls
from algatt.fields import Elements
from algatt.linalg.rank import rank_from_below

matrices = st.tuples(st.integers(1, 5), st.integers(1, 6), st.integers(0, 5), st.integers(0, 10**6))


def integer_matrix(rows, columns, rank, seed):
    rng = np.random.default_rng(seed)
    return rng.integers(-5, 6, (rows, rank)) @ rng.integers(-5, 6, (rank, columns))


@given(sizes=matrices)
def test_the_bound_is_the_rank_of_exact_matrices(sizes):
    matrix = integer_matrix(*sizes)
    true = flint.fmpz_mat(matrix.tolist()).rank()
    found = rank_from_below(Balls(), Elements.of(Balls(), matrix).raw)
    assert found.rank == true
    assert len(found.rows) == len(found.columns) == true
    minor = flint.fmpz_mat(matrix[np.ix_(found.rows, found.columns)].tolist())
    assert true == 0 or minor.det() != 0


def test_a_width_that_covers_zero_proves_nothing():
    wide = np.array([[flint.arb(1), flint.arb(1)], [flint.arb(1), flint.arb(1, 0.25)]], dtype=object)
    assert rank_from_below(Balls(), wide).rank == 1
    wide[1, 1] = flint.arb(1.125, 0.25)  # of which the rest has a midpoint that is not zero
    assert rank_from_below(Balls(), wide).rank == 1
    narrow = wide.copy()
    narrow[1, 1] = flint.arb(1.5, 0.25)
    assert rank_from_below(Balls(), narrow).rank == 2


def test_the_verb_takes_arrays_of_balls():
    matrix = np.array([[flint.arb(1), flint.arb(2)], [flint.arb(2), flint.arb(4, 1e-30)]], dtype=object)
    assert algatt.rank(matrix) == algatt.linalg.RankLowerBound(1, (1,), (1,))
    matrix[1, 1] = flint.arb(5, 0.5)
    assert algatt.rank(matrix).rank == 2
    with pytest.raises(algatt.errors.InvalidArgument, match=r"matrix was of shape \(2,\)"):
        algatt.rank(matrix[0])
    with pytest.raises(algatt.errors.InvalidArgument, match="matrix was over RR"):
        algatt.kernel(matrix)


def test_no_bit_of_an_exact_matrix_is_lost():
    with flint.ctx.workprec(1000):
        near = flint.arb(1) + flint.arb(2) ** -900
    # The determinant is about 2^-899: with 128 bits near - 1 / near is not told from zero.
    assert algatt.rank(np.array([[near, flint.arb(1)], [flint.arb(1), near]], dtype=object)).rank == 2
