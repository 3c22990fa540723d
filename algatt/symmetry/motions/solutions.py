"""The motions of a network: how its tensors move, in a basis of the solutions of the equations that its program asks
for.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from algatt.fields.motions import Action, Taken
from algatt.programs import Program
from algatt.symmetry.motions.conditions import Key, MovingPart

__all__ = ["MotionSolutions", "Moved"]


@dataclass(frozen=True, eq=False)
class Moved:
    """What moves a tensor, in unknown numbers: L W + W R, and sums of words times vectors.

    Parameters
    ----------
    rows, columns : Action
        L and R.
    taken : tuple of Taken
        What is added to its columns and rows.
    """

    rows: Action
    columns: Action
    taken: tuple[Taken, ...]


@dataclass(frozen=True, eq=False)
class MotionSolutions:
    """The solutions of the equations of a program.

    Parameters
    ----------
    program : Program
        The program.
    moved : dict of str to Moved
        How the tensors move.
    parts : tuple of MovingPart
        The solutions.
    """

    program: Program
    moved: Mapping[str, Moved]
    parts: tuple[MovingPart, ...]

    @functools.cached_property
    def assignments(self) -> tuple[Mapping[Key, int], ...]:
        """The values of the unknowns, of all parts."""
        return tuple(one for part in self.parts for one in part.assignments)

    @functools.cached_property
    def values(self) -> dict[Key, list[tuple[int, int]]]:
        """For each unknown the solutions in which it is not zero, with its value."""
        found: dict[Key, list[tuple[int, int]]] = defaultdict(list)
        for number, assignment in enumerate(self.assignments):
            for key, value in assignment.items():
                found[key].append((number, value))
        return found
