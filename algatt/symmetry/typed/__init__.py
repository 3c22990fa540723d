"""Symmetries that are read off the code of a network, by its types."""

from algatt.symmetry.typed import entries, integration
from algatt.symmetry.typed.element import Sides, TensorsElement
from algatt.symmetry.typed.symmetry import MovingSpace, SpaceSymmetry, spaces_of

__all__ = ["MovingSpace", "Sides", "SpaceSymmetry", "TensorsElement", "entries", "integration", "spaces_of"]
