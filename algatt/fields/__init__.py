"""Where numbers live: one file for each field."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.fields.adjoint import Adjoint as Adjoint
    from algatt.fields.adjoint import AdjointArray as AdjointArray
    from algatt.fields.ball import Balls as Balls
    from algatt.fields.base import Elements as Elements
    from algatt.fields.base import Field as Field
    from algatt.fields.base import PublicArray as PublicArray
    from algatt.fields.base import concatenate as concatenate
    from algatt.fields.degree import Degree as Degree
    from algatt.fields.degree import Degrees as Degrees
    from algatt.fields.dual import Dual as Dual
    from algatt.fields.dual import DualArray as DualArray
    from algatt.fields.first_order import FirstOrder as FirstOrder
    from algatt.fields.float_ball import FloatBalls as FloatBalls
    from algatt.fields.functions import Elementary as Elementary
    from algatt.fields.functions import Erf as Erf
    from algatt.fields.functions import Exp as Exp
    from algatt.fields.functions import Function as Function
    from algatt.fields.functions import Log as Log
    from algatt.fields.functions import Positive as Positive
    from algatt.fields.functions import Sigmoid as Sigmoid
    from algatt.fields.functions import Sqrt as Sqrt
    from algatt.fields.motions import Motions as Motions
    from algatt.fields.polynomial import Polynomials as Polynomials
    from algatt.fields.prime import DEFAULT_PRIME as DEFAULT_PRIME
    from algatt.fields.prime import PrimeField as PrimeField
    from algatt.fields.rational_function import RationalFunctions as RationalFunctions
    from algatt.fields.real import Reals as Reals
    from algatt.fields.scalar import ExtensionField as ExtensionField
    from algatt.fields.scalar import Rationals as Rationals
    from algatt.fields.scalar import ScalarField as ScalarField
    from algatt.fields.shape import Shape as Shape
    from algatt.fields.shape import Shapes as Shapes
    from algatt.fields.spans import Spans as Spans
    from algatt.fields.tangents import Tangents as Tangents
    from algatt.fields.virtual import Virtual as Virtual
    from algatt.verbs import circle_points as circle_points

on_demand(__name__)
