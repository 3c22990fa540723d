"""Questions about a network: its dimension, formulas for it, equal functions, fibres, normal forms."""

from algatt.geometry import normal_form, orbit
from algatt.geometry.arrows import Arrow
from algatt.geometry.dimension import DimensionReport
from algatt.geometry.equivalence import Equivalence
from algatt.geometry.formulas import Formula

__all__ = ["Arrow", "DimensionReport", "Equivalence", "Formula", "normal_form", "orbit"]
