"""Some of the blocks of a longer stack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from algatt import verbs
from algatt.fields import Elements
from algatt.fields.motions import Equations, Motions, Moving
from algatt.layers import (
    Layer,
    Stack,
    Tensors,
)
from algatt.programs import TraceArray


@dataclass(frozen=True)
class Run:
    """Equal groups of blocks in a stack.

    Parameters
    ----------
    start : int
        How many blocks stand before them.
    period : int
        The number of blocks of a group.
    count : int
        How many of these groups there are.
    """

    start: int
    period: int
    count: int

    @property
    def ends(self) -> tuple[int, ...]:
        """How many blocks stand before each group, and behind the last one."""
        return tuple(self.start + number * self.period for number in range(self.count + 1))


@dataclass(frozen=True, repr=False, eq=False)
class Repeated(Stack):
    """Some of the blocks of a longer stack, with their numbers there; it notes what there is between them.

    Parameters
    ----------
    numbers : tuple of int
        The numbers of the blocks.
    runs : tuple of Run
        The equal ones.
    between : list of list of Moving
        The types between blocks, each time that the stack is run.
    recorded : list of list of int
        The numbers of the instructions between them, where a program is recorded.
    """

    numbers: tuple[int, ...] = ()
    runs: tuple[Run, ...] = ()
    between: list[list[Moving]] = field(default_factory=list)
    recorded: list[list[int]] = field(default_factory=list)

    __eq__ = object.__eq__  # each notes what there is in its own network
    __hash__ = object.__hash__

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ()

    @property
    def parts(self) -> dict[str, Layer]:
        return {str(number): block for number, block in zip(self.numbers, self.blocks, strict=True)}

    def steady(self, equations: Equations) -> bool:
        """Return whether it is run once, and each of equal groups of blocks returns what moves as its input does:
        by L X + X R with the same L and R, up to a number in L that is taken away in R.
        """
        if len(self.between) != 1 or len(self.recorded) != 1:
            return False
        (notes,) = self.between
        pairs = [(notes[end], notes[run.start]) for run in self.runs for end in run.ends]
        for one, first in pairs:
            rows, columns = equations.resolve(one.rows - first.rows), equations.resolve(one.columns - first.columns)
            if not (rows.scalar and columns.scalar and (rows.resize(1) + columns.resize(1)).zero):
                return False
        return True

    @property
    def boundaries(self) -> list[tuple[int, int]]:
        """The instructions before and after the last one of each equal groups."""
        return [(notes[run.ends[-2]], notes[run.ends[-1]]) for notes in self.recorded for run in self.runs]


@verbs.apply.method
def apply_repeated(layer: Repeated, w: Tensors, X: Elements) -> Elements:
    notes: list[Any] = [X.raw]
    for function in w.parts:
        X = function(with_a_number(X))
        notes.append(X.raw)
    if all(isinstance(one, Moving) for one in notes):
        layer.between.append(notes)
    if all(isinstance(one, TraceArray) for one in notes):
        layer.recorded.append([one.number for one in notes])
    return X


def with_a_number(X: Elements) -> Elements:
    """Return a value whose type has a number of its own in L, which is taken away in R, so that it moves by the same
    L X + X R; others as they are.
    """
    raw: Any = X.raw
    if not isinstance(X.field, Motions) or raw.constant is not None:
        return X
    number = X.field.equations.number(1)
    rows, columns = raw.rows + number.resize(raw.rows.size), raw.columns - number.resize(raw.columns.size)
    return Elements(X.field, Moving(raw.shape, rows, columns))
