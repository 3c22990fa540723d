"""The element of the group of a network that carries one point to another."""

from algatt.geometry.equality.networks import mixtures
from algatt.geometry.equality.networks.element import element_between

__all__ = ["element_between", "mixtures"]
