"""Symmetries that are no motions: permutations of coordinates and of tensors, and signs, found in the program of a
network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.symmetry.discrete.moves import Move as Move
    from algatt.symmetry.discrete.moves import Moves as Moves
    from algatt.symmetry.discrete.moves import element_of_moves as element_of_moves
    from algatt.symmetry.discrete.symmetry import CoordinatePermutations as CoordinatePermutations
    from algatt.symmetry.discrete.symmetry import CoordinateSigns as CoordinateSigns
    from algatt.symmetry.discrete.symmetry import DiscreteSymmetry as DiscreteSymmetry
    from algatt.symmetry.discrete.symmetry import TensorExchange as TensorExchange

on_demand(
    __name__,
    {
        "algatt.symmetry.discrete.moves": "Move Moves element_of_moves",
        "algatt.symmetry.discrete.symmetry": "CoordinatePermutations CoordinateSigns DiscreteSymmetry TensorExchange",
    },
)
