"""Elements between two points of a network of any size over the reals, solved for by least squares."""

from algatt.geometry.equality.large.difference import Comparison, compare_weights

__all__ = ["Comparison", "compare_weights"]
