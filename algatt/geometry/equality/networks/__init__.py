"""The element of the group of a network that carries one point to another, and normal forms."""

from algatt.geometry.equality.networks import mixtures, normal_forms
from algatt.geometry.equality.networks.element import element_between

__all__ = ["element_between", "mixtures", "normal_forms"]
