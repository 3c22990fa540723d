"""A network as text: a tree of its layers with their tensors and shapes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.architectures.parts import Part, TensorFamily, parts_of, title
from algatt.layers import Chain, Stack, Tie

TRANSPARENT = (Chain, Stack, Tie)
"""Combinators without a line of their own: what they are made of stands in their place."""

INDENT = 2
"""Blanks before what stands in something."""


@dataclass(frozen=True)
class Line:
    """A line: what it is about, how far in it stands, and a shape at its end, if there is one."""

    text: str
    depth: int
    shape: tuple[int, ...] | None = None

    @property
    def start(self) -> str:
        """The line without its shape."""
        return " " * (INDENT * self.depth) + self.text

    def written(self, width: int) -> str:
        """Return the line; its shape, if there is one, begins two columns behind a width."""
        return self.start if self.shape is None else f"{self.start:{width}}  {shape_in_words(self.shape)}"


def outline(arch: Any) -> str:
    """Return a network as text: each layer below what it stands in and further in, with its tensors and shapes.

    Equal blocks that follow each other are shown once, with the names of the tensors of the first.

    Parameters
    ----------
    arch : Architecture
        A `Network`, or what is one by `algatt.expression`.

    Examples
    --------
    >>> import algatt
    >>> from algatt.layers import Causal, Feedforward, Heads, ReLU, Residual
    >>> block = Residual(Heads(4, width=2, mask=Causal())) >> Residual(Feedforward(16, ReLU()))
    >>> print(algatt.architectures.outline(algatt.Network(2 * block, tokens=3, width=4)), end="")
    512 parameters, input 4 x 3
    <BLANKLINE>
    2 equal blocks                         4 x 3
      Residual
        Heads(4, width=2, mask=Causal())   4 x 3
          1.heads.Q_1, ..., 1.heads.Q_4    2 x 4
          1.heads.K_1, ..., 1.heads.K_4    2 x 4
          1.heads.V_1, ..., 1.heads.V_4    2 x 4
          1.heads.O_1, ..., 1.heads.O_4    4 x 2
      Residual
        Feedforward(16, activation=ReLU()) 4 x 3
          1.feedforward.up                 16 x 4
          1.feedforward.down               4 x 16
    """
    whole = parts_of(arch)
    lines = list(lines_of(whole, None, 0, 1))
    width = max(len(line.start) for line in lines if line.shape is not None)
    counted = f"{verbs.expression(arch).parameters:,} parameters, input {shape_in_words(whole.input_shape)}"
    return "\n".join([counted, "", *(line.written(width) for line in lines), ""])


def shape_in_words(shape: tuple[int, ...]) -> str:
    """Return a shape as text."""
    return " x ".join(map(str, shape)) or "number"


def group_in_words(part: Part, parent: Part | None, count: int) -> str | None:
    """Return how many of a part there are, or its number among others; None where its own name is enough."""
    if parent is None:
        return None
    kind = {"inside": "part", "parallel": "branch"}.get(parent.wiring, "block")
    if count > 1:
        return f"{count} equal {kind}s"
    transparent = isinstance(part.layer, TRANSPARENT) and parent.wiring in ("inside", "parallel")
    several = isinstance(parent.layer, Stack) and len(parent.parts) > 1
    return f"{kind} {part.key}".rstrip() if transparent or several else None


def lines_of(part: Part, parent: Part | None, depth: int, count: int) -> Iterator[Line]:
    """Iterate over the lines of a layer."""
    group = group_in_words(part, parent, count)
    if group is not None:
        yield Line(group, depth, part.output_shape)
        depth += 1
    if not isinstance(part.layer, TRANSPARENT):
        yield Line(title(part), depth, None if part.wiring == "residual" else part.output_shape)
        depth += 1
    for family in part.families:
        yield Line(names(family), depth, family.shape)
    for below, times in part.runs():
        yield from lines_of(below, part, depth, times)


def names(family: TensorFamily) -> str:
    """Return the names of the tensors of a family in the network; of one that is tied, that in its layer, too."""
    first = family.tensors[0]
    if first.tied:
        return f"{first.name} = {first.path}"
    return ", ".join(family.listed([tensor.path for tensor in family.tensors]))
