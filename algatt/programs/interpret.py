"""Programs evaluated over a field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import MethodError
from algatt.fields import Elements, Erf, Exp, Field, Function, Log, Positive, Sigmoid, Sqrt
from algatt.programs.trace import Instruction, Program, name_of_function


@dataclass(frozen=True, eq=False)
class Results:
    """The results of the instructions of a program, by number; each is computed when it is asked for.

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
    functions : mapping of int to Function, optional
        Functions that are taken in the place of those that instructions have, by the numbers of these.
    """

    program: Program
    field: Field
    tensors: Mapping[str, Elements]
    inputs: Elements | None = None
    functions: Mapping[int, Function] = dataclass_field(default_factory=dict)
    found: dict[int, Elements] = dataclass_field(default_factory=dict, init=False, repr=False)

    def __getitem__(self, number: int) -> Elements:
        """Return a result.

        Raises
        ------
        KeyError
            If it depends on the input, and there is none.
        """
        for needed in self.missing(number):
            self.found[needed] = self.compute(needed)
        return self.found[number]

    def missing(self, number: int) -> list[int]:
        """Return what has to be computed for a result, in order."""
        needed: set[int] = set()
        asked = [number]
        while asked:
            one = asked.pop()
            if one not in self.found and one not in needed:
                needed.add(one)
                asked += self.program.instructions[one].operands
        return sorted(needed)

    def compute(self, number: int) -> Elements:
        """Return the result of an instruction, those that it takes being found."""
        one = self.program.instructions[number]
        if one.operation == "tensor":
            return self.tensors[one.argument]
        if one.operation == "input":
            if self.inputs is None:
                raise KeyError("the input")
            return self.inputs
        if number in self.functions:
            return self.found[one.operands[0]].entrywise(self.functions[number])
        return result(one, self.field, [self.found[operand] for operand in one.operands])


def interpret(
    program: Program,
    field: Field,
    tensors: Mapping[str, Elements],
    inputs: Elements | None,
    functions: Mapping[int, Function] | None = None,
) -> Elements:
    """Return the value of a program: the result of its last instruction."""
    return Results(program, field, tensors, inputs, functions or {})[len(program) - 1]


def result(one: Instruction, field: Field, operands: list[Elements]) -> Elements:
    """Return the result of an instruction, given those that it takes."""
    if one.operation == "constant":
        entries = np.empty(len(one.argument), dtype=object)
        entries[:] = one.argument
        return Elements(field, verbs.embed(field, whole(entries).reshape(one.shape)))
    if one.operation in OPERATIONS:
        return OPERATIONS[one.operation](one.argument, *operands)
    function = function_of(one)
    if function is None:
        raise MethodError(f"the program has the operation {one.operation}, which is none of this package's")
    (operand,) = operands
    return operand.entrywise(function)


def function_of(one: Instruction) -> Function | None:
    """Return the function of one variable that an instruction applies; None if it applies none."""
    return one.argument if isinstance(one.argument, Function) else FUNCTIONS.get(one.operation)


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

FUNCTIONS: dict[str, Function] = {
    name_of_function(function): function for function in (Erf(), Exp(), Log(), Positive(), Sigmoid(), Sqrt())
}
"""Functions of one variable by their names in programs; others are the arguments of their instructions."""
