"""Tensors that are one tensor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from algatt import verbs
from algatt.arguments import entries, instance
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.layers.base import Combinator, Layer, Memo, Tensors, TensorShape, run
from algatt.layers.linear import Linear


@dataclass(frozen=True, repr=False)
class Tie(Combinator):
    """A network some of whose tensors are equal, by equations between their names (Press and Wolf, arXiv 1608.05859).

    Parameters
    ----------
    layer : Layer
        The network.
    ties : mapping of str to str, or sequence of pairs
        Names of tensors, or of parts with all that is in them, each with the name of what it is equal to:
        ``{"unembedding.U": "embedding.E"}``, or ``{"2": "1"}`` for a second block with the tensors of the first. The
        names on the right remain.

    Raises
    ------
    InvalidArgument
        If names are tied in a cycle; and, when the network is built, if a name does not exist or the shapes of a pair
        differ.
    """

    scoped: ClassVar[bool] = True

    layer: Layer
    ties: Mapping[str, str] | tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        instance("layer", self.layer, Layer, "a layer")
        given: Any = self.ties.items() if isinstance(self.ties, Mapping) else self.ties
        should = 'names with names, as {"unembedding.U": "embedding.E"}'
        pairs = tuple((*pair,) if isinstance(pair, tuple | list) else () for pair in entries("ties", given, should))
        if not pairs or not all(len(pair) == 2 and all(isinstance(name, str) for name in pair) for pair in pairs):
            raise InvalidArgument("ties", repr(self.ties), should)
        if len({name for name, _ in pairs}) < len(pairs):
            raise InvalidArgument("ties", repr(self.ties), "one equation for each name on the left")
        object.__setattr__(self, "ties", pairs)
        for name, _ in pairs:
            self.resolve(name)

    def equation(self, name: str) -> tuple[str, str] | None:
        """Return the first equation about a tensor, or about a part in which it lies."""
        return next((tie for tie in dict(self.ties).items() if name == tie[0] or name.startswith(f"{tie[0]}.")), None)

    def resolve(self, name: str, used: set[str] | None = None) -> str:
        """Return what a name is tied to, or the name itself; the left sides of the equations are noted as used."""
        seen = [name]
        while tie := self.equation(name):
            left, right = tie
            name = right + name[len(left) :]
            if name in seen or len(seen) > len(self.ties):
                raise InvalidArgument("ties", " = ".join([*seen, name]), "without cycles")
            seen.append(name)
            if used is not None:
                used.add(left)
        return name

    @property
    def name(self) -> str:
        return ""

    @property
    def parts(self) -> dict[str, Layer]:
        return {"": self.layer}

    def __repr__(self) -> str:
        return f"Tie({self.layer!r}, {dict(self.ties)!r})"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(2 * Linear(3), (("2.linear.W", "1.linear.W"),)), (3, 2)),)


@dataclass(frozen=True)
class TiedSource:
    """A source of tensors in which some names stand for others.

    Parameters
    ----------
    tie : Tie
        The equations.
    path : str
        The path of what they are about.
    source : Arrays or Recorder
        Where tensors come from.
    used : set of str
        The left sides of the equations that a tensor was found by.
    memo : Memo, optional
        What was asked for, where the network is run over shapes.
    """

    tie: Tie
    path: str
    source: Any
    used: set[str] = field(default_factory=set)
    memo: Memo | None = None

    def tensor(self, name: str, shape: TensorShape, *, alias: str | None = None) -> Elements:
        """Return a tensor."""
        resolved = self.path + self.tie.resolve(name.removeprefix(self.path), self.used)
        found: Elements = self.source.tensor(resolved, shape, alias=alias if resolved == name else name)
        return found


@verbs.apply.method
def apply_tie(layer: Tie, w: Tensors, X: Elements) -> Elements:
    source = TiedSource(layer, w.node.path, w.source, memo=None if w.source.memo is None else Memo())
    if w.source.memo is not None:
        w.source.memo.asked.append(None)
    value = run(w.node.parts[""], source, X, memory=w.memory)
    for left, right in dict(layer.ties).items():
        if left not in source.used:
            should = f"about tensors of the network: none is named {left}, or is in a part of that name"
            raise InvalidArgument("ties", f"{left} = {right}", should)
    return value
