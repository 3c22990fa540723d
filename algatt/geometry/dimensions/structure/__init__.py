"""Dimensions at points with structure: proven bounds from small pieces of a network."""

from algatt.geometry.dimensions.structure import dimension

__all__ = ["dimension"]
