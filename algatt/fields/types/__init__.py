"""Types in place of numbers: how arrays move when the weights do; evaluating a network over them collects the equations
of its symmetries.
"""

from algatt.fields.types.action import Action, Scalar, Space
from algatt.fields.types.equations import Constraint, Diagonal, Equations, Intertwining, Vanishing
from algatt.fields.types.field import Typed, Types

__all__ = [
    "Action",
    "Constraint",
    "Diagonal",
    "Equations",
    "Intertwining",
    "Scalar",
    "Space",
    "Typed",
    "Types",
    "Vanishing",
]
