"""Types in place of numbers: how arrays move when the weights do; evaluating a network over them collects the equations
of its symmetries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.fields.types.action import Action as Action
    from algatt.fields.types.action import Scalar as Scalar
    from algatt.fields.types.action import Space as Space
    from algatt.fields.types.constants import Centring as Centring
    from algatt.fields.types.constants import Constant as Constant
    from algatt.fields.types.constants import Entries as Entries
    from algatt.fields.types.constants import Ones as Ones
    from algatt.fields.types.constants import Selection as Selection
    from algatt.fields.types.constants import Turns as Turns
    from algatt.fields.types.equations import Constraint as Constraint
    from algatt.fields.types.equations import Diagonal as Diagonal
    from algatt.fields.types.equations import Equations as Equations
    from algatt.fields.types.equations import Intertwining as Intertwining
    from algatt.fields.types.equations import Vanishing as Vanishing
    from algatt.fields.types.field import Typed as Typed
    from algatt.fields.types.field import Types as Types

on_demand(
    __name__,
    {
        "algatt.fields.types.action": "Action Scalar Space",
        "algatt.fields.types.constants": "Centring Constant Entries Ones Selection Turns",
        "algatt.fields.types.equations": "Constraint Diagonal Equations Intertwining Vanishing",
        "algatt.fields.types.field": "Typed Types",
    },
)
