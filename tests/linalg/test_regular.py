"""What is proved to be regular, against determinants over the rationals: nothing that holds a singular matrix is."""

from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields import Balls, Elements, FloatBalls
from algatt.fields.float_ball import balls_around
from algatt.linalg.regular import schur_complement

FIELDS = (FloatBalls(), Balls(53), Balls())


def exact_determinant(matrix):
    rows = [[flint.fmpq(*Fraction(float(entry)).as_integer_ratio()) for entry in row] for row in matrix]
    return flint.fmpq_mat(rows).det()


def is_regular(field, mid, rad):
    if isinstance(field, FloatBalls):
        return verbs.is_regular(field, balls_around(mid, rad))
    balls = [[flint.arb(m, r) for m, r in zip(*pair, strict=True)] for pair in zip(mid, rad, strict=True)]
    return verbs.is_regular(field, np.array(balls, dtype=object).reshape(mid.shape))


@pytest.mark.parametrize("field", FIELDS, ids=str)
@given(size=st.integers(1, 8), seed=st.integers(0, 10**6), small=st.integers(0, 40), level=st.integers(0, 60))
def test_balls_with_a_singular_matrix_are_not_regular(field, size, seed, small, level):
    """The singular matrix is anywhere inside: often at the border, and rows and columns are of all sizes."""
    rng = np.random.default_rng(seed)
    matrix = rng.standard_normal((size, size))
    matrix[-1] = rng.standard_normal(size - 1) @ matrix[:-1] if size > 1 else 0.0
    matrix = np.ldexp(matrix, rng.integers(-small, small + 1, (size, 1)) + rng.integers(-small, small + 1, size))
    rad = np.ldexp(np.abs(rng.standard_normal((size, size))), -level) * np.abs(matrix) + np.abs(matrix) * 2.0**-49
    mid = matrix + rng.choice([-1.0, 1.0, 0.5], (size, size)) * rad * (1 - 2.0**-40)
    assert not is_regular(field, mid, rad * (1 + 2.0**-40) + np.abs(mid) * 2.0**-49)


@pytest.mark.parametrize("field", FIELDS, ids=str)
@given(size=st.integers(0, 12), seed=st.integers(0, 10**6), small=st.integers(0, 40))
def test_points_and_narrow_balls_that_are_regular_are_seen(field, size, seed, small):
    rng = np.random.default_rng(seed)
    matrix = rng.standard_normal((size, size)) + 4 * np.eye(size)
    matrix = np.ldexp(matrix, rng.integers(-small, small + 1, (size, 1)) + rng.integers(-small, small + 1, size))
    assert exact_determinant(matrix) != 0 if size else True
    assert is_regular(field, matrix, np.abs(matrix) * 2.0**-45)


@pytest.mark.parametrize("exponent", [10, 30, 60])
def test_determinants_decide_what_floats_do_not(exponent):
    """A matrix of two rows that differ by 2^-k is regular; floats invert it for small k alone."""
    near = np.array([[1.0, 1.0], [1.0, 1.0]], dtype=object)
    balls = np.array([[flint.arb(entry) for entry in row] for row in near], dtype=object)
    with flint.ctx.workprec(200):
        balls[1, 1] = flint.arb(1) + flint.arb((1, -exponent))
    assert verbs.is_regular(Balls(200), balls)
    rounded = Elements.of(FloatBalls(), balls).raw
    assert verbs.is_regular(FloatBalls(), rounded) == (exponent < 60)


def test_what_is_not_finite_is_not_regular():
    for bad in (np.inf, np.nan):
        assert not is_regular(FloatBalls(), np.array([[bad]]), np.zeros((1, 1)))
        assert not is_regular(FloatBalls(), np.eye(2), np.full((2, 2), bad))
        assert not is_regular(Balls(), np.array([[bad]]), np.zeros((1, 1)))


def test_singular_matrices_are_not_regular():
    for field in FIELDS:
        assert not is_regular(field, np.zeros((1, 1)), np.zeros((1, 1)))
        assert not is_regular(field, np.ones((3, 3)), np.zeros((3, 3)))


@pytest.mark.parametrize("wrong", [lambda inverse: 0 * inverse, lambda inverse: -inverse, lambda inverse: inverse / 4])
def test_an_inverse_that_is_wrong_proves_nothing(wrong, monkeypatch):
    inverse = np.linalg.inv
    monkeypatch.setattr(np.linalg, "inv", lambda matrix: wrong(inverse(matrix)))
    assert not is_regular(FloatBalls(), np.zeros((3, 3)), np.zeros((3, 3)) + 2.0**-60)
    assert not is_regular(FloatBalls(), np.ones((2, 2)) + np.eye(2), np.full((2, 2), 0.75))
    assert is_regular(FloatBalls(), np.eye(3), np.zeros((3, 3))) == (wrong(1) == 0.25)


@given(size=st.integers(2, 9), seed=st.integers(0, 10**6))
def test_singular_matrices_of_integers_are_not_regular(size, seed):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-9, 10, (size, size - 1)) @ rng.integers(-9, 10, (size - 1, size))
    assert exact_determinant(matrix) == 0
    assert not is_regular(FloatBalls(), matrix.astype(np.float64), np.zeros((size, size)))


@given(size=st.integers(1, 6), seed=st.integers(0, 10**6), level=st.integers(12, 60))
def test_a_schur_complement_holds_those_of_all_matrices_in_the_balls(size, seed, level):
    """Against the rationals, at a matrix at the border of the balls."""
    rng = np.random.default_rng(seed)
    shapes = (size, size), (size, 3), (2, size), (2, 3)
    mids = [np.ldexp(rng.integers(-(2**20), 2**20, shape), -18) for shape in shapes]
    rads = [np.full(shape, 2.0**-level) for shape in shapes]
    inside = [mid + rng.choice([-1.0, 1.0], mid.shape) * rad for mid, rad in zip(mids, rads, strict=True)]
    A, B, C, D = (rational(matrix) for matrix in inside)
    assume(A.det() != 0)
    try:
        found = schur_complement(*(balls_around(*pair) for pair in zip(mids, rads, strict=True)))
    except DivisionByZero:
        assert np.linalg.cond(mids[0]) > 2.0 ** (min(level, 40) - 12)
        return
    exact = D - C * A.inv() * B
    for i, j in np.ndindex(2, 3):
        mid, rad = (Fraction(float(found[name][i, j])) for name in ("mid", "rad"))
        value = exact[i, j]
        assert abs(Fraction(int(value.p), int(value.q)) - mid) <= rad


def rational(matrix):
    return flint.fmpq_mat([[flint.fmpq(*Fraction(float(x)).as_integer_ratio()) for x in row] for row in matrix])


def test_a_schur_complement_of_a_singular_matrix_is_refused():
    one, zero = np.ones((2, 2)), np.zeros((2, 2))
    for singular in (one, zero, one + 2.0**-52 * np.eye(2)):
        with pytest.raises(DivisionByZero):
            schur_complement(*(balls_around(matrix, 2.0**-50) for matrix in (singular, one, one, one)))


def test_a_schur_complement_of_nothing_is_what_is_there():
    D = balls_around(np.ones((2, 3)), 0.0)
    nothing = balls_around(np.zeros((0, 0)), 0.0)
    assert schur_complement(nothing, nothing, nothing, D) is D
