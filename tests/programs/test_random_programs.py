"""Random programs have in normal form the values that they have as they are written, wherever they have values."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from algatt.errors import AlgattError
from algatt.fields import Elements, Erf, Log, Positive, PrimeField, Rationals, Reals, Sigmoid, concatenate
from algatt.programs import Program, Trace
from algatt.programs.interpret import interpret
from algatt.programs.normal_form import normal_form

SHAPES = {"A": (3, 3), "B": (3, 3), "C": (6, 3), "g": (3, 1), "r": (1, 2), "s": (1, 1)}
TOKENS = 2
NUMBERS = (0, 1, -1, 2, -2, Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), 4)


def random_program(rng: np.random.Generator, smooth: bool, length: int = 14) -> Program:
    """Return a program of operations at random; with `smooth` with functions that only reals have."""
    trace = Trace()
    made = [Elements(trace, trace.tensor(name, shape)) for name, shape in SHAPES.items()]
    X = Elements(trace, trace.input((3, TOKENS)))
    made += [X, X.T, made[0] @ X, made[1] @ X]
    for _ in range(length):
        made.append(random_result(rng, made, smooth))
    return trace.program(made[-1].raw)


def random_result(rng: np.random.Generator, made: list[Elements], smooth: bool) -> Elements:
    """Return a result of results, the later ones more often."""

    def pick() -> Elements:
        return made[len(made) - 1 - min(int(rng.exponential(5)), len(made) - 1)]

    while True:
        A, B, kind = pick(), pick(), rng.integers(24 if smooth else 16)
        height, width = A.shape
        try:
            if kind < 3:
                return A @ B
            if kind < 5:
                return A + B
            if kind < 7:
                return A * B
            if kind == 7:
                return A.T
            if kind == 8:
                return A * NUMBERS[rng.integers(len(NUMBERS))]
            if kind == 9:
                return A - A.sum(axis=0) * Fraction(1, height) if rng.integers(2) else A.centre()
            if kind == 10 and height > 1:
                return A[sorted(rng.permutation(height)[: rng.integers(1, height + 1)].tolist())]
            if kind == 11:
                rows, columns = (rng.permutation(size).tolist() for size in (height, width))
                return A[rows, columns]
            if kind == 12 and height < 5:
                return concatenate((A, B), axis=int(rng.integers(2)))
            if kind == 13:
                return A.column_products(B) if rng.integers(2) else (A * B).sum(axis=0)
            if kind == 14:
                return A.sum(axis=int(rng.integers(2)))
            if kind == 15 and rng.integers(3) == 0:
                return A.reciprocal()
            if kind == 16:
                return A.entrywise((Sigmoid(), Erf(), Positive())[rng.integers(3)])
            if kind == 17:
                e = (A * Fraction(1, 4)).exp()
                return e / e.sum(axis=0)
            if kind == 18:
                e = (A - B).exp()
                return e * e.sum(axis=0).reciprocal()
            if kind == 19:
                return ((A * A).sum(axis=0) + 1).sqrt().reciprocal() * A
            if kind == 20:
                return A * A.entrywise(Positive())
            if kind == 21:
                return 1 / (1 + (-A).exp()) if rng.integers(2) else A.exp() / (A.exp() + 1)
            if kind == 22:
                return (A.exp() - (-A).exp()) / (A.exp() + (-A).exp())
            if kind == 23:
                return (1 + A.exp()).entrywise(Log())
        except (AlgattError, ValueError):
            continue


def point(field, rng: np.random.Generator) -> tuple[dict[str, Elements], Elements]:
    """Return random tensors and an input."""

    def array(shape: tuple[int, int]) -> Elements:
        if field == Reals():
            return Elements.of(field, rng.standard_normal(shape))
        return Elements.of(field, rng.integers(-9, 10, shape) if field == Rationals() else rng.integers(1, 1000, shape))

    return {name: array(shape) for name, shape in SHAPES.items()}, array((3, TOKENS))


def compare(program: Program, field, rng: np.random.Generator) -> bool:
    """Check that the normal form has the values of a program; return whether it has values."""
    tensors, X = point(field, rng)
    try:
        with np.errstate(all="ignore"):
            given = np.asarray(interpret(program, field, tensors, X).public())
    except AlgattError:
        return False
    if field == Reals() and not (np.all(np.isfinite(given)) and np.all(abs(given) < 1e6)):
        return False
    form = normal_form(program)
    for part in form.parts:
        assert part.shape == part.of(tensors[part.tensor]).shape
    parts = {part.name: part.of(tensors[part.tensor]) for part in form.parts}
    found = np.asarray(interpret(form.program, field, tensors | parts, X).public())
    if field == Reals():
        np.testing.assert_allclose(found, given, rtol=1e-6, atol=1e-6, err_msg=str(program))
    else:
        assert np.array_equal(found, given), str(program)
    assert normal_form(form.program).program == form.program
    return True


@pytest.mark.parametrize("field", [PrimeField(), Rationals()], ids=str)
def test_rational_programs_have_their_values(field):
    rng = np.random.default_rng(0)
    assert sum(compare(random_program(rng, smooth=False), field, rng) for _ in range(150)) > 100


def test_programs_with_functions_have_their_values():
    rng = np.random.default_rng(1)
    assert sum(compare(random_program(rng, smooth=True), Reals(), rng) for _ in range(150)) > 80
