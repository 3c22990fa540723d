"""Transformations of parameters that leave the function unchanged: one file for each family."""

from algatt.symmetry.base import GroupElement, Symmetry
from algatt.symmetry.interlayer import Interlayer, InterlayerElement
from algatt.symmetry.key_query import KeyQuery, KeyQueryElement
from algatt.symmetry.rescaling import Rescaling, RescalingElement

__all__ = [
    "GroupElement",
    "Interlayer",
    "InterlayerElement",
    "KeyQuery",
    "KeyQueryElement",
    "Rescaling",
    "RescalingElement",
    "Symmetry",
]
