"""Some of the blocks of a longer stack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from algatt import verbs
from algatt.fields import Elements
from algatt.layers import (
    Layer,
    Stack,
    Tensors,
)
from algatt.programs import TraceArray


@dataclass(frozen=True)
class EqualGroups:
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
    recorded : list of list of int
        The numbers of the instructions between blocks, each time that a program is recorded.
    """

    numbers: tuple[int, ...] = ()
    runs: tuple[EqualGroups, ...] = ()
    recorded: list[list[int]] = field(default_factory=list)

    __eq__ = object.__eq__  # each notes what there is in its own network
    __hash__ = object.__hash__

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ()

    @property
    def parts(self) -> dict[str, Layer]:
        return {str(number): block for number, block in zip(self.numbers, self.blocks, strict=True)}

    @property
    def ends(self) -> list[list[int]]:
        """The instructions before each of equal groups and after the last one, each time that it is run."""
        return [[notes[end] for end in run.ends] for notes in self.recorded for run in self.runs]


@verbs.apply.method
def apply_repeated(layer: Repeated, w: Tensors, X: Elements) -> Elements:
    notes: list[Any] = [X.raw]
    for function in w.parts:
        X = function(X)
        notes.append(X.raw)
    if all(isinstance(one, TraceArray) for one in notes):
        layer.recorded.append([one.number for one in notes])
    return X
