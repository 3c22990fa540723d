"""Row forms: a normal form under GL from the left, with the transformation that leads to it."""

import flint
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algatt import PrimeField, Reals
from algatt.errors import InvalidArgument, RankUndecided
from algatt.fields import Elements
from algatt.linalg.row_form import first_largest, pivot_columns, row_form, row_rank

PRIMES = (2, 3, 31, 8388593, 2147483647, 2305843009213693951)


def plain(elements):
    return np.array([int(x) for x in elements.raw.ravel()], dtype=object).reshape(elements.shape)


def random_matrix(p, rows, columns, rank, seed):
    rng = np.random.default_rng(seed)
    left, right = (
        np.array(rng.integers(p, size=m * n).tolist(), dtype=object).reshape(m, n)
        for m, n in ((rows, rank), (rank, columns))
    )
    return left @ right % p if rank else np.zeros((rows, columns), dtype=object)


def flint_form(matrix, p):
    """The reduced row echelon form without its rows of zeros, by FLINT."""
    rows, columns = matrix.shape
    reduced, rank = flint.nmod_mat(rows, columns, [int(x) for x in matrix.ravel()], p).rref()
    return np.array([int(x) for x in reduced.entries()], dtype=object).reshape(rows, columns)[:rank]


@given(st.sampled_from(PRIMES), st.integers(1, 6), st.integers(1, 6), st.integers(0, 6), st.integers(0, 2**32))
def test_modulo_p_it_is_the_reduced_echelon_form(p, rows, columns, rank, seed):
    matrix = random_matrix(p, rows, columns, rank, seed)
    found = row_form(Elements.of(PrimeField(p), matrix))
    expected = flint_form(matrix, p)
    assert np.array_equal(plain(found.form), expected)
    assert found.rank == len(expected)
    assert found.pivots == tuple(next(j for j, x in enumerate(row) if x) for row in expected)
    below = np.zeros((rows - found.rank, columns), dtype=object)
    assert np.array_equal(plain(found.transform) @ matrix % p, np.concatenate([expected, below]))
    assert flint.nmod_mat(rows, rows, [int(x) for x in plain(found.transform).ravel()], p).rank() == rows
    assert np.array_equal(plain(found.basis), matrix[:, list(found.pivots)])
    assert np.array_equal(plain(found.basis) @ expected % p, matrix)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 6), st.integers(0, 2**32))
@settings(derandomize=True)
def test_over_the_reals(rows, columns, rank, seed):
    rank = min(rank, rows, columns)
    rng = np.random.default_rng(seed)
    matrix = rng.standard_normal((rows, rank)) @ rng.standard_normal((rank, columns))
    found = row_form(Elements.of(Reals(), matrix))
    assert found.rank == rank
    form, transform, basis = (part.raw for part in (found.form, found.transform, found.basis))
    assert np.allclose(form[:, list(found.pivots)], np.eye(rank))
    assert np.linalg.matrix_rank(transform) == rows
    assert np.allclose(matrix[:, list(found.pivots)] @ form, matrix, atol=1e-9)
    assert np.allclose(transform @ matrix, np.concatenate([form, np.zeros((rows - rank, columns))]), atol=1e-7)
    assert np.allclose(basis.T @ basis, np.eye(rank))
    assert np.allclose(basis @ basis.T @ matrix, matrix, atol=1e-9)
    assert np.abs(form).max(initial=0) <= 2**rank  # column pivoting keeps the entries small


@pytest.mark.parametrize("field", [PrimeField(31), PrimeField(), Reals()], ids=str)
def test_matrices_with_one_row_space_have_one_form(field):
    rng = np.random.default_rng(3)
    for seed in range(10):
        draw = rng.standard_normal if isinstance(field, Reals) else lambda shape: rng.integers(0, field.p, shape)
        matrix, mixing = (
            Elements.of(field, draw((3, 5))),
            Elements.of(field, np.tri(3, dtype=int) + seed * np.eye(3, dtype=int)[::-1] * (seed % 2)),
        )
        one, two = row_form(matrix), row_form(mixing @ matrix)
        if one.rank == two.rank:
            assert one.pivots == two.pivots
            assert (
                np.allclose(one.form.raw, two.form.raw)
                if isinstance(field, Reals)
                else np.array_equal(one.form.raw, two.form.raw)
            )


