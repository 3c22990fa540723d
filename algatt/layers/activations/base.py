"""What an activation is."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable
from dataclasses import dataclass

from algatt.layers.base import Noun

__all__ = ["Activation"]


@dataclass(frozen=True, repr=False)
class Activation(Noun, ABC):
    """A function of one variable, applied to arrays entry by entry.

    A concrete activation is a frozen dataclass with a method of `algatt.layers.activate`.
    """

    @classmethod
    def examples(cls) -> Iterable[Activation]:
        """Return instances on which the conformance tests run."""
        return ()
