"""Symmetries that are no motions: permutations of coordinates and of tensors, and signs, found in the program of a
network.
"""

from algatt.symmetry.discrete import symmetry
from algatt.symmetry.discrete.moves import Move, Moves, element_of_moves
from algatt.symmetry.discrete.symmetry import (
    CoordinatePermutations,
    CoordinateSigns,
    DiscreteSymmetry,
    TensorExchange,
)

__all__ = [
    "CoordinatePermutations",
    "CoordinateSigns",
    "DiscreteSymmetry",
    "Move",
    "Moves",
    "TensorExchange",
    "element_of_moves",
    "symmetry",
]
