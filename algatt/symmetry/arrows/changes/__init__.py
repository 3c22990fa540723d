r"""How a change of a tensor goes through a program.

Three kinds of change of a result n are followed: ``rows``, :math:`n + 1 r^T`, the same row added to all rows;
``columns``, :math:`n + c 1^T`, the same column added to all columns; and ``scale``, :math:`n\, \mathrm{diag}(s)`,
columns multiplied by positive numbers. The vectors may depend on all weights and inputs. What comes out of an operation
is one of them again, or no change at all, or nothing that is known; docs/theory/arrows.md has the rules with their
proofs.
"""

from algatt.symmetry.arrows.changes.change import Absorbed, Change, Condition
from algatt.symmetry.arrows.changes.column_sums import ColumnSums, Sum
from algatt.symmetry.arrows.changes.flow import Flow
from algatt.symmetry.arrows.changes.spreading import leaves_value

__all__ = ["Absorbed", "Change", "ColumnSums", "Condition", "Flow", "Sum", "leaves_value"]
