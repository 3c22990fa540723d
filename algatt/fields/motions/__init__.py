"""Motions in place of numbers: how arrays move when the weights do; evaluating a network over them collects the
equations of its symmetries.
"""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.fields.motions.equations import Constraint as Constraint
    from algatt.fields.motions.equations import Diagonal as Diagonal
    from algatt.fields.motions.equations import EquationsOfVectors as EquationsOfVectors
    from algatt.fields.motions.equations import Intertwining as Intertwining
    from algatt.fields.motions.equations import MotionEquations as MotionEquations
    from algatt.fields.motions.equations import Vanishing as Vanishing
    from algatt.fields.motions.field import Asked as Asked
    from algatt.fields.motions.field import Motions as Motions
    from algatt.fields.motions.field import Taken as Taken
    from algatt.fields.motions.moving import Action as Action
    from algatt.fields.motions.moving import Moving as Moving
    from algatt.fields.motions.moving import Scalar as Scalar
    from algatt.fields.motions.moving import Space as Space
    from algatt.fields.motions.words import Centring as Centring
    from algatt.fields.motions.words import Constant as Constant
    from algatt.fields.motions.words import Entries as Entries
    from algatt.fields.motions.words import Letter as Letter
    from algatt.fields.motions.words import Ones as Ones
    from algatt.fields.motions.words import Selection as Selection
    from algatt.fields.motions.words import Turns as Turns
    from algatt.fields.motions.words import Word as Word

on_demand(__name__)
