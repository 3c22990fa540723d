"""Balls in float64 hold what Arb computes with many bits, and a zero of the code stays one."""

import contextlib
from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt import verbs
from algatt.errors import DivisionByZero, DomainError
from algatt.fields import Adjoint, AdjointArray, Balls, Elements, Erf, Exp, FloatBalls, Log, Positive, Sigmoid
from algatt.fields.adjoint import pull_back
from algatt.fields.float_ball import balls_around

F, EXACT = FloatBalls(), Balls(300)


def holds(balls, exact):
    assert balls.shape == exact.shape
    for (mid, rad), entry in zip(balls.raw.ravel().tolist(), exact.raw.ravel(), strict=True):
        assert flint.arb(mid, rad).contains(entry.mid()), (mid, rad, entry)


def both(array):
    return Elements.of(F, array), Elements.of(EXACT, array)


STEPS = {
    "add": lambda X, Y: X + Y,
    "subtract": lambda X, Y: X - Y,
    "multiply": lambda X, Y: X * Y,
    "product": lambda X, Y: X @ Y.T @ Y,
    "divide": lambda X, Y: X / (Y * Y + 1),
    "exponentials": lambda X, Y: (X * Fraction(1, 7)).exp() * Y,
    "root": lambda X, Y: (X * X + Fraction(1, 3)).sqrt() - Y,
    "softmax": lambda X, Y: X.exp() / X.exp().sum(axis=0) + Y,
    "sigmoid": lambda X, Y: X.entrywise(Sigmoid()) * Y,
    "error function": lambda X, Y: X.entrywise(Erf()) + Y,
    "logarithm": lambda X, Y: (Y * Y + 1).entrywise(Log()) - X,
    "centre": lambda X, Y: X.centre() * Y,
    "rotate": lambda X, Y: X.rotate((0.3, 1.7), (0, 1, 5)) + Y,
    "take": lambda X, Y: X[[1, 0, 3, 2]] + Y[:, [2, 1, 0]],
    "powers": lambda X, Y: X**3 - Y * Fraction(-2, 3),
    "column products": lambda X, Y: X * X.column_products(Y),
}


@given(
    steps=st.lists(st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 3), st.integers(0, 3)), max_size=5),
    seed=st.integers(0, 10**6),
    size=st.integers(-300, 300),
)
def test_what_is_computed_is_inside(steps, seed, size):
    rng = np.random.default_rng(seed)
    drawn = [rng.standard_normal((4, 3)), np.ldexp(rng.standard_normal((4, 3)), size), rng.integers(-2, 3, (4, 3))]
    found = [both(array) for array in drawn]
    for name, one, other in steps:
        pair = found[one % len(found)], found[other % len(found)]
        step = STEPS[name]
        if any(np.abs(part[0].raw["mid"]).max() > 50 or not np.isfinite(part[0].raw["rad"]).all() for part in pair):
            continue
        found.append(tuple(step(X, Y) for X, Y in zip(*pair, strict=True)))
        holds(*found[-1])


@pytest.mark.parametrize("name", sorted(STEPS))
def test_derivatives_are_inside(name):
    rng = np.random.default_rng(3)
    X, Y, G = (rng.standard_normal((4, 3)) for _ in range(3))
    parts = []
    for field in (F, EXACT):
        leaves = [AdjointArray(verbs.encode(field, array)[None]) for array in (X, Y)]
        value = STEPS[name](*(Elements(Adjoint(field), leaf) for leaf in leaves)).raw
        parts.append(pull_back(field, value, verbs.encode(field, G)[None], leaves))
    for balls, exact in zip(*parts, strict=True):
        holds(Elements(F, balls), Elements(EXACT, exact))


