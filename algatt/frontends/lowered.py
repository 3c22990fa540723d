"""What a front end makes: a network that computes what a program says."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt.architectures import Network
from algatt.architectures.arrangement import Computed
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.frontends.arrays import Array, Tokens
from algatt.frontends.operations import Operations

__all__ = ["Lowered", "lowered_with", "matrix_shape"]


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
        if self.shape is not None or self.tokens:
            raise InvalidArgument("example", "of several inputs", "one input; write a function that takes it apart")
        self.shape = (width, count)
        trace = self.operations.results.trace
        return self.operations.results.entries_of(Elements(trace, trace.input(self.shape)))

    def read_tokens(self, shape: tuple[int, ...]) -> Tokens:
        """Return numbers of tokens, behind those that are read before."""
        if self.shape is not None:
            raise InvalidArgument("example", "of numbers and tokens", "one of both")
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
        return self.operations.results.entries_of(Elements(trace, trace.input((vocabulary, self.tokens))))

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
        tokens = self.vocabulary is not None
        shape = (self.vocabulary or 0, self.tokens) if tokens else self.shape
        if shape is None:
            raise InvalidArgument("example", "an input that is not read", "one that the value depends on")
        shapes: Mapping[str, tuple[int, ...]] = {one: matrix_shape(given) for one, given in self.shapes.items()}
        shapes = {**shapes, **{name: one for name, one in program.tensors.items() if name in shapes}}
        layer = Computed(program, shape, tuple(shapes.items()), text, self.vocabulary)
        return Network(layer, shape[1], None if tokens else shape[0])


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
