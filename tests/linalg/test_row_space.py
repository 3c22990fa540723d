"""Row spaces that grow batch by batch; the oracle is FLINT on all rows at once."""

from __future__ import annotations

import tracemalloc
from typing import Any

import flint
import galois
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algatt import PrimeField, Reals
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.linalg import RowSpace

PRIMES = (2, 3, 31, 3191, 1048583, 8388593, 2147483647, 2305843009213693951)


def uniform(p: int, rows: int, columns: int, seed: int) -> np.ndarray:
    return np.array(np.random.default_rng(seed).integers(p, size=rows * columns).tolist(), dtype=object).reshape(
        rows, columns
    )


def of_rank(p: int, rows: int, columns: int, rank: int, seed: int) -> np.ndarray:
    return np.asarray(uniform(p, rows, rank, seed) @ uniform(p, rank, columns, seed + 1) % p)


def nmod(matrix: np.ndarray, p: int) -> flint.nmod_mat:
    return flint.nmod_mat(matrix.shape[0], matrix.shape[1], [int(x) for x in matrix.ravel()], p)


def check_space(space: RowSpace, rows: np.ndarray, p: int) -> None:
    """The rank is that of all rows, and the named minor is what it is said to be, and does not vanish."""
    assert space.rank == nmod(rows, p).rank()
    assert space.rows == len(rows)
    assert len(set(space.pivot_rows)) == len(set(space.pivot_columns)) == space.rank
    minor = rows[np.ix_(space.pivot_rows, space.pivot_columns)]
    assert space.determinant == int(nmod(minor, p).det()) != 0


@pytest.mark.sample(6)
@pytest.mark.parametrize("p", PRIMES)
@given(data=st.data())
@settings(max_examples=12)
def test_the_rank_does_not_depend_on_batches_or_their_order(p: int, data: st.DataObject) -> None:
    columns, rank, seed = data.draw(st.integers(1, 9)), data.draw(st.integers(0, 6)), data.draw(st.integers(0, 2**32))
    rows = of_rank(p, 12, columns, rank, seed)[data.draw(st.permutations(range(12)))]
    cuts = sorted(data.draw(st.lists(st.integers(0, 12), max_size=6)))
    space = RowSpace(PrimeField(p), columns)
    ranks = [space.rank]
    for start, stop in zip([0, *cuts], [*cuts, 12], strict=True):
        gained = space.add(rows[start:stop])
        ranks.append(ranks[-1] + gained)
        assert space.rank == ranks[-1] == nmod(rows[:stop], p).rank()
    check_space(space, rows, p)


@pytest.mark.sample(5)
@pytest.mark.parametrize("p", [2, 31, 8388593, 2147483647])
@pytest.mark.parametrize("batch", [1, 7, 32, 50, 120])
def test_large_batches(p: int, batch: int) -> None:
    rows = of_rank(p, 120, 90, 70, 0)
    rows[33:50] = rows[3]
    space = RowSpace(PrimeField(p), 90)
    gains = [space.add(rows[start : start + batch]) for start in range(0, 120, batch)]
    assert sum(gains) == space.rank
    check_space(space, rows, p)


@pytest.mark.parametrize("p", PRIMES)
def test_what_is_in_the_span_gains_nothing(p: int) -> None:
    rows = uniform(p, 4, 9, 0)
    space = RowSpace(PrimeField(p), 9)
    rank = space.add(rows)
    before = space.pivot_rows, space.pivot_columns
    combinations = uniform(p, 6, 4, 1) @ rows % p
    assert (
        space.add(rows)
        == space.add(rows[::-1])
        == space.add(combinations)
        == space.add(np.zeros((2, 9), dtype=int))
        == 0
    )
    assert space.rank == rank
    assert (space.pivot_rows, space.pivot_columns) == before
    assert space.rows == 4 + 4 + 4 + 6 + 2


@pytest.mark.parametrize("p", PRIMES)
def test_rows_are_numbered_through_batches_that_gain_nothing(p: int) -> None:
    space = RowSpace(PrimeField(p), 3)
    gains = [
        space.add(rows)
        for rows in ([[0, 0, 0]], [[0, 0, 0], [0, 1, 1]], [], [[0, p - 1, p - 1]], [[0, 0, 0], [0, 1, 1], [0, 1, 0]])
        if len(rows)
    ]
    assert gains == [0, 1, 0, 1]
    assert space.pivot_rows == (2, 6)
    assert space.pivot_columns == (1, 2)


def test_the_full_space_takes_more_rows() -> None:
    space = RowSpace(PrimeField(7), 2)
    assert space.add([[1, 2], [3, 4], [5, 6]]) == 2
    assert space.add([[1, 1]]) == 0
    assert space.rows == 4
    assert repr(space) == "RowSpace(GF(7), columns=2, rank=2)"


@pytest.mark.parametrize("p", [2, 8388593, 2305843009213693951])
def test_empty_batches_and_no_columns(p: int) -> None:
    space = RowSpace(PrimeField(p), 4)
    assert space.add(np.zeros((0, 4), dtype=int)) == 0
    assert space.add(np.eye(4, dtype=int)) == 4
    assert space.add(np.zeros((0, 4), dtype=int)) == 0
    nothing = RowSpace(PrimeField(p), 0)
    assert nothing.add(np.zeros((5, 0), dtype=int)) == nothing.rank == 0
    assert (nothing.rows, nothing.pivot_rows, nothing.pivot_columns) == (5, (), ())


