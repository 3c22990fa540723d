"""Linear algebra over the rationals: of arrays of fractions, against an elimination with Python's fractions."""

from __future__ import annotations

from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt.errors import InvalidArgument, NoSolution, SingularMatrix
from algatt.fields import Elements, Rationals
from algatt.linalg import Blas

SMALL = st.fractions(min_value=-3, max_value=3, max_denominator=4)


def matrices(height, width):
    return st.lists(st.lists(SMALL, min_size=width, max_size=width), min_size=height, max_size=height)


def eliminated(rows):
    """Return the reduced echelon form without zero rows, the pivots and the determinant of the leading square."""
    rows, pivots, determinant = [list(map(Fraction, row)) for row in rows], [], Fraction(1)
    for column in range(len(rows[0])):
        place = next((i for i in range(len(pivots), len(rows)) if rows[i][column]), None)
        if place is None:
            continue
        top = len(pivots)
        if place != top:
            rows[top], rows[place], determinant = rows[place], rows[top], -determinant
        determinant *= rows[top][column]
        rows[top] = [entry / rows[top][column] for entry in rows[top]]
        for i in range(len(rows)):
            if i != top:
                rows[i] = [a - rows[i][column] * b for a, b in zip(rows[i], rows[top], strict=True)]
        pivots.append(column)
    return rows[: len(pivots)], pivots, determinant if len(pivots) == len(rows) else Fraction(0)


def public(rows):
    array = np.empty((len(rows), len(rows[0])), dtype=object)
    array[:] = rows
    return array


def flints(rows):
    return public([[flint.fmpq(*entry.as_integer_ratio()) for entry in row] for row in rows])


def fractions(array):
    return [[Fraction(int(entry.p), int(entry.q)) for entry in row] for row in array]


@given(matrices(3, 4))
def test_ranks_forms_and_kernels_are_those_of_python_fractions(rows):
    form, pivots, _ = eliminated(rows)
    matrix = public(rows)
    assert algatt.rank(matrix) == algatt.rank(rows) == len(pivots)
    found = algatt.linalg.echelon(matrix)
    assert (fractions(found.matrix), list(found.pivots)) == (form, pivots)
    kernel = algatt.kernel(matrix)
    assert kernel.shape == (4, 4 - len(pivots))
    assert not (flints(rows) @ kernel).any()
    assert algatt.rank(kernel) == kernel.shape[1]


@given(matrices(3, 3), st.lists(SMALL, min_size=3, max_size=3))
def test_determinants_inverses_and_solutions_are_exact(rows, right):
    determinant = eliminated(rows)[2]
    matrix, side = public(rows), public([[entry] for entry in right])
    assert algatt.linalg.determinant(matrix) == flint.fmpq(*determinant.as_integer_ratio())
    assert algatt.linalg.is_invertible(matrix) == bool(determinant)
    if determinant:
        assert (flints(rows) @ algatt.linalg.inverse(matrix) == np.eye(3, dtype=int)).all()
        assert (flints(rows) @ algatt.linalg.solve(matrix, side) == flints(side.tolist())).all()
    else:
        with pytest.raises(SingularMatrix):
            algatt.linalg.inverse(matrix)
        solvable = len(eliminated(rows)[1]) == len(eliminated(np.hstack([matrix, side]).tolist())[1])
        if solvable:
            assert (flints(rows) @ algatt.linalg.solve(matrix, side) == flints(side.tolist())).all()
        else:
            with pytest.raises(NoSolution):
                algatt.linalg.solve(matrix, side)


def test_what_floats_cannot_tell_is_told():
    tiny = Fraction(1, 10**60)
    assert algatt.rank([[1, 1], [1, 1 + tiny]]) == 2
    assert algatt.rank([[1, 1], [Fraction(1), 1]]) == 1
    assert algatt.linalg.determinant([[1, 1], [1, 1 + tiny]]) == flint.fmpq(1, 10**60)


def test_numbers_of_flint_are_rational_and_integers_are_not():
    assert algatt.rank(np.array([[flint.fmpq(1, 3), 1], [1, 3]], dtype=object)) == 1
    assert isinstance(algatt.rank([[1.0, 2.0]]), algatt.linalg.RankVerdict)


def test_engines_for_primes_and_other_entries_are_refused():
    matrix = [[Fraction(1, 2), 1]]
    for verb in (algatt.rank, algatt.kernel, algatt.linalg.echelon):
        with pytest.raises(InvalidArgument, match="engine was Blas"):
            verb(matrix, engine=Blas())
    for entry in (None, "half", float("nan"), float("inf"), 1j):
        with pytest.raises(InvalidArgument, match="with the entry"):
            algatt.rank([[Fraction(1, 2), entry]])
    with pytest.raises(InvalidArgument, match=r"over GF\(31\)"):
        Elements.of(Rationals(), algatt.PrimeField(31).galois([[1]]))
