"""Programs evaluated over a field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import MethodError
from algatt.fields import Elements, Field, Function, Instruction, Program

__all__ = ["interpret", "results"]


def results(
    program: Program, field: Field, tensors: Mapping[str, Elements], inputs: Elements | None
) -> dict[int, Elements]:
    """Return the results of the instructions of a program, by number.

    Parameters
    ----------
    program : Program
        The program.
    field : Field
        Where it is evaluated.
    tensors : mapping of str to Elements
        The tensors that it reads, by name.
    inputs : Elements or None
        The input. Without one, only what does not depend on the input has a result.
    """
    found: dict[int, Elements] = {}
    for number, one in enumerate(program.instructions):
        if one.operation == "tensor":
            found[number] = tensors[one.argument]
        elif one.operation == "input":
            if inputs is not None:
                found[number] = inputs
        elif all(operand in found for operand in one.operands):
            found[number] = result(one, field, [found[operand] for operand in one.operands])
    return found


def interpret(program: Program, field: Field, tensors: Mapping[str, Elements], inputs: Elements) -> Elements:
    """Return the value of a program: the result of its last instruction."""
    return results(program, field, tensors, inputs)[len(program) - 1]


def result(one: Instruction, field: Field, operands: list[Elements]) -> Elements:
    """Return the result of an instruction, given those that it takes."""
    if one.operation == "constant":
        entries = np.empty(len(one.argument), dtype=object)
        entries[:] = one.argument
        return Elements(field, verbs.embed(field, whole(entries).reshape(one.shape)))
    if one.operation in OPERATIONS:
        return OPERATIONS[one.operation](one.argument, *operands)
    functions = {kind.__name__.lower(): kind for kind in Function.__subclasses__()}
    if one.operation not in functions:
        raise MethodError(f"the program has the operation {one.operation}, which is none of this package's")
    (operand,) = operands
    return operand.entrywise(functions[one.operation]())


def whole(entries: np.ndarray) -> np.ndarray:
    """Return fractions as int64, which every field embeds, if they are integers that fit."""
    if all(entry.denominator == 1 and abs(entry) < 2**62 for entry in entries):
        return np.array([int(entry) for entry in entries], dtype=np.int64)
    return entries


def take(argument: Any, X: Elements) -> Elements:
    """Return a submatrix."""
    rows, columns = argument
    return X[rows, columns]


def join(axis: Any, *parts: Elements) -> Elements:
    """Put matrices below each other or side by side."""
    raw = verbs.concatenate(parts[0].field, tuple(part.raw for part in parts), axis=axis - 2)
    return Elements(parts[0].field, raw)


OPERATIONS: dict[str, Callable[..., Elements]] = {
    "add": lambda _, left, right: left + right,
    "negate": lambda _, X: -X,
    "multiply": lambda _, left, right: left * right,
    "transpose": lambda _, X: X.T,
    "product": lambda _, left, right: left @ right,
    "column_products": lambda _, left, right: left.column_products(right),
    "centre": lambda _, X: X.centre(),
    "rotate": lambda argument, X: X.rotate(*argument),
    "take": take,
    "concatenate": join,
    "reciprocal": lambda _, X: X.reciprocal(),
    "largest": lambda count, X: X.largest(count),
}
"""What the operations of programs do with their arguments and operands."""
