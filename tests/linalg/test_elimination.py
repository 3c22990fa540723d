"""The recursive elimination, above all where panels, windows and halves meet; the oracle is FLINT."""

from __future__ import annotations

import flint
import numpy as np
import pytest

from algatt import PrimeField, verbs
from algatt.linalg.elimination import PANEL, eliminate, reduce_by, to_residues, to_working

PRIMES = (2, 3, 31, 3191, 1048583, 8388593, 2147483647)
LARGE_PRIME = 2305843009213693951


def random_matrix(p: int, rows: int, columns: int, rank: int, seed: int) -> np.ndarray:
    """A random matrix of at most the given rank, as Python integers."""
    generator = np.random.default_rng(seed)
    left, right = (
        np.array([[int(x) for x in row] for row in generator.integers(p, size=shape)], dtype=object).reshape(shape)
        for shape in ((rows, rank), (rank, columns))
    )
    return np.asarray(left @ right % p)


def sparse_matrix(p: int, rows: int, columns: int, seed: int) -> np.ndarray:
    """Few entries, many of them in the same rows; pivots are far apart."""
    generator = np.random.default_rng(seed)
    matrix = np.zeros((rows, columns), dtype=object)
    for _ in range(rows):
        matrix[generator.integers(rows), generator.integers(columns)] = int(generator.integers(1, p))
    return matrix


def nmod(matrix: np.ndarray, p: int) -> flint.nmod_mat:
    return flint.nmod_mat(matrix.shape[0], matrix.shape[1], [int(x) for x in matrix.ravel()], p)


def check_elimination(matrix: np.ndarray, p: int) -> int:
    """Compare with FLINT's reduced echelon form and return the rank."""
    field = PrimeField(p)
    form = eliminate(field, to_working(field, verbs.encode(field, matrix)))
    reduced, rank = nmod(matrix, p).rref()
    rows = np.array([int(x) for x in reduced.entries()], dtype=object).reshape(matrix.shape)[:rank]
    leading = [int(np.flatnonzero(row)[0]) for row in rows]
    order = np.argsort(form.pivots)
    assert form.pivots[order].tolist() == leading
    assert form.others.tolist() == [column for column in range(matrix.shape[1]) if column not in leading]
    assert np.array_equal(to_residues(field, form.tail.copy())[order], rows[:, form.others])
    assert len(set(form.pivot_rows.tolist())) == rank
    minor = nmod(matrix[np.ix_(form.pivot_rows, form.pivots)], p)
    assert form.determinant == int(minor.det()) != 0
    check_size(field, form.tail)
    return int(rank)


def check_size(field: PrimeField, work: np.ndarray) -> None:
    """See to it that a working matrix is reduced: what is left over would grow from product to product."""
    if field.dtype is object:
        assert all(0 <= x < field.p for x in work.flat)
    else:
        assert (np.abs(work) <= field.p / 2 + 2).all()


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize("rows", [1, PANEL - 1, PANEL, PANEL + 1, 2 * PANEL, 2 * PANEL + 1, 4 * PANEL + 3])
def test_row_counts_around_the_panels(p: int, rows: int) -> None:
    check_elimination(random_matrix(p, rows, 50, min(rows, 40), rows), p)


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize(("rows", "columns", "rank"), [(10, 300, 10), (10, 300, 3), (200, 9, 9), (200, 9, 4), (70, 70, 69), (90, 150, 0)])
def test_tall_wide_and_deficient(p: int, rows: int, columns: int, rank: int) -> None:
    assert check_elimination(random_matrix(p, rows, columns, rank, 7), p) <= rank


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize("seed", range(4))
def test_pivots_that_are_far_apart(p: int, seed: int) -> None:
    check_elimination(sparse_matrix(p, 40, 200, seed), p)
    check_elimination(sparse_matrix(p, 100, 60, seed), p)


@pytest.mark.parametrize("p", PRIMES)
def test_a_late_pivot_in_every_panel(p: int) -> None:
    """The rows run backwards, so that each half must clear the pivot columns of the other."""
    matrix = np.tril(random_matrix(p, 80, 80, 80, 3))[::-1]
    matrix[:, -1] = 1
    check_elimination(matrix, p)


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize("entries", [lambda p: [p - 1], lambda p: [p // 2, (p // 2 + 1) % p], lambda p: [p - 1, p // 2, 0, 0, 1]])
def test_the_largest_residues(p: int, entries: object) -> None:
    assert callable(entries)
    choice = np.random.default_rng(5)
    values = entries(p)
    matrix = np.array([[values[choice.integers(len(values))] for _ in range(100)] for _ in range(70)], dtype=object)
    check_elimination(matrix, p)


def test_a_long_update_of_the_largest_residues() -> None:
    """With 1200 pivots some products are longer than one exact block; det(d I - J) = d^(n-1) (d - n) says when the matrix is invertible."""
    p, size = 8388593, 1200
    field = PrimeField(p)
    for diagonal, rank in ((p // 2, size), (size, size - 1)):
        raw = np.full((size, size), p - 1, dtype=np.float64)
        np.fill_diagonal(raw, diagonal - 1)
        form = eliminate(field, to_working(field, raw))
        assert form.pivots.tolist() == form.pivot_rows.tolist() == list(range(rank))
        assert to_residues(field, form.tail).tolist() == [[p - 1] * (size - rank)] * rank


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (100, 0)])
@pytest.mark.parametrize("p", [2, 8388593, LARGE_PRIME])
def test_nothing_to_eliminate(p: int, shape: tuple[int, int]) -> None:
    field = PrimeField(p)
    form = eliminate(field, to_working(field, verbs.encode(field, np.zeros(shape, dtype=int))))
    assert form.pivots.tolist() == form.pivot_rows.tolist() == []
    assert form.others.tolist() == list(range(shape[1]))
    assert form.tail.shape == (0, shape[1])
    assert form.determinant == 1


@pytest.mark.parametrize(("rows", "columns", "rank"), [(5, 8, 5), (40, 12, 12), (40, 12, 5), (12, 40, 12), (70, 3, 2)])
def test_python_integers_above_2_to_the_31(rows: int, columns: int, rank: int) -> None:
    for p in (2147483659, LARGE_PRIME, 9223372036854775783):
        assert check_elimination(random_matrix(p, rows, columns, rank, 1), p) == rank


@pytest.mark.parametrize("p", [*PRIMES, LARGE_PRIME])
def test_reducing_by_an_echelon_form_gives_the_rank_of_both_together(p: int) -> None:
    field = PrimeField(p)
    first, second = random_matrix(p, 12, 20, 7, 0), random_matrix(p, 9, 20, 6, 1)
    second[:4] = first[:4]
    form = eliminate(field, to_working(field, verbs.encode(field, first)))
    rest = reduce_by(field, to_working(field, verbs.encode(field, second)), form)
    assert rest.shape == (9, 20 - len(form.pivots))
    check_size(field, rest)
    residues = to_residues(field, rest.copy())
    assert not residues[:4].any()
    together = nmod(np.vstack([first, second]), p).rank()
    assert len(form.pivots) + nmod(residues, p).rank() == together
