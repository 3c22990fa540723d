"""Symmetries that are read off the code of a network, by its types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.symmetry.typed.symmetry import MovingSpace as MovingSpace
    from algatt.symmetry.typed.symmetry import SpaceSymmetry as SpaceSymmetry
    from algatt.symmetry.typed.symmetry import spaces_of as spaces_of

on_demand(
    __name__,
    {
        "algatt.symmetry.typed.symmetry": "MovingSpace SpaceSymmetry spaces_of",
    },
)
