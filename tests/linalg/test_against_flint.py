"""Every public verb of linear algebra, with every engine, over primes of every range and for galois arrays of every
type that they have there, against FLINT.
"""

from __future__ import annotations

import importlib.util
from typing import Any

import flint
import galois
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt import PrimeField, linalg, verbs
from algatt.errors import InvalidArgument, NoSolution, SingularMatrix
from algatt.fields import Elements
from algatt.linalg import Auto, Blas, Engine, Flint, Galois, GeneratedMatrix, Gpu, RowSpace
from algatt.linalg.arithmetic import CompiledFloats, Floats, Integers

PRIMES = (
    2,
    3,
    251,  # the last one with products of uint8 in int16
    65521,
    8388593,
    16777259,  # two limbs
    2147483647,  # the last one in float64
    2147483659,  # Python integers, and galois arrays of uint32
    3036999991,
    3037000493,  # the last one whose galois arrays are not objects
    3037000507,
    2305843009213693951,
    9223372036854775783,  # the last one below 2^63
)
ENGINES: tuple[Engine, ...] = (Auto(), Blas(), Galois(), Flint())
if importlib.util.find_spec("torch") is not None:
    ENGINES = (*ENGINES, Gpu("cpu"))
ABOVE = 9223372036854775837
"""The first prime above 2^63."""


def engines_over(p: int) -> tuple[Engine, ...]:
    return ENGINES if p < 2**31 else tuple(engine for engine in ENGINES if not isinstance(engine, Gpu))


def entries_of(flint_matrix: Any, height: int, width: int) -> np.ndarray:
    entries = np.array([int(x) for x in flint_matrix.entries()], dtype=object)
    return np.asarray(entries.reshape(height, width))


@st.composite
def matrices(draw: st.DrawFn) -> tuple[int, Any, Any]:
    """A prime, a galois array of one of its types, and the same matrix of FLINT; of full rank or a product."""
    p = draw(st.sampled_from(PRIMES))
    field = PrimeField(p).galois
    height, width = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    if draw(st.booleans()):
        width = height
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))

    def uniform(rows: int, columns: int) -> Any:
        values = [int(x) for x in rng.integers(0, p, rows * columns)]
        if rng.integers(3) == 0:  # the largest ones, whose products wrap first
            values = [p - 1 - x % 2 for x in values]
        return flint.nmod_mat(rows, columns, values, p)

    rank = draw(st.integers(0, min(height, width)))
    there = uniform(height, rank) * uniform(rank, width) if rank and draw(st.booleans()) else uniform(height, width)
    kind = draw(st.sampled_from(field.dtypes))
    here = field(entries_of(there, height, width), dtype=kind)
    assert here.dtype == kind
    return p, here, there


@given(matrices())
def test_ranks_echelon_forms_and_kernels(drawn: tuple[int, Any, Any]) -> None:
    p, matrix, expected = drawn
    height, width = matrix.shape
    form, rank = expected.rref()
    reduced = entries_of(form, height, width)[:rank]
    field = PrimeField(p)
    for engine in engines_over(p):
        assert algatt.rank(matrix, engine=engine) == rank
        assert algatt.rank(Elements.of(field, matrix), engine=engine) == rank
        assert verbs.exact_rank(engine, field, matrix.view(np.ndarray)) == rank
        echelon = linalg.echelon(matrix, engine=engine)
        assert type(echelon.matrix) is type(matrix)
        assert echelon.matrix.tolist() == reduced.tolist()
        assert verbs.row_reduce(engine, field, matrix.view(np.ndarray)).pivots == echelon.pivots
        basis = algatt.kernel(matrix, engine=engine)
        assert basis.shape == (width, width - rank)
        if basis.size:
            columns = flint.nmod_mat(width, width - rank, [int(x) for x in basis.ravel()], p)
            assert columns.rank() == width - rank
            assert not entries_of(expected * columns, height, width - rank).any()


@given(matrices())
def test_row_spaces_and_generated_rows(drawn: tuple[int, Any, Any]) -> None:
    p, matrix, expected = drawn
    field, width, rank = PrimeField(p), matrix.shape[1], int(expected.rank())
    residues = matrix.view(np.ndarray)
    for rows in (matrix, residues, Elements.of(field, matrix), Elements(field, residues.astype(object))):
        space = RowSpace(field, width)
        space.add(rows if isinstance(rows, Elements) else rows[:2])
        if not isinstance(rows, Elements):
            space.add(rows[2:])
        assert space.rank == rank
        minor = [[int(matrix[row, column]) for column in space.pivot_columns] for row in space.pivot_rows]
        assert rank == 0 or int(flint.nmod_mat(minor, p).det()) == space.determinant
    space = RowSpace(field, width)
    space.add_blocks(iter((residues[:1], residues[1:])), len(residues), np.arange(width))
    assert space.rank == rank
    for rows in (matrix, residues):
        assert (
            algatt.rank(GeneratedMatrix(field, matrix.shape, lambda start, stop, rows=rows: rows[start:stop])) == rank
        )


