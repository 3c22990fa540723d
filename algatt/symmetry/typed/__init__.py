"""Symmetries that are read off the code of a network, by its types."""

from algatt.symmetry.typed import entries, integration
from algatt.symmetry.typed.symmetry import MovingSpace, SpaceSymmetry, spaces_of

__all__ = ["MovingSpace", "SpaceSymmetry", "entries", "integration", "spaces_of"]
