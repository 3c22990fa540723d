"""The recursive elimination, above all where panels, strips, windows and halves meet; the oracle is FLINT."""

from __future__ import annotations

import flint
import numpy as np
import pytest

from algatt import PrimeField, verbs
from algatt.linalg import arithmetic as arithmetics
from algatt.linalg import elimination
from algatt.linalg.arithmetic import Arithmetic, CompiledFloats, Floats, Integers, arithmetic
from algatt.linalg.elimination import Eliminated, eliminate, eliminate_working

PRIMES = (2, 3, 31, 3191, 1048583, 8388593, 2147483647)
LARGE_PRIME = 2305843009213693951

KINDS: tuple[type[Arithmetic], ...] = (Floats, CompiledFloats)

SMALL = Floats(2).small
STRIP = SMALL + 8
PANEL = 3 * SMALL


@pytest.fixture(autouse=True)
def low_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Panels of so few rows that small matrices have several of them."""
    monkeypatch.setattr(elimination, "PANEL", PANEL)
    monkeypatch.setattr(elimination, "STRIP", STRIP)
    monkeypatch.setattr(arithmetics, "CHUNK", 2000)
    monkeypatch.setattr(arithmetics, "LARGEST_CHUNK", 3000)
    monkeypatch.setattr(arithmetics, "IN_CACHE", 1000)
    monkeypatch.setattr(arithmetics, "INTEGER_PRODUCTS", 2000 * PANEL)


def eliminated(kind: type[Arithmetic], p: int, matrix: np.ndarray) -> Eliminated:
    """Eliminate by one of the arithmetics; Python integers stand in where the prime is too large for it."""
    field = PrimeField(p)
    calculus = Integers(p) if field.dtype is object else kind(p)
    return eliminate_working(calculus, calculus.enter(verbs.encode(field, matrix)))


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
    return max(check_one(eliminated(kind, p, matrix), matrix, p) for kind in KINDS)


def check_one(form: Eliminated, matrix: np.ndarray, p: int) -> int:
    """Compare one echelon form with FLINT's."""
    field = PrimeField(p)
    reduced, rank = nmod(matrix, p).rref()
    rows = np.array([int(x) for x in reduced.entries()], dtype=object).reshape(matrix.shape)[:rank]
    leading = [int(np.flatnonzero(row)[0]) for row in rows]
    order = np.argsort(form.pivot_columns)
    others = form.order[rank:]
    assert form.pivot_columns[order].tolist() == leading
    assert sorted(others.tolist()) == [column for column in range(matrix.shape[1]) if column not in leading]
    check_size(field, form.tail())
    assert np.array_equal(form.calculus.leave(form.tail())[order], rows[:, others])
    assert len(set(form.pivot_rows.tolist())) == rank
    minor = nmod(matrix[np.ix_(form.pivot_rows, form.pivot_columns)], p)
    assert form.determinant == int(minor.det()) != 0
    check_size(field, form.form)
    return int(rank)


def check_size(field: PrimeField, work: np.ndarray) -> None:
    """See to it that a working matrix is reduced: what is left over would grow from product to product."""
    if field.dtype is object:
        assert all(0 <= x < field.p for x in work.flat)
    else:
        assert (np.abs(work) <= field.p / 2 + 2).all()


@pytest.mark.sample(4)
@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize(
    "rows", [1, SMALL, SMALL + 1, STRIP, STRIP + 1, 2 * STRIP + 1, PANEL - 1, PANEL, PANEL + 1, 2 * PANEL + 3]
)
def test_row_counts_around_the_panels(p: int, rows: int) -> None:
    check_elimination(random_matrix(p, rows, 50, min(rows, 40), rows), p)


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize(
    ("rows", "columns", "rank"), [(10, 300, 10), (10, 300, 3), (200, 9, 9), (200, 9, 4), (70, 70, 69), (90, 150, 0)]
)
def test_tall_wide_and_deficient(p: int, rows: int, columns: int, rank: int) -> None:
    assert check_elimination(random_matrix(p, rows, columns, rank, 7), p) <= rank


@pytest.mark.sample(7)
@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize("seed", range(4))
def test_pivots_that_are_far_apart(p: int, seed: int) -> None:
    check_elimination(sparse_matrix(p, 40, 200, seed), p)
    check_elimination(sparse_matrix(p, 100, 60, seed), p)


@pytest.mark.sample(6)
@pytest.mark.parametrize("p", PRIMES)
def test_a_late_pivot_in_every_panel(p: int) -> None:
    """The rows run backwards, so that each half must clear the pivot columns of the other."""
    matrix = np.tril(random_matrix(p, 80, 80, 80, 3))[::-1]
    matrix[:, -1] = 1
    check_elimination(matrix, p)