@given(matrices())
def test_determinants_inverses_and_products(drawn: tuple[int, Any, Any]) -> None:
    p, matrix, expected = drawn
    size = min(matrix.shape)
    square, there = matrix[:size, :size], flint.nmod_mat([[int(x) for x in row[:size]] for row in matrix[:size]], p)
    determinant = int(there.det())
    assert linalg.determinant(square) == determinant
    assert linalg.is_invertible(square) == (determinant != 0)
    if determinant:
        assert linalg.inverse(square).tolist() == entries_of(there.inv(), size, size).tolist()
    else:
        with pytest.raises(SingularMatrix):
            linalg.inverse(square)
    X = Elements.of(PrimeField(p), matrix)
    gram = entries_of(expected * expected.transpose(), len(matrix), len(matrix))
    assert (X @ X.T).public().tolist() == gram.tolist()
    assert (X @ matrix.view(np.ndarray).T).public().tolist() == gram.tolist()
    assert (X * X + X).public().tolist() == [[int(x) * (int(x) + 1) % p for x in row] for row in matrix]


@given(matrices(), st.integers(0, 2**32), st.booleans())
def test_linear_systems(drawn: tuple[int, Any, Any], seed: int, solvable: bool) -> None:
    p, matrix, expected = drawn
    height, width = matrix.shape
    rng = np.random.default_rng(seed)
    values = [int(x) for x in rng.integers(0, p, (width if solvable else height) * 2)]
    right = flint.nmod_mat(len(values) // 2, 2, values, p)
    right = expected * right if solvable else right
    both = np.hstack([entries_of(expected, height, width), entries_of(right, height, 2)])
    has_solution = int(flint.nmod_mat(both.tolist(), p).rank()) == int(expected.rank())
    for kind in (matrix.dtype, type(matrix).dtypes[-1]):
        sides = type(matrix)(entries_of(right, height, 2), dtype=kind)
        for engine in engines_over(p):
            if not has_solution:
                with pytest.raises(NoSolution):
                    linalg.solve(matrix, sides, engine=engine)
                continue
            found = [int(x) for x in linalg.solve(matrix, sides, engine=engine).ravel()]
            assert expected * flint.nmod_mat(width, 2, found, p) == right


@pytest.mark.sample(1)
@pytest.mark.parametrize("p", PRIMES)
def test_what_enters_an_arithmetic_leaves_it(p: int) -> None:
    """Whatever type its integers have; some columns only, too."""
    calculi = (Integers(p),) if p > 2**31 else (Integers(p), Floats(p), CompiledFloats(p))
    values = np.array([[0, 1, p - 1], [p // 2, (p + 1) // 2 % p, p - 1]], dtype=object)
    columns = np.array([2, 0])
    kinds = {*PrimeField(p).galois.dtypes, np.object_, np.uint64, np.int64, *([np.float64] if p < 2**31 else [])}
    for calculus in calculi:
        for kind in kinds:
            raw = values.astype(kind)
            entered = calculus.enter(raw)
            square = calculus.leave(calculus.product(entered, calculus.enter(np.ascontiguousarray(raw.T))))
            assert (square == values @ values.T % p).all()
            written = calculus.empty(2, 2)
            calculus.write(raw, columns, written)
            square = calculus.leave(calculus.product(written, calculus.copy(written)))
            assert (square == values[:, columns] @ values[:, columns] % p).all()
            assert (raw == values).all()


@pytest.mark.parametrize("p", [2147483659, 3037000493, 9223372036854775783])
def test_objects_of_numpy_in_a_galois_array_do_not_wrap(p: int) -> None:
    """They look like Python's, and numpy multiplies them as they are."""
    values = np.array([[np.int64(p - 1), np.int64(2)], [np.int64(3), np.int64(p - 2)]], dtype=object)
    raw = values.astype(object)
    field = PrimeField(p)
    assert verbs.exact_rank(Blas(), field, raw) == 2
    space = RowSpace(field, 2)
    space.add(Elements(field, raw))
    minor = [[int(values[row, column]) for column in space.pivot_columns] for row in space.pivot_rows]
    assert space.determinant == int(flint.nmod_mat(minor, p).det())


@pytest.mark.sample(4)
@pytest.mark.parametrize("verb", [algatt.rank, algatt.kernel, linalg.echelon, linalg.determinant, linalg.inverse])
def test_primes_above_the_largest_are_refused_by_name(verb: Any) -> None:
    matrix = galois.GF(ABOVE, compile="python-calculate")([[1, 2], [3, 4]])
    with pytest.raises(InvalidArgument) as caught:
        verb(matrix)
    assert str(caught.value) == f"matrix was over GF({ABOVE}); it should be over GF(p) for a prime p below 2^63"


def test_a_right_side_above_the_largest_prime_is_refused_by_name() -> None:
    right = galois.GF(ABOVE, compile="python-calculate")([1, 2])
    with pytest.raises(InvalidArgument, match=rf"right was over GF\({ABOVE}\); it should be over GF\(p\)"):
        linalg.solve(galois.GF(7)([[1, 2], [3, 4]]), right)
    with pytest.raises(InvalidArgument, match="or a galois class whose order is one"):
        PrimeField(type(right))  # type: ignore[arg-type]
