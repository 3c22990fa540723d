"""Questions about the space of functions: its dimension, and the formulas for it."""

from algatt.geometry.dimension import DimensionReport
from algatt.geometry.formulas import Formula

__all__ = ["DimensionReport", "Formula"]
