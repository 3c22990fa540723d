"""Places modulo p computed once more from what was drawn in the end, with integers of Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from algatt.fields import Erf, Exp, Log, Sigmoid, Sqrt
from algatt.maps.elementary.drawing import DrawnValues

__all__ = ["contradictions"]


def contradictions(drawing: DrawnValues, row: int) -> list[str]:
    """Return the instructions whose results at a place are not what follows from the residues that it has."""
    found = []
    p, reading = drawing.field.p, drawing.reading
    values: list[np.ndarray] = []
    for number, one in enumerate(reading.program.instructions):
        known = result_of(drawing, number, row)
        operands = [values[operand] for operand in one.operands]
        function = reading.functions.get(number)
        if one.operation == "input":
            expected = integers(drawing.drawn[f"input/{number}"][row])
        elif number in reading.gates:
            expected = integers(drawing.gates[number][row])
        elif isinstance(function, Erf | Log):
            expected = integers(drawing.drawn[f"function/{number}"][row])
        elif isinstance(function, Exp | Sigmoid):
            exponent = reading.exponents[number]
            z = exponential_of_base(drawing, exponent.base, row)
            expected = each(lambda x, n=exponent.power: pow(x, n, p), z)
            if isinstance(function, Sigmoid):
                expected = each(lambda x: x * pow(x + 1, -1, p), expected)
        elif isinstance(function, Sqrt):
            if ((known * known - operands[0]) % p).any() or not known.all():
                found.append(f"{number} sqrt")
            expected = known
        else:
            expected = ring_operation(one, operands, drawing, p)
        expected = np.broadcast_to(np.asarray(expected, dtype=object) % p, one.shape)
        if not np.array_equal(expected, known):
            found.append(f"{number} {one.operation}")
        values.append(expected)
    return found


def exponential_of_base(drawing: DrawnValues, base: int, row: int) -> np.ndarray:
    """Return what the exponentials of a base are powers of: residues, or products of powers of residues."""
    ties = drawing.reading.ties
    if ties is None:
        return integers(drawing.drawn[f"exp/{base}"][row])
    y = integers(drawing.drawn[f"exp/{ties.key}"][row]).ravel().tolist()
    p = drawing.field.p
    products = [
        math.prod(pow(one, int(power), p) for one, power in zip(y, powers, strict=True)) for powers in ties.powers[base]
    ]
    return np.array(products, dtype=object).reshape(drawing.reading.program.instructions[base].shape) % p


def result_of(drawing: DrawnValues, number: int, row: int) -> np.ndarray:
    """Return the result of an instruction as the drawing has it."""
    raw = drawing.results[number]
    shape = drawing.reading.program.instructions[number].shape
    return integers(raw[row] if number in drawing.varying else raw).reshape(shape)


def integers(raw: np.ndarray) -> np.ndarray:
    """Return residues as integers of Python."""
    return each(int, np.asarray(raw))


def each(function: Any, array: np.ndarray) -> np.ndarray:
    """Return the values of a function of integers."""
    values = np.empty(array.size, dtype=object)
    values[:] = [function(x) for x in array.ravel().tolist()]
    return values.reshape(array.shape)


def ring_operation(one: Any, operands: list[np.ndarray], drawing: DrawnValues, p: int) -> Any:
    """Return the result of an operation of a ring; rotations are not among them."""
    match one.operation:
        case "constant":
            entries = each(lambda x: x, np.array(one.argument, dtype=object).reshape(one.shape))
            return each(lambda x: x.numerator * pow(x.denominator, -1, p), entries)
        case "tensor":
            return integers(drawing.tensors[one.argument])
        case "add":
            return operands[0] + operands[1]
        case "negate":
            return -operands[0]
        case "multiply":
            return operands[0] * operands[1]
        case "transpose":
            return operands[0].T
        case "product":
            return operands[0].dot(operands[1])
        case "column_products":
            return (operands[0] * operands[1]).sum(axis=0, keepdims=True)
        case "centre":
            return operands[0] - operands[0].sum(axis=0, keepdims=True) * pow(len(operands[0]), -1, p)
        case "take":
            return operands[0][np.ix_(*one.argument)]
        case "concatenate":
            return np.concatenate(operands, axis=one.argument)
        case "reciprocal":
            return each(lambda x: pow(x, -1, p), operands[0] % p)
    raise AssertionError(f"no rule for {one.operation}, of {math.prod(one.shape)} entries")
