r"""How a change of a tensor goes through a program.

Three kinds of change of a result n are followed: ``rows``, :math:`n + 1 r^T`, the same row added to all rows;
``columns``, :math:`n + c 1^T`, the same column added to all columns; and ``scale``, :math:`n\, \mathrm{diag}(s)`,
columns multiplied by positive numbers. The vectors may depend on all weights and inputs. What comes out of an operation
is one of them again, or no change at all, or nothing that is known; docs/theory/arrows.md has the rules with their
proofs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.symmetry.arrows.changes.change import Absorbed as Absorbed
    from algatt.symmetry.arrows.changes.change import Change as Change
    from algatt.symmetry.arrows.changes.change import Condition as Condition
    from algatt.symmetry.arrows.changes.column_sums import ColumnSums as ColumnSums
    from algatt.symmetry.arrows.changes.column_sums import Sum as Sum
    from algatt.symmetry.arrows.changes.flow import Flow as Flow
    from algatt.symmetry.arrows.changes.spreading import leaves_value as leaves_value

on_demand(
    __name__,
    {
        "algatt.symmetry.arrows.changes.change": "Absorbed Change Condition",
        "algatt.symmetry.arrows.changes.column_sums": "ColumnSums Sum",
        "algatt.symmetry.arrows.changes.flow": "Flow",
        "algatt.symmetry.arrows.changes.spreading": "leaves_value",
    },
)
