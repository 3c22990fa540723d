"""Programs in which products of rank one and shares are collapsed have the values that they had."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from algatt.errors import AlgattError
from algatt.fields import Elements, PrimeField, concatenate
from algatt.programs import Program, Trace
from algatt.programs.interpret import interpret
from algatt.symmetry.hidden.collapsed import collapsed

SHAPES = {"A": (3, 3), "B": (3, 3), "g": (3, 1), "r": (1, 3), "s": (1, 1)}
FIELD = PrimeField()


def shares(E: Elements, number: Fraction | int = 1, before: bool = False) -> Elements:
    """Return columns divided by what they add up to, times a number in one of two places."""
    if before:
        return (E * number) / E.sum(axis=0)
    return E * (E.sum(axis=0) * number).reciprocal()


def random_result(rng: np.random.Generator, made: list[Elements]) -> Elements:
    """Return a result of results, the later ones more often."""

    def pick() -> Elements:
        return made[len(made) - 1 - min(int(rng.exponential(5)), len(made) - 1)]

    while True:
        A, B, kind = pick(), pick(), rng.integers(13)
        number = (2, -1, Fraction(1, 3))[rng.integers(3)]
        try:
            if kind < 3:
                return A @ B
            if kind == 3:
                return A + B
            if kind < 6:
                return A * B
            if kind == 6:
                return A.T
            if kind == 7:
                return -A if rng.integers(2) else number * A
            if kind == 8:
                return A.centre()
            if kind == 9:
                return A.reciprocal() if rng.integers(2) else A.column_products(B)
            if kind == 10:
                return concatenate((A, B), axis=int(rng.integers(2))) if max(A.shape) < 4 else A[:1]
            if A.shape[0] > 1:
                return shares(A, number, before=bool(rng.integers(2)))
        except (AlgattError, ValueError):
            continue


def random_program(rng: np.random.Generator) -> Program:
    """Return a program of operations at random, with columns, rows and constants of equal entries."""
    trace = Trace()
    made = [Elements(trace, trace.tensor(name, shape)) for name, shape in SHAPES.items()]
    X = Elements(trace, trace.input((3, 3)))
    made += [X, made[0] @ X, made[2] @ np.ones((1, 3), dtype=int), made[2] @ made[3], X.T @ (made[1] @ X)]
    made += [X * 0 + 1 if rng.integers(2) else np.ones((3, 1), dtype=int) @ made[3]]
    for _ in range(8):
        made.append(random_result(rng, made))
    return trace.program(made[-1].raw)


@pytest.mark.parametrize("seed", range(2))
def test_random_programs_have_their_values(seed):
    rng = np.random.default_rng(seed)
    compared = changed = 0
    for _ in range(100):
        program = random_program(rng)
        left = collapsed(program)
        tensors = {name: Elements.of(FIELD, rng.integers(1, 10**6, shape)) for name, shape in SHAPES.items()}
        X = Elements.of(FIELD, rng.integers(1, 10**6, (3, 3)))
        try:
            given, found = (np.asarray(interpret(one, FIELD, tensors, X).public()) for one in (program, left))
        except AlgattError:  # one of them has no value
            continue
        assert np.array_equal(given, found), f"{program}\n\n{left}"
        compared += 1
        changed += left != program
    assert compared > 50
    assert changed > 10


def test_rows_of_centred_equal_columns_differ():
    trace = Trace()
    g, X = Elements(trace, trace.tensor("g", (3, 1))), Elements(trace, trace.input((3, 3)))
    for one in (g.centre(), (g @ np.ones((1, 3), dtype=int)).centre(), g.largest(1)):
        E = (X.T @ X) * one
        program = trace.program(shares(E).raw)
        assert collapsed(program) == program
