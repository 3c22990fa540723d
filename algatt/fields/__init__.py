"""Where numbers live: one file for each field."""

from algatt.fields.adjoint import Adjoint, AdjointArray
from algatt.fields.ball import Balls
from algatt.fields.base import Elements, Field, PublicArray
from algatt.fields.degree import Degree, Degrees
from algatt.fields.dual import Dual, DualArray
from algatt.fields.prime import DEFAULT_PRIME, PrimeField
from algatt.fields.real import Reals
from algatt.fields.scalar import ExtensionField, Rationals, ScalarField

__all__ = [
    "DEFAULT_PRIME",
    "Adjoint",
    "AdjointArray",
    "Balls",
    "Degree",
    "Degrees",
    "Dual",
    "DualArray",
    "Elements",
    "ExtensionField",
    "Field",
    "PrimeField",
    "PublicArray",
    "Rationals",
    "Reals",
    "ScalarField",
]
