"""Dimensions of networks with exponentials, roots and gates, modulo p."""

from algatt.geometry.dimensions.elementary import dimension, places, tokens

__all__ = ["dimension", "places", "tokens"]
