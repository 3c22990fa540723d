"""All exact engines give the reduced echelon form of schoolbook elimination in plain Python integers."""

from __future__ import annotations

from collections.abc import Callable

import galois
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algatt
from algatt import PrimeField, verbs
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.linalg import Auto, Blas, Echelon, Engine, Flint, Galois

PRIMES = (2, 3, 31, 3191, 1048583, 8388593, 2147483647, 2305843009213693951)
ENGINES = "Auto(), Blas(), Gpu(), Tiled(scheduler), Galois() or Flint()"
FAST_ENGINES = (Blas(), Flint(), Auto())


def schoolbook(matrix: np.ndarray, p: int) -> tuple[list[list[int]], list[int]]:
    """Return the rows of the reduced echelon form that are not zero, and their pivot columns."""
    rows = [[int(x) for x in row] for row in matrix]
    pivots: list[int] = []
    for column in range(matrix.shape[1]):
        rank = len(pivots)
        found = [row for row in range(rank, len(rows)) if rows[row][column]]
        if not found:
            continue
        rows[rank], rows[found[0]] = rows[found[0]], rows[rank]
        scale = pow(rows[rank][column], -1, p)
        rows[rank] = [x * scale % p for x in rows[rank]]
        for row in range(len(rows)):
            if row != rank:
                factor = rows[row][column]
                rows[row] = [(x - factor * y) % p for x, y in zip(rows[row], rows[rank], strict=True)]
        pivots.append(column)
    return rows[: len(pivots)], pivots


def uniform(p: int, rows: int, columns: int, seed: int = 0) -> np.ndarray:
    entries = np.random.default_rng(seed).integers(p, size=rows * columns).tolist()
    return np.array(entries, dtype=object).reshape(rows, columns)


def of_rank(p: int, rows: int, columns: int, rank: int) -> np.ndarray:
    return np.asarray(uniform(p, rows, rank, 1) @ uniform(p, rank, columns, 2) % p)


def from_entries(rows: int, columns: int, values: list[int]) -> np.ndarray:
    choice = np.random.default_rng(3).integers(len(values), size=rows * columns)
    return np.array([values[index] for index in choice], dtype=object).reshape(rows, columns)