@pytest.mark.parametrize("p", PRIMES)
def test_first_rows_whose_pivots_come_after_those_of_all_others(p: int) -> None:
    matrix = random_matrix(p, STRIP + 5, 4 * STRIP, STRIP + 5, 11)
    matrix[:3, : 3 * STRIP] = 0
    check_elimination(matrix, p)


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize(
    "entries", [lambda p: [p - 1], lambda p: [p // 2, (p // 2 + 1) % p], lambda p: [p - 1, p // 2, 0, 0, 1]]
)
def test_the_largest_residues(p: int, entries: object) -> None:
    assert callable(entries)
    choice = np.random.default_rng(5)
    values = entries(p)
    matrix = np.array([[values[choice.integers(len(values))] for _ in range(100)] for _ in range(70)], dtype=object)
    check_elimination(matrix, p)


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("p", [8388593, 2147483647])
def test_a_long_update_of_the_largest_residues(kind: type[Arithmetic], p: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With panels of 600 rows some products are longer than one exact block; det(d I - J) = d^(n-1) (d - n) says when
    the matrix is invertible.
    """
    monkeypatch.setattr(elimination, "PANEL", 600)
    monkeypatch.setattr(elimination, "STRIP", 600)
    monkeypatch.setattr(arithmetics, "LARGEST_CHUNK", 2**17)
    size = 640
    for diagonal, rank in ((p // 2, size), (size, size - 1)):
        raw = np.full((size, size), p - 1, dtype=np.int64)
        np.fill_diagonal(raw, diagonal - 1)
        form = eliminated(kind, p, raw)
        assert form.pivot_columns.tolist() == form.pivot_rows.tolist() == list(range(rank))
        assert form.calculus.leave(form.tail()).tolist() == [[p - 1] * (size - rank)] * rank


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("p", [5, 8388593, 16777213, 16777259, 2147483647])
def test_products_of_aligned_extremes_are_exact(kind: type[Arithmetic], p: int) -> None:
    """All terms of the sums have the largest size and one sign, at lengths around the blocks: Python's integers say
    what is right.
    """
    calculus = kind(p)
    high = p // 2 + 2
    for length in (1, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1100):
        for one, two, three in ((high, high, high), (-high, high, -high), (high, -high, high), (-high, -high, -high)):
            target = np.full((1, 1), float(three))
            calculus.subtract_product(target, np.full((1, length), float(one)), np.full((length, 1), float(two)))
            assert (int(target[0, 0]) - (three - length * one * two)) % p == 0
            assert abs(target[0, 0]) <= high


@pytest.mark.parametrize("kind", [*KINDS, Integers])
@pytest.mark.parametrize("rows", [0, 1, 49, 50, 51, 100, 101])
def test_every_row_of_a_product_is_subtracted(
    kind: type[Arithmetic], rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many entries are updated at a time as are 50 rows here; the last rows are those at risk."""
    monkeypatch.setattr(arithmetics, "CHUNK", 50 * 4)
    monkeypatch.setattr(arithmetics, "LARGEST_CHUNK", 50 * 4)
    monkeypatch.setattr(arithmetics, "INTEGER_PRODUCTS", 50 * 6 * 4)
    p = 8388593
    calculus = kind(p)
    target, left, right = (
        random_matrix(p, *shape, 9, seed) for seed, shape in enumerate(((rows, 4), (rows, 6), (6, 4)))
    )
    working = [
        calculus.enter(verbs.encode(PrimeField(p), matrix)).astype(object if kind is Integers else float)
        for matrix in (target, left, right)
    ]
    calculus.subtract_product(*working)
    assert calculus.leave(working[0]).tolist() == ((target - left @ right) % p).tolist()


@pytest.mark.sample(1)
@pytest.mark.parametrize("p", PRIMES)
def test_elimination_stops_at_its_target(p: int) -> None:
    matrix = random_matrix(p, 3 * PANEL, 3 * PANEL, 3 * PANEL, 2)
    whole = eliminate(PrimeField(p), verbs.encode(PrimeField(p), matrix))
    form = eliminate(PrimeField(p), verbs.encode(PrimeField(p), matrix), target=PANEL // 2)
    assert PANEL // 2 <= form.rank <= PANEL < whole.rank
    minor = nmod(matrix[np.ix_(form.pivot_rows, form.pivot_columns)], p)
    assert form.determinant == int(minor.det()) != 0


def test_small_matrices_need_no_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rank of up to 200 takes the path in numpy, whether numba is there or not."""
    for size in (1, 50, 200):
        assert type(arithmetic(PrimeField(), size**3)) is Floats
    assert type(arithmetic(PrimeField(), 4000**3)) is CompiledFloats
    assert type(arithmetic(PrimeField(LARGE_PRIME), 4000**3)) is Integers


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (100, 0)])
@pytest.mark.parametrize("p", [2, 8388593, LARGE_PRIME])
def test_nothing_to_eliminate(p: int, shape: tuple[int, int]) -> None:
    for kind in KINDS:
        form = eliminated(kind, p, np.zeros(shape, dtype=int))
        assert form.pivot_columns.tolist() == form.pivot_rows.tolist() == []
        assert form.order.tolist() == list(range(shape[1]))
        assert form.tail().shape == (0, shape[1])
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
    for kind in KINDS:
        form = eliminated(kind, p, first)
        rest = form.reduce(form.calculus.enter(verbs.encode(field, second))[:, form.order])
        assert rest.shape == (9, 20 - form.rank)
        check_size(field, rest)
        residues = form.calculus.leave(rest.copy())
        assert not residues[:4].any()
        together = nmod(np.vstack([first, second]), p).rank()
        assert form.rank + nmod(residues, p).rank() == together


@pytest.mark.sample(0)
def test_no_product_of_python_integers_is_one_long_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """numpy sees no interrupt within a product of objects, so that many small ones are taken: here with the
    real sizes.
    """
    products: list[int] = []
    multiply = Integers.subtract_rows

    def counted(self: Integers, target: np.ndarray, left: np.ndarray, right: np.ndarray) -> None:
        products.append(left.size * right.shape[1])
        multiply(self, target, left, right)

    monkeypatch.setattr(Integers, "subtract_rows", counted)
    monkeypatch.setattr(arithmetics, "INTEGER_PRODUCTS", 2**22)
    rng = np.random.default_rng(0)
    target, left, right = (
        rng.integers(LARGE_PRIME, size=shape).astype(object) for shape in ((700, 90), (700, 120), (120, 90))
    )
    expected = (target - left @ right) % LARGE_PRIME
    Integers(LARGE_PRIME).subtract_product(target, left, right)
    assert (target == expected).all()
    assert sum(products) == 700 * 120 * 90
    assert max(products) <= 2**22
