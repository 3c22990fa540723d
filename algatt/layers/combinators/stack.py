"""Blocks, one after the other, named by their numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, ClassVar

from algatt import verbs
from algatt.arguments import whole
from algatt.errors import WidthError
from algatt.fields import Elements, Shapes
from algatt.layers.base import Layer, Tensors, TensorShape, run
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
        return cls((block,) * whole("the number of blocks", count))

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
    heard: dict[tuple[Layer, tuple[int, ...]], tuple[Heard, Elements]] = {}
    for node in w.node.parts.values():
        key = node.layer, X.shape
        try:
            if not isinstance(X.field, Shapes):
                X = run(node, w.source, X)
            elif key in heard:  # an equal block asks for tensors of the same shapes
                earlier, X = heard[key]
                earlier.repeat(node.path)
            else:
                source = Heard(w.source, node.path)
                X = run(node, source, X)
                heard[key] = source, X
        except WidthError as error:
            raise error.after(before) from None
        before = node.layer
    return X


@dataclass(frozen=True)
class Heard:
    """A source of tensors that notes what a block asks it for.

    Parameters
    ----------
    source : Arrays or Recorder
        Where tensors come from.
    path : str
        The path of the block.
    asked : list of (str, shape, str or None)
        The names of the tensors in the block, their shapes, and what they were tied to.
    """

    source: Any
    path: str
    asked: list[tuple[str, TensorShape, str | None]] = field(default_factory=list)

    def tensor(self, name: str, shape: TensorShape, *, alias: str | None = None) -> Elements:
        """Return a tensor."""
        self.asked.append((name, shape, alias))
        found: Elements = self.source.tensor(name, shape, alias=alias)
        return found

    def repeat(self, path: str) -> None:
        """Ask for the same tensors of an equal block."""
        for name, shape, alias in self.asked:
            there = None if alias is None else path + alias.removeprefix(self.path)
            self.source.tensor(path + name.removeprefix(self.path), shape, alias=there)
