"""Symmetries of networks of any size, on spaces as symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.symmetry.symbolic.symbolic import SymbolicArrow as SymbolicArrow
    from algatt.symmetry.symbolic.symbolic import SymbolicSpace as SymbolicSpace
    from algatt.symmetry.symbolic.symbolic import SymbolicSymmetries as SymbolicSymmetries

on_demand(
    __name__,
    {
        "algatt.symmetry.symbolic.symbolic": "SymbolicArrow SymbolicSpace SymbolicSymmetries",
    },
)
