"""Of what a smaller network has less."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Dial", "Run"]


@dataclass(frozen=True)
class Dial:
    """Of what a smaller network has less.

    Parameters
    ----------
    full : int
        How many there are.
    least : int
        How many the smallest network has.
    step : int
        How many more are taken together.
    copies : int
        In so many equal blocks there is such a thing.
    """

    full: int
    least: int
    step: int = 1
    copies: int = 1

    @property
    def steps(self) -> int:
        """How often it is raised by a step to the full number, in all copies."""
        return self.copies * ((self.full - self.least) // self.step)


@dataclass(frozen=True)
class Run:
    """Equal groups of blocks in a stack.

    Parameters
    ----------
    start : int
        How many blocks stand before them, in the smaller stack.
    period : int
        The number of blocks of a group.
    count : int
        How many of these groups there are in the smaller stack.
    dial : int
        The number of the dial.
    """

    start: int
    period: int
    count: int
    dial: int

    @property
    def ends(self) -> tuple[int, ...]:
        """How many blocks stand before each group, and behind the last one."""
        return tuple(self.start + number * self.period for number in range(self.count + 1))
