"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

from fractions import Fraction
from typing import Any, TypeVar, overload

import numpy as np

from algatt.dispatch import Verb
from algatt.fields.adjoint import Adjoint, AdjointArray
from algatt.fields.ball import Balls
from algatt.fields.base import Elements, Field, PublicArray, concatenate
from algatt.fields.degree import Degree, Degrees
from algatt.fields.dual import Dual, DualArray
from algatt.fields.elementary import Elementary
from algatt.fields.functions import Erf, Exp, Function, Log, Positive, Sigmoid, Sqrt
from algatt.fields.functions.positive import BallsOfValues
from algatt.fields.prime import DEFAULT_PRIME, PrimeField
from algatt.fields.real import Reals
from algatt.fields.scalar import ExtensionField, Rationals, ScalarField
from algatt.fields.shape import Shape, Shapes
from algatt.fields.single import SingleReals
from algatt.fields.spans import Spans
from algatt.fields.spans.spanned import Spanned
from algatt.fields.types import Types
from algatt.fields.types.field import Typed
from algatt.fields.undefined import RealsOrNan
from algatt.fields.virtual import Virtual
from algatt.fields.virtual.forms import Form, Numbers
from algatt.maps.elementary.given import Given
from algatt.programs.trace import Trace, TraceArray

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

_Some = TypeVar("_Some")

class _Add(Verb[..., Any]):
    @overload
    def __call__(self, field: Trace, left: TraceArray, right: TraceArray, /) -> TraceArray: ...
    @overload
    def __call__(self, field: Virtual, left: Form, right: Form, /) -> Form: ...
    @overload
    def __call__(self, field: Types, left: Typed, right: Typed, /) -> Typed: ...
    @overload
    def __call__(self, field: Spans, left: Spanned, right: Spanned, /) -> Spanned: ...
    @overload
    def __call__(self, field: Dual, left: DualArray, right: DualArray, /) -> DualArray: ...
    @overload
    def __call__(self, field: Degrees, left: Degree, right: Degree, /) -> Degree: ...
    @overload
    def __call__(self, field: Shapes, left: Shape, right: Shape, /) -> Shape: ...
    @overload
    def __call__(
        self,
        field: Adjoint,
        left: AdjointArray,
        right: AdjointArray,
        /,
    ) -> AdjointArray: ...
    @overload
    def __call__(
        self,
        field: ScalarField,
        left: np.ndarray,
        right: np.ndarray,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, field: Balls, left: np.ndarray, right: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, left: np.ndarray, right: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: PrimeField, left: np.ndarray, right: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: Field,
        left: _Some,
        right: TraceArray | Form | Typed | Spanned | DualArray | Degree | Shape | AdjointArray | np.ndarray,
        /,
    ) -> _Some: ...

add: _Add

class _Centre(Verb[..., Any]):
    @overload
    def __call__(self, field: Trace, raw: TraceArray, /) -> TraceArray: ...
    @overload
    def __call__(self, field: Virtual, raw: Form, /) -> Form: ...
    @overload
    def __call__(self, field: Types, raw: Typed, /) -> Typed: ...
    @overload
    def __call__(self, field: Field, raw: object, /) -> Any: ...

centre: _Centre

