"""Families of spaces with names of their own, as HMK give them."""

from algatt.symmetry.named import members
from algatt.symmetry.named.place import Move, Place
from algatt.symmetry.named.spaces import NamedSpaces

__all__ = ["Move", "NamedSpaces", "Place", "members"]
