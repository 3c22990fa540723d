"""Formulas of the answers of a sweep: conjectures that fit all of them."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.sweeps.formulas.fit import fit_formula as fit_formula
    from algatt.sweeps.formulas.formula import FittedFormula as FittedFormula

on_demand(__name__)
