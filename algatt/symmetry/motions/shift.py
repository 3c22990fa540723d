"""What may be added to tensors, row by row or column by column, without a change of the function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from algatt.fields import Elements, concatenate
from algatt.fields.motions import Centring, Letter, Word
from algatt.fields.motions.words import Constant, Ones, Selection, Sum, Vector, add_shifts, times
from algatt.linalg.kernel import kernel_of_rank
from algatt.programs import Program
from algatt.programs.interpret import Results
from algatt.symmetry.motions.elimination import in_front
from algatt.symmetry.motions.words import letter_value, sum_of_words


@dataclass(frozen=True)
class AddedTerm:
    """What is added to a tensor.

    Parameters
    ----------
    tensor : str
        Its name.
    kind : str
        ``rows``: T + 1 (M v)^T; ``columns``: T + M v 1^T.
    words : Sum
        The matrix M.
    row : Letter or None
        What stands in place of 1^T: a row.
    """

    tensor: str
    kind: str
    words: Sum
    row: Letter | None = None


@dataclass(frozen=True)
class Condition:
    """The condition M v = 0.

    Parameters
    ----------
    words : Sum
        The matrix M.
    rank : int
        What its rank is at most.
    """

    words: Sum
    rank: int


@dataclass(frozen=True, eq=False)
class Shift:
    """What may be added to a tensor.

    Parameters
    ----------
    program : Program
        The program of the network.
    size : int
        The number of entries of a vector v, which may be any.
    moves : tuple of Move
        What is added to tensors, first to the tensor after which it is named.
    conditions : tuple of Condition, optional
        What v has to satisfy.
    vector : Vector
        The vector v as an unknown one.
    """

    program: Program
    size: int
    moves: tuple[AddedTerm, ...]
    conditions: tuple[Condition, ...] = ()

    @property
    def own(self) -> AddedTerm:
        """What is added to the tensor after which it is named."""
        return self.moves[0]

    @property
    def tensor(self) -> str:
        """The tensor after which it is named."""
        return self.own.tensor

    @property
    def kind(self) -> str:
        """Whether rows or columns are added to it."""
        return self.own.kind

    @property
    def absorbed(self) -> tuple[AddedTerm, ...]:
        """What is added to others."""
        return self.moves[1:]

    @property
    def gain(self) -> str | None:
        """A gain g that stays beside the columns that T reads: it is T + v (1/g)^T, or v is a multiple of 1/g."""
        return self.gain_beside(self.own)

    def gain_beside(self, one: AddedTerm) -> str | None:
        """Return such a gain beside one of the tensors that move."""
        letters = [one.row, *(word.letters[0] for word in one.words if word.letters)]
        found = [letter.of for letter in letters if letter is not None and letter.kind == "inverse"]
        return self.program.instructions[found[0]].argument if found else None

    @property
    def ray(self) -> bool:
        """Whether v is a multiple of 1/g."""
        return self.own.row is None and self.gain is not None

    @property
    def name(self) -> str:
        """What it is called."""
        beside = "" if self.gain is None else f" over {self.gain}"
        return f"{self.kind} of {self.tensor}{beside}{' with others' if self.several else ''}"

    @property
    def several(self) -> bool:
        """Whether parts of v are added to several tensors."""
        return is_part(self.own.words)

    @property
    def parts(self) -> tuple[AddedTerm, ...]:
        """What is added to tensors that v is added to, or parts of it."""
        return tuple(one for one in self.moves if is_part(one.words)) if self.several else (self.own,)

    @property
    def rank(self) -> int:
        """What the rank of the conditions is at most."""
        return sum(one.rank for one in self.conditions)

    @property
    def bound_by_weights(self) -> bool:
        """Whether weights say what v has to satisfy."""
        words = [word for one in self.conditions for word in one.words]
        return any(not isinstance(letter.of, Constant) for word in words for letter in word.letters)

    @property
    def is_centred(self) -> bool:
        """Whether v satisfies its conditions if all of its entries are equal, and not else."""
        centred = {Word((Letter(Centring(self.size)),))}
        return bool(self.conditions) and all(set(one.words) == centred for one in self.conditions)

    @property
    def by_ones(self) -> tuple[AddedTerm, ...]:
        """What is added to tensors by a number that is all entries of v."""
        return self.by_multiples({Word((Letter(Ones(self.size, 1)),) if self.size > 1 else ()): 1})

    def by_multiples(self, column: Sum) -> tuple[AddedTerm, ...]:
        """Return what is added to tensors by a number times a column in place of v."""
        return tuple(replace(one, words=times_column(one.words, column)) for one in self.moves)

    def units(self, tensors: Mapping[str, Elements]) -> Elements:
        """Return the unit vectors, as columns."""
        return Elements.of(tensors[self.tensor].field, np.eye(self.size, dtype=np.int64))

    def columns(self, tensors: Mapping[str, Elements], vectors: Elements) -> list[tuple[AddedTerm, Elements]]:
        """Return for vectors v, given as columns, the columns that are added to rows or columns."""
        results = Results(self.program, vectors.field, tensors)
        return [(one, sum_of_words(one.words, vectors, results)) for one in self.moves]

    def changes(self, tensors: Mapping[str, Elements], vectors: Elements, *, each: bool = False) -> dict[str, Elements]:
        """Return what is added to the tensors by a vector, a column; or by each of several columns, as a stack.

        Raises
        ------
        DivisionByZero
            If something that is divided by is zero.
        """
        results = Results(self.program, vectors.field, tensors)
        moved: dict[str, Elements] = {}
        for one, columns in self.columns(tensors, vectors):
            stack = Elements(columns.field, columns.T.raw[:, :, None]) if each else columns
            change = spread(one, stack, tensors[one.tensor].shape, results)
            moved[one.tensor] = moved[one.tensor] + change if one.tensor in moved else change
        return moved

    def added(self, tensors: Mapping[str, Elements], vector: Elements) -> dict[str, Elements]:
        """Return the tensors that move after a vector, a column, was added: one column, or one row, is added to all of
        a tensor, as a matrix of equal ones is as large as the tensor.

        Raises
        ------
        DivisionByZero
            If something that is divided by is zero.
        """
        results = Results(self.program, vector.field, tensors)
        moved: dict[str, Elements] = {}
        for one, column in self.columns(tensors, vector):
            moved[one.tensor] = moved.get(one.tensor, tensors[one.tensor]) + before_spreading(one, column, results)
        return moved

    def vectors(self, tensors: Mapping[str, Elements]) -> Elements:
        """Return a basis of the vectors v that satisfy the conditions, as columns; none at weights at which these have
        not the rank that they have elsewhere.
        """
        if not self.conditions:
            return self.units(tensors)
        return kernel_of_rank(self.matrix_of_conditions(tensors), self.rank)

    def matrix_of_conditions(self, tensors: Mapping[str, Elements]) -> Elements:
        """Return the matrix A of the conditions A v = 0, of which there is one at least."""
        units = self.units(tensors)
        results = Results(self.program, units.field, tensors)
        return concatenate([sum_of_words(one.words, units, results) for one in self.conditions])

    def tangents(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return for each tensor that moves how it does along each vector of a basis, as a stack."""
        return self.changes(tensors, self.vectors(tensors), each=True)


