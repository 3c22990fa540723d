"""Formulas of the answers of a sweep: conjectures that fit all of them."""

from algatt.sweeps.formulas.fit import fit_formula
from algatt.sweeps.formulas.formula import FittedFormula
from algatt.sweeps.formulas.shape import Minimum, Shape

__all__ = ["FittedFormula", "Minimum", "Shape", "fit_formula"]