@pytest.mark.parametrize("p", PRIMES)
def test_the_largest_residues(p: int) -> None:
    """The matrix n I - J has rank n - 1, or less where p divides n; its rows are nearly all p - 1."""
    n = 20
    rows = np.full((n, n), p - 1, dtype=object)
    rows[range(n), range(n)] = (n - 1) % p
    space = RowSpace(PrimeField(p), n)
    for start in range(0, n, 3):
        space.add(rows[start : start + 3])
    assert space.rank == (1 if n % p == 0 else n - 1)
    check_space(space, rows, p)


def test_kinds_of_rows() -> None:
    field = PrimeField(31)
    rows = [[1, 2, 3], [2, 4, 6], [0, 1, 1]]
    for kind in (rows, np.array(rows), galois.GF(31)(rows), Elements.of(field, rows)):
        space = RowSpace(field, 3)
        assert space.add(kind) == 2
        assert (space.pivot_rows, space.pivot_columns) == ((0, 2), (0, 1))


def test_adding_leaves_the_rows_alone() -> None:
    rows = Elements.of(PrimeField(), [[8388592, 2, 3], [4, 8388592, 6]])
    before = rows.raw.copy()
    RowSpace(PrimeField(), 3).add(rows)
    assert np.array_equal(rows.raw, before)


def test_at_most_rank_times_columns_numbers_are_held() -> None:
    """Twenty batches, of which only the first few gain anything."""
    columns, rank = 400, 100
    field = PrimeField()
    generator = np.random.default_rng(0)
    basis = Elements.of(field, generator.integers(field.p, size=(rank, columns)))
    batches = [Elements.of(field, generator.integers(field.p, size=(50, rank))) @ basis for _ in range(20)]
    RowSpace(field, columns).add(batches[0])
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        space = RowSpace(field, columns)
        for batch in batches:
            space.add(batch)
        held = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert space.rank == rank
    assert held < 1.1 * 8 * rank * columns


@pytest.mark.parametrize("p", [2, 8388593, 2305843009213693951])
def test_a_target_is_reached_and_no_row_is_looked_at_after_it(p: int) -> None:
    rows = uniform(p, 60, 20, 4)
    rank = int(nmod(rows, p).rank())
    for target in (0, 1, 7, rank, 1000):
        space = RowSpace(PrimeField(p), 20, target=target)
        gains = [space.add(rows[start : start + 4]) for start in range(0, 60, 4)]
        reached = [sum(gains[:k]) for k in range(len(gains))]
        assert min(target, rank) <= space.rank == sum(gains) <= rank
        assert all(gain == 0 for gain, before in zip(gains, reached, strict=True) if before >= target)
        minor = rows[np.ix_(space.pivot_rows, space.pivot_columns)]
        assert space.determinant == int(nmod(minor, p).det()) != 0
        assert space.rows == 60


# ----- bad input


@pytest.mark.parametrize(
    "rows",
    [np.ones((2, 4), dtype=int), np.ones(3, dtype=int), np.ones((1, 1, 3), dtype=int), 5],
    ids=lambda rows: str(np.shape(rows)),
)
def test_rows_of_the_wrong_shape_are_refused(rows: Any) -> None:
    space = RowSpace(PrimeField(31), 3)
    with pytest.raises(InvalidArgument) as caught:
        space.add(rows)
    assert str(caught.value) == f"rows was of shape {np.shape(rows)}; it should be of shape (m, 3)"
    assert (space.rank, space.rows) == (0, 0)


def test_rows_over_another_field_are_refused() -> None:
    space = RowSpace(PrimeField(31), 2)
    for rows in (galois.GF(7)([[1, 2]]), Elements.of(PrimeField(7), [[1, 2]])):
        with pytest.raises(InvalidArgument, match=r"rows was over GF\(7\); it should be over GF\(31\)"):
            space.add(rows)
    with pytest.raises(InvalidArgument, match=r"rows was over RR .*; it should be over GF\(31\)"):
        space.add(Elements.of(Reals(), [[1, 2]]))


def test_entries_that_are_no_residues_are_refused() -> None:
    space = RowSpace(PrimeField(31), 2)
    for rows in ([[0, 31]], [[-1, 0]]):
        with pytest.raises(
            InvalidArgument, match=r"rows was with entries from .*; it should be with entries 0..30 of GF\(31\)"
        ):
            space.add(rows)
    with pytest.raises(InvalidArgument, match="rows was an array of float64"):
        space.add([[0.5, 1.0]])


def test_other_fields_have_no_row_space() -> None:
    with pytest.raises(
        InvalidArgument,
        match=r"field was RR \(float64\); it should be a PrimeField: no float can tell when a rank stops growing",
    ):
        RowSpace(Reals(), 3)  # type: ignore[arg-type]


def test_a_negative_number_of_columns_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="columns was -1; it should be an integer >= 0"):
        RowSpace(PrimeField(31), -1)


@pytest.mark.parametrize("columns", [2.5, "3", None, True])
def test_a_number_of_columns_that_is_no_integer_is_refused(columns: Any) -> None:
    with pytest.raises(InvalidArgument):
        RowSpace(PrimeField(31), columns)


@pytest.mark.parametrize("target", [2.5, "3", -1, True])
def test_a_target_that_is_no_rank_is_refused(target: Any) -> None:
    with pytest.raises(InvalidArgument) as caught:
        RowSpace(PrimeField(31), 3, target)
    assert str(caught.value) == f"target was {target!r}; it should be an integer >= 0"