class _CirclePoints(Verb[..., Any]):
    @overload
    def __call__(
        self,
        field: Rationals,
        /,
        *,
        angles: tuple[float, ...],
        positions: tuple[int, ...],
    ) -> Any: ...
    @overload
    def __call__(
        self,
        field: Spans,
        /,
        *,
        angles: tuple[float, ...],
        positions: tuple[int, ...],
    ) -> tuple[Spanned, Spanned]: ...
    @overload
    def __call__(
        self,
        field: Dual,
        /,
        *,
        angles: tuple[float, ...],
        positions: tuple[int, ...],
    ) -> tuple[DualArray, DualArray]: ...
    @overload
    def __call__(
        self,
        field: Degrees,
        /,
        *,
        angles: tuple[float, ...],
        positions: tuple[int, ...],
    ) -> tuple[Degree, Degree]: ...
    @overload
    def __call__(
        self,
        field: Shapes,
        /,
        *,
        angles: tuple[float, ...],
        positions: tuple[int, ...],
    ) -> tuple[Shape, Shape]: ...
    @overload
    def __call__(
        self,
        field: Adjoint,
        /,
        *,
        angles: tuple[float, ...],
        positions: tuple[int, ...],
    ) -> tuple[AdjointArray, AdjointArray]: ...
    @overload
    def __call__(
        self,
        field: Balls,
        /,
        *,
        angles: tuple[float, ...],
        positions: tuple[int, ...],
    ) -> tuple[np.ndarray, np.ndarray]: ...
    @overload
    def __call__(
        self,
        field: Reals,
        /,
        *,
        angles: tuple[float, ...],
        positions: tuple[int, ...],
    ) -> tuple[np.ndarray, np.ndarray]: ...
    @overload
    def __call__(
        self,
        field: PrimeField,
        /,
        *,
        angles: tuple[float, ...],
        positions: tuple[int, ...],
    ) -> tuple[np.ndarray, np.ndarray]: ...
    @overload
    def __call__(
        self,
        field: Field,
        /,
        *,
        angles: tuple[float, ...],
        positions: tuple[int, ...],
    ) -> Any: ...

circle_points: _CirclePoints

class _ColumnMaximum(Verb[..., Any]):
    @overload
    def __call__(
        self,
        field: RealsOrNan,
        raw: np.ndarray,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: Reals,
        raw: np.ndarray,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: Dual,
        raw: DualArray,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> DualArray | None: ...
    @overload
    def __call__(
        self,
        field: Adjoint,
        raw: AdjointArray,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> AdjointArray | None: ...
    @overload
    def __call__(
        self,
        field: Balls,
        raw: np.ndarray,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, field: Field, raw: object, /, *, mask: np.ndarray | None = None) -> Any: ...

column_maximum: _ColumnMaximum

class _ColumnProducts(Verb[..., Any]):
    @overload
    def __call__(self, field: Trace, left: TraceArray, right: TraceArray, /) -> TraceArray: ...
    @overload
    def __call__(self, field: Virtual, left: Form, right: Form, /) -> Form: ...
    @overload
    def __call__(self, field: Types, left: Typed, right: Typed, /) -> Typed: ...
    @overload
    def __call__(self, field: Field, left: object, right: object, /) -> Any: ...

column_products: _ColumnProducts

class _Decode(Verb[..., Any]):
    @overload
    def __call__(self, field: PrimeField, raw: np.ndarray, /) -> Any: ...
    @overload
    def __call__(self, field: Adjoint, raw: AdjointArray, /) -> Any: ...
    @overload
    def __call__(self, field: Dual, raw: DualArray, /) -> Any: ...
    @overload
    def __call__(self, field: Trace, raw: TraceArray, /) -> TraceArray: ...
    @overload
    def __call__(self, field: Virtual, raw: Form, /) -> Form: ...
    @overload
    def __call__(self, field: Types, raw: Typed, /) -> Typed: ...
    @overload
    def __call__(self, field: Spans, raw: Spanned, /) -> Spanned: ...
    @overload
    def __call__(self, field: Degrees, raw: Degree, /) -> Degree: ...
    @overload
    def __call__(self, field: Shapes, raw: Shape, /) -> Shape: ...
    @overload
    def __call__(self, field: ScalarField, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Balls, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: Field,
        raw: np.ndarray | AdjointArray | DualArray | TraceArray | Form | Typed | Spanned | Degree | Shape,
        /,
    ) -> Any: ...

decode: _Decode

class _DrawArray(Verb[..., Any]):
    @overload
    def __call__(
        self,
        field: Dual,
        /,
        *,
        shape: tuple[int, ...],
        seed: int,
        label: str,
    ) -> DualArray: ...
    @overload
    def __call__(
        self,
        field: Adjoint,
        /,
        *,
        shape: tuple[int, ...],
        seed: int,
        label: str,
    ) -> AdjointArray: ...
    @overload
    def __call__(
        self,
        field: Rationals,
        /,
        *,
        shape: tuple[int, ...],
        seed: int,
        label: str,
    ) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: ExtensionField,
        /,
        *,
        shape: tuple[int, ...],
        seed: int,
        label: str,
    ) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: Balls,
        /,
        *,
        shape: tuple[int, ...],
        seed: int,
        label: str,
    ) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: Reals,
        /,
        *,
        shape: tuple[int, ...],
        seed: int,
        label: str,
    ) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: PrimeField,
        /,
        *,
        shape: tuple[int, ...],
        seed: int,
        label: str,
    ) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: Field,
        /,
        *,
        shape: tuple[int, ...],
        seed: int,
        label: str,
    ) -> Any: ...