@pytest.mark.parametrize("size", [1e-320, 1e-300, 1e-160, 1e160, 1e300, 1.7e308])
def test_numbers_at_both_ends_of_floats_are_inside(size):
    X, Y = both(np.array([[size, -size], [size / 3, 1.0]]))
    for step in ("add", "multiply", "product"):
        holds(STEPS[step](X, X), STEPS[step](Y, Y))


@pytest.mark.parametrize(
    "number", [Fraction(1, 3), Fraction(-1, 10**30), 2**80 + 1, 3, Fraction(1, 2), 10**400 * Fraction(1, 10**399)]
)
def test_numbers_of_the_code_are_inside(number):
    zero, exact = both(np.zeros((2, 2)))
    holds(zero + number, exact + number)
    wide = np.array([[number]], dtype=object)
    holds(*both(wide))


def test_zeros_of_the_code_are_exact():
    X, _ = both(np.array([[1e-200, 3.0], [0.1, -7.0]]))
    for zero in (X * 0, X - X, X * 0 @ X, X @ (X * 0), (X * 0).entrywise(Positive())):
        assert not zero.raw["mid"].any()
        assert not zero.raw["rad"].any()
    assert (X * X @ X).raw["rad"].all()  # of which one product is below the least float


def test_what_is_not_told_from_zero_is_refused():
    wide = Elements(F, balls_around(np.array([[1.0, -2.0]]), np.array([[1.0, 0.5]])))
    with pytest.raises(DivisionByZero):
        wide.reciprocal()
    with pytest.raises(DomainError, match="a gate is at zero"):
        wide.entrywise(Positive())
    with pytest.raises(DomainError, match="not told to be positive"):
        wide.sqrt()
    with pytest.raises(DomainError, match="are not told from the others"):
        Elements(F, balls_around(np.array([[1.0], [1.2]]), 0.1)).largest(1)
    chosen = Elements(F, balls_around(np.array([[1.0], [1.3]]), 0.1)).largest(1)
    assert chosen.raw["mid"].ravel().tolist() == [0, 1]
    with pytest.raises(algatt.errors.ScoreOverflow):
        verbs.column_maximum(F, balls_around(np.array([[np.inf]]), 0.0))


def test_random_numbers_are_those_of_balls():
    drawn = verbs.draw_array(F, shape=(3, 4), seed=5, label="weights")
    exact = verbs.draw_array(EXACT, shape=(3, 4), seed=5, label="weights")
    assert drawn["mid"].tolist() == [[float(entry) for entry in row] for row in exact]
    assert not drawn["rad"].any()


@given(seed=st.integers(0, 10**6), level=st.integers(1, 60))
def test_wide_balls_hold_what_the_numbers_inside_make(seed, level):
    """The numbers are at the borders, where the bounds are sharp."""
    rng = np.random.default_rng(seed)
    mids = [rng.integers(1, 9, (3, 3)) * rng.choice([-1.0, 1.0], (3, 3)) for _ in range(2)]
    rads = [np.abs(mid) * 2.0**-level for mid in mids]
    X, Y = (Elements(F, balls_around(mid, rad)) for mid, rad in zip(mids, rads, strict=True))
    for _ in range(4):
        x, y = (
            Elements.of(EXACT, mid) + Elements.of(EXACT, rng.choice([-1.0, 1.0], mid.shape) * rad)
            for mid, rad in zip(mids, rads, strict=True)
        )
        holds(X + Y, x + y)
        holds(X * Y, x * y)
        holds(X @ Y, x @ y)
        holds(X.reciprocal(), x.reciprocal())
        holds(X * Y.reciprocal() @ X, x * y.reciprocal() @ x)


@pytest.mark.parametrize("number", [3.0, -7.0, 1e300, 49.0, 1 + 2.0**-52])
def test_quotients_of_exact_numbers_are_rounded(number):
    X, Y = both(np.array([[number]]))
    holds(X.reciprocal(), Y.reciprocal())


