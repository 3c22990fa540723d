"""Types in place of numbers: how arrays move when the weights do; evaluating a network over them collects the equations
of its symmetries.
"""

from algatt.fields.types import arithmetic, functions, parts
from algatt.fields.types.action import Action, Scalar, Space
from algatt.fields.types.constants import Centring, Constant, Entries, Ones, Selection, Turns
from algatt.fields.types.equations import Constraint, Diagonal, Equations, Intertwining, Vanishing
from algatt.fields.types.field import Typed, Types

__all__ = [
    "Action",
    "Centring",
    "Constant",
    "Constraint",
    "Diagonal",
    "Entries",
    "Equations",
    "Intertwining",
    "Ones",
    "Scalar",
    "Selection",
    "Space",
    "Turns",
    "Typed",
    "Types",
    "Vanishing",
    "arithmetic",
    "functions",
    "parts",
]