draw_array: _DrawArray

class _Embed(Verb[..., Any]):
    @overload
    def __call__(self, field: Dual, constants: object, /) -> DualArray: ...
    @overload
    def __call__(self, field: Adjoint, constants: object, /) -> AdjointArray: ...
    @overload
    def __call__(self, field: Reals, constants: np.ndarray | list | tuple, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, constants: Fraction | int, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Field, constants: object, /) -> Any: ...
    @overload
    def __call__(self, field: PrimeField, constants: Any, /) -> np.ndarray: ...

embed: _Embed

class _Encode(Verb[..., Any]):
    @overload
    def __call__(
        self,
        field: Trace,
        array: np.ndarray | int | float | Fraction | list | tuple,
        /,
        *,
        argument: str = "array",
    ) -> TraceArray: ...
    @overload
    def __call__(self, field: Virtual, array: Any, /, *, argument: str = "array") -> Numbers: ...
    @overload
    def __call__(self, field: Types, array: Any, /, *, argument: str = "array") -> Typed: ...
    @overload
    def __call__(self, field: Spans, array: Any, /, *, argument: str = "array") -> Spanned: ...
    @overload
    def __call__(self, field: Dual, array: object, /, *, argument: str = "array") -> DualArray: ...
    @overload
    def __call__(self, field: Degrees, array: Any, /, *, argument: str = "array") -> Degree: ...
    @overload
    def __call__(self, field: Shapes, array: Any, /, *, argument: str = "array") -> Shape: ...
    @overload
    def __call__(
        self,
        field: Adjoint,
        array: object,
        /,
        *,
        argument: str = "array",
    ) -> AdjointArray: ...
    @overload
    def __call__(
        self,
        field: ScalarField,
        array: Any,
        /,
        *,
        argument: str = "array",
    ) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: Balls,
        array: np.ndarray | int | float | list | tuple | object,
        /,
        *,
        argument: str = "array",
    ) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: PrimeField,
        array: Any,
        /,
        *,
        argument: str = "array",
    ) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: SingleReals,
        array: Any,
        /,
        *,
        argument: str = "array",
    ) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, array: Any, /, *, argument: str = "array") -> np.ndarray: ...
    @overload
    def __call__(self, field: Field, array: object, /, *, argument: str = "array") -> Any: ...

encode: _Encode

