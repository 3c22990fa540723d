"""What a front end makes: a network that computes what a program says."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt.architectures import Network
from algatt.architectures.network import Computed
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.frontends.arrays import Array, Tokens
from algatt.frontends.operations import Operations
from algatt.programs import Instruction, Program


@dataclass(eq=False)
class Lowered:
    """A model that is being written as a program.

    Parameters
    ----------
    operations : Operations
        The operations, with their results.
    shapes : dict of str to tuple of int
        The parameters in order, with their shapes.
    """

    operations: Operations = field(default_factory=Operations)
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    vocabulary: int | None = None
    tokens: int = 0
    shape: tuple[int, int] | None = None

    def parameter(self, name: str, *, rows: int | None = None) -> Array:
        """Return the entries of a parameter, a matrix whose rows are some of its axes."""
        shape = self.shapes[name]
        matrix = matrix_shape(shape, rows)
        trace = self.operations.results.trace
        return self.operations.results.entries_of(Elements(trace, trace.tensor(name, matrix)), shape)

    def read_numbers(self, shape: tuple[int, ...]) -> Array:
        """Return the entries of an input of vectors, its last axis; tokens are the columns of the matrix that is
        read.
        """
        width, count = (shape[-1] if shape else 1), math.prod(shape[:-1])
        return self.read_matrix(width, count).view(lambda entries: entries.T.reshape(shape))

    def read_matrix(self, width: int, count: int) -> Array:
        """Return the entries of the matrix that is read."""
        if self.shape is not None or self.vocabulary is not None:
            raise InvalidArgument(
                "example", "of several inputs of vectors", "with one; write a function that takes it apart"
            )
        self.shape = (width, count)
        trace = self.operations.results.trace
        return self.operations.results.entries_of(Elements(trace, trace.input(self.shape)))

    def read_tokens(self, shape: tuple[int, ...]) -> Tokens:
        """Return numbers of tokens, behind those that are read before."""
        start, count = self.tokens, math.prod(shape)
        self.tokens += count
        return Tokens(np.arange(start, start + count).reshape(shape))

    def units(self, vocabulary: int) -> Array:
        """Return the entries of the matrix whose columns are the unit vectors of all tokens."""
        if self.vocabulary not in (None, vocabulary):
            was = f"with tables of {self.vocabulary} and of {vocabulary} tokens"
            raise InvalidArgument("module", was, "with one number of tokens for all inputs that are integers")
        self.vocabulary = vocabulary
        trace = self.operations.results.trace
        if self.shape is None:
            return self.operations.results.entries_of(Elements(trace, trace.input((vocabulary, self.tokens))))
        height, width = self.shape
        whole = Elements(trace, trace.input((height + vocabulary, width + self.tokens)))
        return self.operations.results.entries_of(whole[height:, width:])

    def network(self, value: Any, text: str) -> Network:
        """Return the network of a value, whose last axis becomes the rows and whose other axes become the columns.

        Parameters
        ----------
        value : Array
            The value.
        text : str
            How the layer is printed.
        """
        if not isinstance(value, Array):
            raise InvalidArgument("module", "with a value that depends on nothing", "with one that depends on weights")
        self.operations.refuse_hidden(value, "in the value")
        rows = value.shape[-1] if value.shape else 1
        matrix = self.operations.results.matrix_of(value.entries.reshape(-1, rows).T)
        program = self.operations.results.trace.program(matrix.raw)
        numbers = self.shape
        if self.vocabulary is None:
            shape = numbers
        else:
            shape = self.vocabulary, self.tokens
            if numbers is not None:
                shape = numbers[0] + shape[0], numbers[1] + shape[1]
                program = with_one_input(program, shape)
        if shape is None or (self.tokens and self.vocabulary is None):
            raise InvalidArgument("example", "an input that is not read", "one that the value depends on")
        shapes: Mapping[str, tuple[int, ...]] = {one: matrix_shape(given) for one, given in self.shapes.items()}
        shapes = {**shapes, **{name: one for name, one in program.tensors.items() if name in shapes}}
        source = None if self.vocabulary is None else numbers
        layer = Computed(program, shape, tuple(shapes.items()), text, self.vocabulary, source)
        return Network(layer, shape[1], shape[0] if self.vocabulary is None else None)


def with_one_input(program: Program, shape: tuple[int, int]) -> Program:
    """Return a program that reads its numbers as the first block of the matrix whose second one has the tokens."""
    found = [Instruction("input", (), None, shape)]
    for one in program.instructions:
        if one.operation == "input":
            places = tuple(range(one.shape[0])), tuple(range(one.shape[1]))
            found.append(Instruction("take", (0,), places, one.shape))
        else:
            operands = tuple(operand + 1 for operand in one.operands)
            found.append(Instruction(one.operation, operands, one.argument, one.shape))
    return Program(tuple(found))


def lowered_with(shapes: dict[str, tuple[int, ...]], least: float | None) -> Lowered:
    """Return a model with parameters of some shapes, of which nothing is written yet."""
    operations = Operations() if least is None else Operations(least=float(least))
    return Lowered(operations, shapes)


def matrix_shape(shape: tuple[int, ...], rows: int | None = None) -> tuple[int, int]:
    """Return the shape of the matrix that a parameter is: a vector is a column, of more axes the last one stays unless
    it is said how many axes become rows.
    """
    if len(shape) < 2:
        return math.prod(shape), 1
    cut = len(shape) - 1 if rows is None else rows
    return math.prod(shape[:cut]), math.prod(shape[cut:])
