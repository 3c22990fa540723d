"""Symmetries of networks of any size, on spaces as symbols."""

from algatt.symmetry.symbolic.symbolic import SymbolicArrow, SymbolicSpace, SymbolicSymmetries

__all__ = ["SymbolicArrow", "SymbolicSpace", "SymbolicSymmetries"]
