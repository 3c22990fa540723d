"""Blocks, one after the other, named by their numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from algatt import verbs
from algatt.arguments import whole
from algatt.errors import InvalidArgument, WidthError
from algatt.fields import Elements
from algatt.layers.base import MOST_LAYERS, Layer, Tensors
from algatt.layers.combinators.base import Combinator, checked_layers, factor
from algatt.layers.linear import Linear

__all__ = ["Stack"]


@dataclass(frozen=True, repr=False)
class Stack(Combinator):
    """The composition of blocks, the first of them first; ``n * block`` makes one of n equal blocks.

    Each block has tensors of its own, also where blocks are equal. Their names begin with the numbers of the blocks, as
    ``2.heads.Q_1``; in a chain of several stacks, with ``blocks_1.2``.

    Parameters
    ----------
    blocks : sequence of Layer
        At least one.

    Raises
    ------
    InvalidArgument
        If they are not layers.
    """

    scoped: ClassVar[bool] = True

    blocks: tuple[Layer, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", checked_layers("blocks", self.blocks))

    @classmethod
    def of_copies(cls, count: object, block: Layer) -> Stack:
        """Repeat a block."""
        count = whole("the number of blocks", count)
        if count > MOST_LAYERS:
            raise InvalidArgument("the number of blocks", str(count), f"at most {MOST_LAYERS}")
        return cls((block,) * count)

    @property
    def name(self) -> str:
        return ""

    @property
    def parts(self) -> dict[str, Layer]:
        return {str(number): block for number, block in enumerate(self.blocks, start=1)}

    def __repr__(self) -> str:
        runs = [(block, len(list(run))) for block, run in groupby(self.blocks)]
        if len(runs) == 1:
            return f"{runs[0][1]} * {factor(runs[0][0])}"
        return f"Stack(({', '.join(map(repr, self.blocks))}))"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((2 * Linear(3), (3, 2)), (cls((Linear(2), Linear(4))), (3, 2)))


@verbs.apply.method
def apply_stack(layer: Stack, w: Tensors, X: Elements) -> Elements:
    before = None
    for block, function in zip(layer.blocks, w.parts, strict=True):
        try:
            X = function(X)
        except WidthError as error:
            raise error.after(before) from None
        before = block
    return X