class _Entrywise(Verb[..., Any]):
    @overload
    def __call__(self, field: RealsOrNan, function: Log, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, function: Log, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: RealsOrNan, function: Sqrt, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, function: Sqrt, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: PrimeField, function: Given, raw: object, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Trace, function: Function, raw: TraceArray, /) -> TraceArray: ...
    @overload
    def __call__(self, field: Virtual, function: Function, raw: Form, /) -> Form: ...
    @overload
    def __call__(self, field: Types, function: Positive, raw: Typed, /) -> Typed: ...
    @overload
    def __call__(self, field: Types, function: Sqrt, raw: Typed, /) -> Typed: ...
    @overload
    def __call__(self, field: Types, function: Function, raw: Typed, /) -> Typed: ...
    @overload
    def __call__(self, field: Spans, function: Function, raw: Spanned, /) -> Spanned: ...
    @overload
    def __call__(self, field: Elementary, function: Positive, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Elementary, function: Sqrt, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Elementary, function: Erf, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Elementary, function: Log, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Elementary, function: Sigmoid, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Elementary, function: Exp, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Dual, function: Function, raw: DualArray, /) -> DualArray: ...
    @overload
    def __call__(self, field: Shapes, function: Function, raw: Shape, /) -> Shape: ...
    @overload
    def __call__(
        self,
        field: Adjoint,
        function: Function,
        raw: AdjointArray,
        /,
    ) -> AdjointArray: ...
    @overload
    def __call__(self, field: Balls, function: Sqrt, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Balls, function: Sigmoid, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, function: Sigmoid, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: BallsOfValues,
        function: Positive,
        raw: np.ndarray,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, field: Balls, function: Positive, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Rationals, function: Positive, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, function: Positive, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Balls, function: Log, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Balls, function: Exp, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, function: Exp, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Balls, function: Erf, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, function: Erf, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Field, function: Function, raw: object, /) -> Any: ...

entrywise: _Entrywise

class _Largest(Verb[..., Any]):
    @overload
    def __call__(self, field: Trace, raw: TraceArray, /, *, count: int) -> TraceArray: ...
    @overload
    def __call__(self, field: Virtual, raw: Form, /, *, count: int) -> Form: ...
    @overload
    def __call__(self, field: Types, raw: Typed, /, *, count: int) -> Typed: ...
    @overload
    def __call__(self, field: Spans, raw: Spanned, /, *, count: int) -> Spanned: ...
    @overload
    def __call__(self, field: Dual, raw: DualArray, /, *, count: int) -> DualArray: ...
    @overload
    def __call__(self, field: Shapes, raw: Shape, /, *, count: int) -> Shape: ...
    @overload
    def __call__(self, field: Adjoint, raw: AdjointArray, /, *, count: int) -> AdjointArray: ...
    @overload
    def __call__(self, field: Balls, raw: np.ndarray, /, *, count: int) -> np.ndarray: ...
    @overload
    def __call__(self, field: RealsOrNan, raw: np.ndarray, /, *, count: int) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, raw: np.ndarray, /, *, count: int) -> np.ndarray: ...
    @overload
    def __call__(self, field: Field, raw: _Some, /, *, count: int) -> _Some: ...

largest: _Largest

class _Multiply(Verb[..., Any]):
    @overload
    def __call__(self, field: Trace, left: TraceArray, right: TraceArray, /) -> TraceArray: ...
    @overload
    def __call__(self, field: Virtual, left: Form, right: Form, /) -> Form: ...
    @overload
    def __call__(self, field: Types, left: Typed, right: Typed, /) -> Typed: ...
    @overload
    def __call__(self, field: Spans, left: Spanned, right: Spanned, /) -> Spanned: ...
    @overload
    def __call__(self, field: Dual, left: DualArray, right: DualArray, /) -> DualArray: ...
    @overload
    def __call__(self, field: Degrees, left: Degree, right: Degree, /) -> Degree: ...
    @overload
    def __call__(self, field: Shapes, left: Shape, right: Shape, /) -> Shape: ...
    @overload
    def __call__(
        self,
        field: Adjoint,
        left: AdjointArray,
        right: AdjointArray,
        /,
    ) -> AdjointArray: ...
    @overload
    def __call__(
        self,
        field: ScalarField,
        left: np.ndarray,
        right: np.ndarray,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, field: Balls, left: np.ndarray, right: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, left: np.ndarray, right: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: PrimeField, left: np.ndarray, right: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: Field,
        left: _Some,
        right: TraceArray | Form | Typed | Spanned | DualArray | Degree | Shape | AdjointArray | np.ndarray,
        /,
    ) -> _Some: ...

multiply: _Multiply

