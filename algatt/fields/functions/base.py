"""What a function of one variable is to the fields."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass

__all__ = ["Function"]


@dataclass(frozen=True, eq=False)
class Function(ABC):
    """A function of one variable that is applied to arrays entry by entry.

    A concrete function is a frozen dataclass with methods of `entrywise` for the fields over which it has values, and
    one of `slope`. Functions are one where they are equal; of a class that is no dataclass each is equal to
    itself alone.
    """