MATRICES: dict[str, Callable[[int], np.ndarray]] = {
    "square": lambda p: uniform(p, 6, 6),
    "wide": lambda p: uniform(p, 4, 9),
    "tall": lambda p: uniform(p, 9, 4),
    "one row": lambda p: uniform(p, 1, 7),
    "one column": lambda p: uniform(p, 7, 1),
    "rank 2": lambda p: of_rank(p, 7, 6, 2),
    "rank 5 and tall": lambda p: of_rank(p, 11, 6, 5),
    "zero": lambda p: np.zeros((4, 3), dtype=object),
    "leading zero columns": lambda p: np.hstack([np.zeros((4, 3), dtype=object), uniform(p, 4, 4)]),
    "zero rows between": lambda p: np.vstack([uniform(p, 2, 5), np.zeros((2, 5), dtype=object), uniform(p, 2, 5, 4)]),
    "repeated rows": lambda p: uniform(p, 3, 6)[[0, 1, 0, 2, 1, 1, 0]],
    "multiples of rows": lambda p: np.vstack(
        [uniform(p, 2, 5), uniform(p, 2, 5) * (p - 1) % p, uniform(p, 2, 5) * (p // 2) % p]
    ),
    "permutation": lambda p: np.eye(6, dtype=int).astype(object)[[3, 1, 5, 0, 4, 2]],
    "backwards": lambda p: np.tril(uniform(p, 6, 6) // 2 * 0 + 1)[::-1],
    "all p - 1": lambda p: np.full((5, 5), p - 1, dtype=object),
    "largest and middle residues": lambda p: from_entries(6, 8, [p - 1, (p - 2) % p, p // 2, (p // 2 + 1) % p]),
    "ones and largest": lambda p: from_entries(8, 6, [1, p - 1]),
    "sparse": lambda p: from_entries(8, 9, [0, 0, 0, 0, 0, 1, p - 1]),
    "0 x 4": lambda p: np.zeros((0, 4), dtype=object),
    "4 x 0": lambda p: np.zeros((4, 0), dtype=object),
    "0 x 0": lambda p: np.zeros((0, 0), dtype=object),
}


def check_echelon(echelon: Echelon, matrix: np.ndarray, p: int) -> None:
    rows, pivots = schoolbook(matrix, p)
    assert echelon.pivots == tuple(pivots)
    assert echelon.rank == len(pivots)
    assert echelon.matrix.shape == (len(pivots), matrix.shape[1])
    assert echelon.matrix.dtype == PrimeField(p).dtype
    assert echelon.matrix.tolist() == rows


@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize("p", PRIMES)
def test_all_engines_find_the_same_echelon_form(p: int, name: str) -> None:
    field, matrix = PrimeField(p), MATRICES[name](p)
    raw = verbs.encode(field, matrix)
    for engine in FAST_ENGINES:
        check_echelon(verbs.row_reduce(engine, field, raw), matrix, p)
        assert algatt.rank(Elements(field, raw), engine=engine) == len(schoolbook(matrix, p)[1])
    assert raw.tolist() == matrix.tolist()


# galois computes in Python above 2^31 and compiles below, for each prime anew; so it gets one matrix that has
# everything.
@pytest.mark.sample(1)
@pytest.mark.parametrize("p", PRIMES)
def test_galois_finds_the_same_echelon_form(p: int) -> None:
    matrix = np.hstack(
        [
            np.zeros((5, 1), dtype=object),
            of_rank(p, 5, 3, 2),
            np.full((5, 1), p - 1, dtype=object),
            np.eye(5, 2, dtype=int),
        ]
    )
    check_echelon(verbs.row_reduce(Galois(), PrimeField(p), verbs.encode(PrimeField(p), matrix)), matrix, p)


@pytest.mark.parametrize("name", MATRICES)
def test_galois_on_every_kind_of_matrix(name: str) -> None:
    for p in (2, 31):
        matrix = MATRICES[name](p)
        check_echelon(verbs.row_reduce(Galois(), PrimeField(p), verbs.encode(PrimeField(p), matrix)), matrix, p)


@pytest.mark.sample(7)
@pytest.mark.parametrize("engine", FAST_ENGINES, ids=str)
@pytest.mark.parametrize("p", PRIMES)
@given(data=st.data())
@settings(max_examples=10)
def test_any_small_matrix(p: int, engine: Engine, data: st.DataObject) -> None:
    rows, columns = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    entry = st.one_of(st.sampled_from([0, 1, p - 1, p // 2]), st.integers(0, p - 1))
    entries = data.draw(st.lists(entry, min_size=rows * columns, max_size=rows * columns))
    matrix = np.array(entries, dtype=object).reshape(rows, columns)
    check_echelon(verbs.row_reduce(engine, PrimeField(p), verbs.encode(PrimeField(p), matrix)), matrix, p)


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize("shape", [(130, 90, 60), (60, 200, 60), (200, 40, 33)])
def test_our_own_engine_agrees_with_flint_on_larger_matrices(p: int, shape: tuple[int, int, int]) -> None:
    if p >= 2**31:
        shape = tuple(size // 4 for size in shape)  # type: ignore[assignment]
    raw = verbs.encode(PrimeField(p), of_rank(p, *shape))
    ours, flints = (verbs.row_reduce(engine, PrimeField(p), raw) for engine in (Blas(), Flint()))
    assert ours.pivots == flints.pivots
    assert np.array_equal(ours.matrix, flints.matrix)
    assert p == 2 or ours.rank > shape[2] - 3


def test_the_automatic_choice_is_ours_below_2_to_the_31() -> None:
    assert Auto().choose(PrimeField(2147483647)) == Blas()
    assert Auto().choose(PrimeField(2147483659)) == Flint()


def test_public_arrays_choose_their_field() -> None:
    matrix = galois.GF(31)([[1, 2, 3], [2, 4, 6], [30, 0, 1]])
    for engine in (None, Auto(), Blas(), Galois(), Flint()):
        assert algatt.rank(matrix, engine=engine) == 2
    assert type(algatt.rank(matrix)) is int


@pytest.mark.parametrize("engine", [Blas, "blas", 1])
def test_what_is_no_engine_is_refused(engine: object) -> None:
    for question in (algatt.rank, algatt.kernel):
        with pytest.raises(InvalidArgument) as caught:
            question(galois.GF(31)([[1]]), engine=engine)
        assert str(caught.value) == f"engine was {engine!r}; it should be {ENGINES}"
