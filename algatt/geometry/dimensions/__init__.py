"""How many independent directions the functions of a network have: bounds from both sides, floats, formulas."""

from algatt.geometry.dimensions import dimension, elementary, structure

__all__ = ["dimension", "elementary", "structure"]
