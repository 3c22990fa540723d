"""Symmetries that are no motions: permutations of coordinates and of tensors, found in the program of a network."""

from algatt.symmetry.discrete import symmetry
from algatt.symmetry.discrete.moves import Move, Moves, element_of_moves
from algatt.symmetry.discrete.symmetry import CoordinatePermutations, DiscreteSymmetry, TensorExchange

__all__ = [
    "CoordinatePermutations",
    "DiscreteSymmetry",
    "Move",
    "Moves",
    "TensorExchange",
    "element_of_moves",
    "symmetry",
]
