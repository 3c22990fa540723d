"""Symmetries of networks of any size, on spaces as symbols."""

from algatt.symmetry.symbolic.symbolic import SymbolicSpace, SymbolicSymmetries

__all__ = ["SymbolicSpace", "SymbolicSymmetries"]
