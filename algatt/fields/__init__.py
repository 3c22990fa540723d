"""Where numbers live: one file for each field."""

from algatt.loading import load_below

load_below(__name__)

from algatt.fields.adjoint import Adjoint, AdjointArray
from algatt.fields.ball import Balls
from algatt.fields.base import Elements, Field, PublicArray, concatenate
from algatt.fields.degree import Degree, Degrees
from algatt.fields.dual import Dual, DualArray
from algatt.fields.elementary import Elementary
from algatt.fields.functions import Erf, Exp, Function, Log, Positive, Sigmoid, Sqrt
from algatt.fields.prime import DEFAULT_PRIME, PrimeField
from algatt.fields.real import Reals
from algatt.fields.scalar import ExtensionField, Rationals, ScalarField
from algatt.fields.shape import Shape, Shapes
from algatt.fields.spans import Spans
from algatt.fields.types import Types
from algatt.fields.virtual import Virtual
from algatt.verbs import (
    add,
    centre,
    circle_points,
    column_maximum,
    column_products,
    decode,
    draw_array,
    embed,
    encode,
    entrywise,
    largest,
    multiply,
    negate,
    product,
    reciprocal,
    rotate,
    slope,
    take,
    transpose,
)

__all__ = [
    "DEFAULT_PRIME",
    "Adjoint",
    "AdjointArray",
    "Balls",
    "Degree",
    "Degrees",
    "Dual",
    "DualArray",
    "Elementary",
    "Elements",
    "Erf",
    "Exp",
    "ExtensionField",
    "Field",
    "Function",
    "Log",
    "Positive",
    "PrimeField",
    "PublicArray",
    "Rationals",
    "Reals",
    "ScalarField",
    "Shape",
    "Shapes",
    "Sigmoid",
    "Spans",
    "Sqrt",
    "Types",
    "Virtual",
    "add",
    "centre",
    "circle_points",
    "column_maximum",
    "column_products",
    "concatenate",
    "decode",
    "draw_array",
    "embed",
    "encode",
    "entrywise",
    "largest",
    "multiply",
    "negate",
    "product",
    "reciprocal",
    "rotate",
    "slope",
    "take",
    "transpose",
]
