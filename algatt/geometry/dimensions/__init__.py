"""How many independent directions the functions of a network have: bounds from both sides, floats, formulas."""

from algatt.geometry.dimensions import dimension, elementary

__all__ = ["dimension", "elementary"]
