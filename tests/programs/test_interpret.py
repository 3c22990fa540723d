"""Programs interpreted over fields, against the networks that they were recorded of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from algatt import Balls, PrimeField, Reals, Weights, verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs
from algatt.errors import MethodError
from algatt.fields import Elements, Function
from algatt.maps import program as program_of
from algatt.programs import Instruction, Program
from algatt.programs.interpret import Results, interpret
from algatt.testing import examples
from written_networks import written

SQUARE = {"W": (2, 2)}


@dataclass(frozen=True)
class Shifted(Function):
    """A user's function with a parameter, x -> x + by."""

    by: int


@dataclass(frozen=True)
class Exp(Function):
    """A user's function with the name of one of this package, x -> x + 1."""


@verbs.entrywise.method
def shifted(field: PrimeField, function: Shifted, raw: np.ndarray) -> np.ndarray:
    return (Elements(field, raw) + function.by).raw


@verbs.entrywise.method
def not_the_exponential(field: PrimeField, function: Exp, raw: np.ndarray) -> np.ndarray:
    return (Elements(field, raw) + 1).raw


def point(arch, field):
    theta = verbs.sample(arch, Weights, field=field, seed=1)
    return theta, Elements(field, draw_inputs(arch, field, 1, 0, 2))


@pytest.mark.parametrize("arch", examples(Architecture), ids=repr)
@pytest.mark.parametrize("field", [PrimeField(), Reals(), Balls()], ids=str)
def test_values_are_those_of_the_network(arch, field):
    if isinstance(field, PrimeField) and not arch.algebraic:
        pytest.skip("no values over prime fields")
    theta, X = point(arch, field)
    found = interpret(program_of(arch), field, theta.tensors, X)
    expected = verbs.evaluate(arch, theta, X)
    if isinstance(field, PrimeField):
        assert np.array_equal(found.raw, expected.raw)
    elif isinstance(field, Reals):
        assert np.allclose(found.raw, expected.raw, rtol=1e-9)
    else:
        assert all(one.overlaps(two) for one, two in zip(found.raw.flat, expected.raw.flat, strict=True))


def test_an_unknown_operation_is_refused():
    program = Program((Instruction("input", (), None, (2, 2)), Instruction("fourier", (0,), None, (2, 2))))
    with pytest.raises(MethodError, match="operation fourier, which is none of this package's"):
        interpret(program, PrimeField(), {}, Elements.of(PrimeField(), np.eye(2, dtype=np.int64)))


def test_functions_with_parameters_are_different_functions():
    """x + 1 by one function, times x + 2 by the same function with another parameter."""
    net = written(SQUARE, lambda w, X: w.W @ X * 0 + X.entrywise(Shifted(1)) * X.entrywise(Shifted(2)), width=2)
    theta, X = point(net, PrimeField())
    found = interpret(program_of(net), PrimeField(), theta.tensors, X)
    assert np.array_equal(found.raw, ((X + 1) * (X + 2)).raw)


def test_functions_of_others_have_names_of_their_own():
    net = written(SQUARE, lambda w, X: (w.W @ X).entrywise(Exp()), width=2)
    last = program_of(net).instructions[-1]
    assert last.operation.endswith("test_interpret.Exp")
    theta, X = point(net, PrimeField())
    found = interpret(program_of(net), PrimeField(), theta.tensors, X)
    assert np.array_equal(found.raw, (theta.tensors["W"] @ X + 1).raw)


def test_what_does_not_depend_on_the_input_needs_none():
    """And what is not asked for is not computed: there are no square roots over GF(p)."""
    net = written(SQUARE, lambda w, X: (w.W * w.W) @ X + w.W.sqrt(), width=2)
    program = program_of(net)
    W = Elements.of(PrimeField(), np.array([[1, 2], [3, 4]]))
    found = Results(program, PrimeField(), {"W": W})
    numbers = {one.operation: number for number, one in enumerate(program.instructions)}
    square = next(n for n, one in enumerate(program.instructions) if one.operation == "multiply")
    assert found[square].raw.tolist() == [[1, 4], [9, 16]]
    with pytest.raises(KeyError):
        found[numbers["product"]]


def test_constants_are_exact():
    """Fractions, and integers beyond 64 bits."""
    from fractions import Fraction

    net = written(SQUARE, lambda w, X: w.W @ X * Fraction(1, 3) + 10**30, width=2)
    theta, X = point(net, PrimeField())
    found = interpret(program_of(net), PrimeField(), theta.tensors, X)
    p = PrimeField().p
    product = (theta.tensors["W"] @ X).raw.astype(np.int64).astype(object)
    assert np.array_equal(found.raw.astype(np.int64).astype(object), (product * pow(3, -1, p) + 10**30) % p)


def test_programs_that_take_other_rows_have_other_texts():
    """What certificates have, and their hash."""
    arguments = [(slice(0, 2), slice(None)), (slice(1, 3), slice(None)), (slice(0, 2), slice(1, None)), ((0, 1), (2,))]
    programs = [
        Program((Instruction("input", (), None, (3, 3)), Instruction("take", (0,), argument, (2, 3))))
        for argument in arguments
    ]
    texts = [program.lines[1].partition("  : ")[0] for program in programs]
    assert texts == ["take %0 [0:2 :]", "take %0 [1:3 :]", "take %0 [0:2 1:]", "take %0 [[0 1] [2]]"]
    assert len({program.sha256 for program in programs}) == len(programs)