def is_part(words: Sum) -> bool:
    """Return whether a sum is one matrix that takes entries."""
    ((word, value), *others) = words.items()
    one = word.letters[0].of if len(word.letters) == 1 else None
    return isinstance(one, Selection) and not one.transposed and (value, word.numbers, others) == (1, frozenset(), [])


def spread(one: AddedTerm, vectors: Elements, shape: tuple[int, ...], results: Results) -> Elements:
    """Return what is added to a tensor of a shape: matrices with equal rows, or whose columns are multiples of one,
    given as stacked columns.
    """
    change = before_spreading(one, vectors, results)
    return change if change.shape[-2:] == shape else change + np.zeros(shape, dtype=np.int64)


def before_spreading(one: AddedTerm, vectors: Elements, results: Results) -> Elements:
    """Return the same as one row that stands for equal rows, or one column for equal columns."""
    if one.kind == "rows":
        return Elements(vectors.field, np.swapaxes(vectors.raw, -1, -2)) if len(vectors.shape) > 2 else vectors.T
    return vectors if one.row is None else vectors @ row_beside(one.row, results)


def row_beside(letter: Letter, results: Results) -> Elements:
    """Return the row that stands in place of ones."""
    row = letter_value(letter, results)
    return row if row.shape[0] == 1 else row.T


def times_column(words: Sum, column: Sum) -> Sum:
    """Return a sum of words times a column."""
    number = Vector(1, 0, "a number")
    shift = {word: {number: value} for word, value in column.items()}
    parts = [times(in_front(word, shift), value) for word, value in words.items()]
    return {word: form[number] for word, form in add_shifts([{}, *parts]).items()}
