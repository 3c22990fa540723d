"""A reading by itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.arguments import instance
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors
from algatt.layers.readings import Probabilities, Reading


@dataclass(frozen=True, repr=False)
class ReadAs(Layer):
    r"""The layer :math:`x \mapsto r(x)` for a reading r of logits, where several matrices make these together.

    Parameters
    ----------
    reading : Reading
        How they are read, as ``Probabilities()``.

    Raises
    ------
    InvalidArgument
        If it is none.
    """

    reading: Reading

    def __post_init__(self) -> None:
        instance("reading", self.reading, Reading, "a reading, such as algatt.layers.Probabilities()")

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(Probabilities()), (3, 2)),)


@verbs.apply.method
def apply_read_as(layer: ReadAs, w: Tensors, X: Elements) -> Elements:
    logits: Elements = verbs.read(layer.reading, X)
    return logits