@pytest.mark.parametrize("number", [Fraction(1, 3), Fraction(-2, 7), 2**60 + 1, Fraction(1, 10)])
def test_numbers_that_floats_round_have_a_radius(number):
    (mid, rad), exact = verbs.embed(F, number).tolist(), flint.arb(flint.fmpq(*Fraction(number).as_integer_ratio()))
    assert flint.arb(mid, rad).contains(Elements.of(EXACT, number).raw[()].mid())
    assert rad > 0
    assert exact.overlaps(flint.arb(mid, rad))


def test_what_long_sums_round_is_inside():
    """Beside a one each of 4,000 numbers is lost, in as many partial sums as there may be."""
    X, Y = both(np.concatenate([np.ones((1, 64)), np.full((1, 4000), 0.9 * 2.0**-53)], axis=1))
    ones = np.ones((4064, 2), dtype=np.int64)
    holds(X @ ones, Y @ ones)


def test_sums_with_zeros_are_not_rounded() -> None:
    field = FloatBalls()
    table = balls_around(np.random.default_rng(0).standard_normal((5, 40)), 0.0)
    units = balls_around(np.eye(40)[:, [3, 7]], 0.0)
    one, two = (
        verbs.product(field, table, units),
        verbs.product(field, table, balls_around(units["mid"] + np.eye(40, 2), 0.0)),
    )
    assert (one["mid"] == table["mid"][:, [3, 7]]).all()
    assert (one["rad"] <= 6 * 2.0**-53 * np.abs(one["mid"])).all()
    for row in range(5):
        for column, number in enumerate((3, 7)):
            first, second = (Fraction(float(table["mid"][row, entry])) for entry in (column, number))
            assert abs(first + second - Fraction(float(two["mid"][row, column]))) <= Fraction(
                float(two["rad"][row, column])
            )


@given(seed=st.integers(0, 10**6), size=st.integers(-60, 9), level=st.integers(0, 1100))
def test_functions_of_balls_of_all_sizes_are_inside(seed, size, level):
    """The numbers are at the borders, also where exponentials are beyond floats."""
    rng = np.random.default_rng(seed)
    mid = np.ldexp(rng.uniform(-2, 2, (4, 6)), size)
    rad = np.ldexp(np.abs(mid), -level)
    X = Elements(F, balls_around(mid, rad))
    with np.errstate(all="ignore"):
        found = [X.exp()]
        with contextlib.suppress(DivisionByZero, DomainError):  # of balls that are wide, or far below zero
            found.append((X * X + 1).sqrt())
            found.append(X.entrywise(Sigmoid()))
    middle, radius = (Elements.of(EXACT, array) for array in (mid, rad))
    for x in (middle - radius, middle, middle + radius):  # in floats a border may be rounded to the outside
        for balls, exact in zip(found, (x.exp(), (x * x + 1).sqrt(), x.entrywise(Sigmoid())), strict=False):
            holds(balls, exact)


def test_exponentials_err_in_the_last_digits_alone():
    mid = np.linspace(-700, 700, 20001)
    balls, exact = verbs.entrywise(F, Exp(), balls_around(mid, 0.0)), Elements.of(EXACT, mid).exp()
    holds(Elements(F, balls), exact)
    assert (balls["rad"] <= 9 * 2.0**-53 * balls["mid"] + 2.0**-1019).all()
    errors = [
        abs(float((flint.arb(value) - entry) / entry)) for value, entry in zip(balls["mid"], exact.raw, strict=True)
    ]
    assert max(errors) < 2 * 2.0**-53  # far less than the radius


def test_exponentials_beyond_floats_decide_nothing():
    balls = verbs.entrywise(
        F, Exp(), balls_around(np.array([701.0, 1e300, np.inf, np.nan, 0.0, -1e300]), [0, 0, 0, 0, 2, 0])
    )
    assert not np.isfinite(balls["rad"][:5]).any()
    assert balls[5]["mid"] == 0
    assert 0 < balls[5]["rad"] < 1e-300