class _Negate(Verb[..., Any]):
    @overload
    def __call__(self, field: Trace, raw: TraceArray, /) -> TraceArray: ...
    @overload
    def __call__(self, field: Virtual, raw: Form, /) -> Form: ...
    @overload
    def __call__(self, field: Types, raw: Typed, /) -> Typed: ...
    @overload
    def __call__(self, field: Spans, raw: Spanned, /) -> Spanned: ...
    @overload
    def __call__(self, field: Dual, raw: DualArray, /) -> DualArray: ...
    @overload
    def __call__(self, field: Degrees, raw: Degree, /) -> Degree: ...
    @overload
    def __call__(self, field: Shapes, raw: Shape, /) -> Shape: ...
    @overload
    def __call__(self, field: Adjoint, raw: AdjointArray, /) -> AdjointArray: ...
    @overload
    def __call__(self, field: ScalarField, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Balls, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: PrimeField, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Field, raw: _Some, /) -> _Some: ...

negate: _Negate

class _Product(Verb[..., Any]):
    @overload
    def __call__(
        self,
        field: ScalarField,
        left: np.ndarray,
        right: np.ndarray,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, field: Balls, left: np.ndarray, right: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, left: np.ndarray, right: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: PrimeField, left: np.ndarray, right: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Trace, left: TraceArray, right: TraceArray, /) -> TraceArray: ...
    @overload
    def __call__(self, field: Virtual, left: Form, right: Form, /) -> Form: ...
    @overload
    def __call__(self, field: Types, left: Typed, right: Typed, /) -> Typed: ...
    @overload
    def __call__(self, field: Spans, left: Spanned, right: Spanned, /) -> Spanned: ...
    @overload
    def __call__(self, field: Dual, left: DualArray, right: DualArray, /) -> DualArray: ...
    @overload
    def __call__(self, field: Degrees, left: Degree, right: Degree, /) -> Degree: ...
    @overload
    def __call__(self, field: Shapes, left: Shape, right: Shape, /) -> Shape: ...
    @overload
    def __call__(
        self,
        field: Adjoint,
        left: AdjointArray,
        right: AdjointArray,
        /,
    ) -> AdjointArray: ...
    @overload
    def __call__(
        self,
        field: Field,
        left: _Some,
        right: np.ndarray | TraceArray | Form | Typed | Spanned | DualArray | Degree | Shape | AdjointArray,
        /,
    ) -> _Some: ...

product: _Product

class _Reciprocal(Verb[..., Any]):
    @overload
    def __call__(self, field: Trace, raw: TraceArray, /) -> TraceArray: ...
    @overload
    def __call__(self, field: Virtual, raw: Form, /) -> Form: ...
    @overload
    def __call__(self, field: Types, raw: Typed, /) -> Typed: ...
    @overload
    def __call__(self, field: Spans, raw: Spanned, /) -> Spanned: ...
    @overload
    def __call__(self, field: Dual, raw: DualArray, /) -> DualArray: ...
    @overload
    def __call__(self, field: Degrees, raw: Degree, /) -> Degree: ...
    @overload
    def __call__(self, field: Shapes, raw: Shape, /) -> Shape: ...
    @overload
    def __call__(self, field: Adjoint, raw: AdjointArray, /) -> AdjointArray: ...
    @overload
    def __call__(self, field: ScalarField, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Balls, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: PrimeField, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: RealsOrNan, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Field, raw: _Some, /) -> _Some: ...

reciprocal: _Reciprocal

class _Rotate(Verb[..., Any]):
    @overload
    def __call__(
        self,
        field: Trace,
        raw: TraceArray,
        /,
        *,
        angles: tuple[float, ...],
        positions: tuple[int, ...],
    ) -> TraceArray: ...
    @overload
    def __call__(
        self,
        field: Virtual,
        raw: Form,
        /,
        *,
        angles: tuple[float, ...],
        positions: tuple[int, ...],
    ) -> Form: ...
    @overload
    def __call__(
        self,
        field: Types,
        raw: Typed,
        /,
        *,
        angles: tuple[float, ...],
        positions: tuple[int, ...],
    ) -> Typed: ...
    @overload
    def __call__(
        self,
        field: Field,
        raw: object,
        /,
        *,
        angles: tuple[float, ...],
        positions: tuple[int, ...],
    ) -> Any: ...

