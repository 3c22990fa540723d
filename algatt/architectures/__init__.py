"""Networks without their weights: one file for each architecture."""

from algatt.architectures.base import Architecture
from algatt.architectures.lightning import Lightning
from algatt.architectures.normalized import Normalized, Softmax
from algatt.layers import Affine, Exponential, Power, Rational, Score

__all__ = ["Affine", "Architecture", "Exponential", "Lightning", "Normalized", "Power", "Rational", "Score", "Softmax"]