@pytest.mark.parametrize("field", [PrimeField(31), Reals()], ids=str)
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (2, 3)])
def test_empty_and_zero_matrices(field, shape):
    found = row_form(Elements.of(field, np.zeros(shape, dtype=int)))
    assert (found.rank, found.pivots) == (0, ())
    assert found.form.shape == (0, shape[1])
    assert found.basis.shape == (shape[0], 0)
    assert found.transform.shape == (shape[0], shape[0])


def test_without_a_gap_there_is_no_form_unless_the_caller_checks():
    matrix = Elements.of(Reals(), np.diag([2.0 ** (-8 * k) for k in range(7)]))
    with pytest.raises(RankUndecided):
        row_form(matrix)
    assert (
        row_form(matrix, checked=True).rank == 5
    )  # 2^-40 is more than a thousand times rounding, 7 * 2^-52, and 2^-48 less


def test_what_is_no_matrix_is_refused():
    with pytest.raises(InvalidArgument, match=r"matrix was of shape \(3,\)"):
        row_form(Elements.of(PrimeField(31), [1, 2, 3]))


def test_of_columns_that_tie_the_first_is_taken_however_they_are_rounded():
    """Columns of an orthonormal basis have the same sizes but for rounding, whatever basis it was made of."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        half = rng.standard_normal((2, 3))
        matrix = np.hstack([half, half])
        forms = [row_form(Elements.of(Reals(), rng.standard_normal((2, 2)) @ matrix)) for _ in range(5)]
        assert all(max(form.pivots) < 3 for form in forms)
        assert len({form.pivots for form in forms}) == 1


def test_pivots_are_those_of_columns_that_are_made_orthogonal_to_all_before():
    """Column by column: what is left of it beside those that were taken, by least squares."""
    rng = np.random.default_rng(7)
    for rank, width in [(1, 1), (3, 3), (4, 9), (20, 31)]:
        rows = np.linalg.qr(rng.standard_normal((width, rank)))[0].T
        taken: list[int] = []
        for _ in range(rank):
            before = rows[:, taken]
            solution = np.linalg.lstsq(before, rows, rcond=None)[0] if taken else np.zeros((0, width))
            left = np.linalg.norm(rows - before @ solution, axis=0)
            taken.append(int(np.argmax(left >= left.max() * (1 - 1e-7))))
        assert pivot_columns(rows, 2.0**-53)[0] == tuple(sorted(taken))


@given(st.sampled_from([*PRIMES, 0]), st.integers(1, 5), st.integers(1, 5), st.integers(0, 5), st.integers(0, 99))
def test_the_rank_of_a_row_form_is_found_without_it(p, height, width, rank, seed):
    rank = min(rank, height, width)
    if p:
        matrix = Elements.of(PrimeField(p), random_matrix(p, height, width, rank, seed))
        assert row_rank(matrix) == row_form(matrix).rank
        return
    rng = np.random.default_rng(seed)
    matrix = Elements.of(Reals(), rng.standard_normal((height, rank)) @ rng.standard_normal((rank, width)))
    assert row_rank(matrix, checked=True) == row_form(matrix, checked=True).rank


def test_what_nearly_ties_is_told():
    """Only what comes before the first of the largest can take its place."""
    assert first_largest(np.array([1.0, 2.0, 2.0]), 2.0**-53) == (1, True)
    assert first_largest(np.array([2 - 1e-9, 2.0, 1.0]), 2.0**-53) == (0, True)
    assert first_largest(np.array([2 - 1e-6, 2.0, 1.0]), 2.0**-53) == (1, False)
    assert first_largest(np.array([2.0, 2 - 1e-6, 1.0]), 2.0**-53) == (0, True)
    assert first_largest(np.array([2 - 1e-6, 2.0, 1.0]), 2.0**-24) == (0, True)  # one number in float32
    matrix = np.array([[1 - 1e-6, 1.0, 0.3]])
    rows = matrix / np.linalg.norm(matrix)
    assert not pivot_columns(rows, 2.0**-53)[1]
    assert pivot_columns(rows[:, ::-1], 2.0**-53)[1]
