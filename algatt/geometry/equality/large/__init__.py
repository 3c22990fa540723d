"""Elements between two points of a network of any size over the reals, solved for by least squares."""

from algatt.geometry.equality.large.difference import Fit, fit_weights

__all__ = ["Fit", "fit_weights"]