rotate: _Rotate

class _Slope(Verb[..., Any]):
    @overload
    def __call__(self, field: Field, function: Exp, argument: object, value: object, /) -> Any: ...
    @overload
    def __call__(self, field: Field, function: Log, argument: object, value: object, /) -> Any: ...
    @overload
    def __call__(
        self,
        field: Field,
        function: Sigmoid,
        argument: object,
        value: object,
        /,
    ) -> Any: ...
    @overload
    def __call__(self, field: Field, function: Sqrt, argument: object, value: object, /) -> Any: ...
    @overload
    def __call__(
        self,
        field: PrimeField,
        function: Given,
        argument: object,
        value: object,
        /,
    ) -> np.ndarray | None: ...
    @overload
    def __call__(
        self,
        field: Elementary,
        function: Erf,
        argument: np.ndarray,
        value: object,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: Field,
        function: Positive,
        argument: object,
        value: object,
        /,
    ) -> None: ...
    @overload
    def __call__(
        self,
        field: Balls,
        function: Erf,
        argument: np.ndarray,
        value: object,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: Reals,
        function: Erf,
        argument: np.ndarray,
        value: object,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(
        self,
        field: Field,
        function: Function,
        argument: object,
        value: object,
        /,
    ) -> Any: ...

slope: _Slope

class _Take(Verb[..., Any]):
    @overload
    def __call__(
        self,
        field: Trace,
        raw: TraceArray,
        /,
        *,
        rows: Any,
        columns: Any,
    ) -> TraceArray: ...
    @overload
    def __call__(self, field: Virtual, raw: Form, /, *, rows: Any, columns: Any) -> Form: ...
    @overload
    def __call__(self, field: Types, raw: Typed, /, *, rows: Any, columns: Any) -> Typed: ...
    @overload
    def __call__(self, field: Spans, raw: Spanned, /, *, rows: Any, columns: Any) -> Spanned: ...
    @overload
    def __call__(self, field: Dual, raw: DualArray, /, *, rows: Any, columns: Any) -> DualArray: ...
    @overload
    def __call__(self, field: Degrees, raw: Degree, /, *, rows: Any, columns: Any) -> Degree: ...
    @overload
    def __call__(self, field: Shapes, raw: Shape, /, *, rows: Any, columns: Any) -> Shape: ...
    @overload
    def __call__(
        self,
        field: Adjoint,
        raw: AdjointArray,
        /,
        *,
        rows: Any,
        columns: Any,
    ) -> AdjointArray: ...
    @overload
    def __call__(
        self,
        field: Field,
        raw: np.ndarray,
        /,
        *,
        rows: Any,
        columns: Any,
    ) -> np.ndarray: ...

take: _Take

class _Transpose(Verb[..., Any]):
    @overload
    def __call__(self, field: Trace, raw: TraceArray, /) -> TraceArray: ...
    @overload
    def __call__(self, field: Virtual, raw: Form, /) -> Form: ...
    @overload
    def __call__(self, field: Types, raw: Typed, /) -> Typed: ...
    @overload
    def __call__(self, field: Spans, raw: Spanned, /) -> Spanned: ...
    @overload
    def __call__(self, field: Dual, raw: DualArray, /) -> DualArray: ...
    @overload
    def __call__(self, field: Degrees, raw: Degree, /) -> Degree: ...
    @overload
    def __call__(self, field: Shapes, raw: Shape, /) -> Shape: ...
    @overload
    def __call__(self, field: Adjoint, raw: AdjointArray, /) -> AdjointArray: ...
    @overload
    def __call__(self, field: ScalarField, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Balls, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Reals, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: PrimeField, raw: np.ndarray, /) -> np.ndarray: ...
    @overload
    def __call__(self, field: Field, raw: _Some, /) -> _Some: ...

transpose: _Transpose
