"""What a field is, and arrays of its elements.

A field is a parent in the sense of AbstractAlgebra.jl: a small value that knows how its elements are stored. `Elements`
couples a field with a raw array, so that a network written in ``@``, ``+``, ``*`` and ``.T`` computes over whatever
field its numbers carry.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from algatt import verbs
from algatt.arguments import integer
from algatt.errors import InvalidArgument, MethodError


class Field(ABC):
    """A field, or a ring over one, in which networks compute. Its methods are those of the arithmetic verbs."""

    @property
    def characteristic(self) -> int:
        """The prime p whose multiples are zero in the field; 0 if there is none."""
        return 0

    @property
    def exact(self) -> bool:
        """Whether its numbers are what they stand for, nothing being rounded, so that they can be told from zero."""
        return False

    @property
    def status(self) -> str:
        """What is worth that its numbers decide: ``proven``, or ``numerical`` if they are rounded."""
        return "proven" if self.exact else "numerical"

    def vanishes(self, number: int) -> bool:
        """Return whether an integer is zero in the field."""
        return number % self.characteristic == 0 if self.characteristic else number == 0

    def of_source(self, array: Any) -> Field:
        """Return the field for the numbers of an array that a user gives; floating point notes how precise they are."""
        return self

    def meet(self, other: Field) -> Field:
        """Return the field for what is computed from its elements and those of an equal one, of another precision
        perhaps.
        """
        return self

    def lift(self, raw: Any) -> Any:
        """Return a raw array over the field below all derivatives as constants; other fields have it as it is."""
        return raw

    def is_same(self, one: Any, other: Any) -> bool:
        """Return whether two raw arrays are known to be the same, where nothing is computed but what is known of them:
        then what is made of one is known of the other. Numbers are not compared.
        """
        return False

    @classmethod
    def examples(cls) -> Iterable[Field]:
        """Return instances on which the conformance tests run."""
        return ()


class Differential(Field):
    """A ring over a field, whose numbers have derivatives or a history beside them; constants have none, and what
    decides is the number of the field.

    Parameters
    ----------
    base : Field
        The field.
    """

    base: Field

    @property
    def characteristic(self) -> int:
        return self.base.characteristic

    @property
    def exact(self) -> bool:
        return self.base.exact

    @abstractmethod
    def constant(self, value: Any) -> Any:
        """Return raw numbers of the field as raw constants."""

    @abstractmethod
    def value(self, raw: Any) -> Any:
        """Return the numbers of the field of a raw array."""


@dataclass(frozen=True, eq=False)
class Elements:
    """An array of elements of a field, in the field's raw representation.

    Parameters
    ----------
    field : Field
        The parent.
    raw : object
        The raw array; it has a `shape`. Its numbers are added and multiplied by the verbs alone, which know the field.
    """

    # Without this, ``numpy_array * elements`` would loop over the entries of the numpy array.
    __array_ufunc__: ClassVar[None] = None

    field: Field
    raw: Any

    @classmethod
    def of(cls, field: Field, array: Any, argument: str = "array") -> Elements:
        """Take a public array into `field`."""
        raw = verbs.encode(field, array, argument=argument)
        return cls(field.of_source(array), raw)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return tuple(self.raw.shape)

    @property
    def T(self) -> Elements:
        """The transpose: the last two axes exchanged."""
        return Elements(self.field, verbs.transpose(self.field, self.raw))

    def public(self) -> Any:
        """Return the public array: galois over GF(p), numpy over the reals."""
        return verbs.decode(self.field, self.raw)

    def operand(self, other: Any) -> Any:
        """Return the raw array of the other operand; plain numbers and integer arrays are constants of every field."""
        if not isinstance(other, Elements):
            return verbs.embed(self.field, other)
        if other.field != self.field:
            raise InvalidArgument("operand", f"over {other.field}", f"over {self.field}")
        return other.raw

    def field_with(self, other: Any) -> Field:
        """Return the field of what is computed with another operand."""
        return self.field.meet(other.field) if isinstance(other, Elements) else self.field

    def __add__(self, other: Any) -> Elements:
        return Elements(self.field_with(other), verbs.add(self.field, self.raw, self.operand(other)))

    def __sub__(self, other: Any) -> Elements:
        return self + Elements(self.field_with(other), verbs.negate(self.field, self.operand(other)))

    def __rsub__(self, other: Any) -> Elements:
        return -self + other

    def __mul__(self, other: Any) -> Elements:
        return Elements(self.field_with(other), verbs.multiply(self.field, self.raw, self.operand(other)))

    def __matmul__(self, other: Any) -> Elements:
        return Elements(self.field_with(other), verbs.product(self.field, self.raw, self.operand(other)))

    def __rmatmul__(self, other: Any) -> Elements:
        return Elements(self.field, verbs.product(self.field, self.operand(other), self.raw))

    def reciprocal(self) -> Elements:
        """Return the reciprocals of the entries; `DivisionByZero` is raised where there are none."""
        return Elements(self.field, verbs.reciprocal(self.field, self.raw))

    def entrywise(self, function: Any) -> Elements:
        """Return the values of a `Function` such as `Exp` at the entries.

        Raises
        ------
        MethodError
            If the function has no values over the field.
        DomainError
            Outside of its domain.
        """
        try:
            return Elements(self.field, verbs.entrywise(self.field, function, self.raw))
        except MethodError as error:
            if type(function).__module__.startswith("algatt."):
                error.add_note(
                    "exponentials, roots and gates have values over the reals: algatt.sample(arch, algatt.Weights, "
                    "field=algatt.Reals()) draws such weights"
                )
            raise

    def exp(self) -> Elements:
        """Return the exponentials of the entries."""
        return self.entrywise(functions().Exp())

    def sqrt(self) -> Elements:
        """Return the square roots of the entries."""
        return self.entrywise(functions().Sqrt())

    def largest(self, count: int) -> Elements:
        """Return constants: 1 at the `count` largest entries of each column, 0 elsewhere."""
        return Elements(self.field, verbs.largest(self.field, self.raw, count=count))

    def sum(self, axis: int) -> Elements:
        """Return the sum over the rows (axis 0) or over the columns (axis 1), as a matrix with one row or
        one column.
        """
        if axis not in (0, 1):
            raise InvalidArgument("axis", repr(axis), "0 for the sum of the rows or 1 for the sum of the columns")
        ones = np.ones((1, self.shape[-2]) if axis == 0 else (self.shape[-1], 1), dtype=np.int64)
        return ones @ self if axis == 0 else self @ ones

    def column_products(self, other: Any) -> Elements:
        """Return the products of each column with the same column of another matrix, as a matrix with one row."""
        return Elements(self.field, verbs.column_products(self.field, self.raw, self.operand(other)))

    def centre(self) -> Elements:
        """Subtract from every column its mean."""
        return Elements(self.field, verbs.centre(self.field, self.raw))

    def rotate(self, angles: tuple[float, ...], positions: tuple[int, ...]) -> Elements:
        """Turn the rows 2 f and 2 f + 1 of column number k by the angle number f, times position number k."""
        return Elements(self.field, verbs.rotate(self.field, self.raw, angles=angles, positions=positions))

    def __getitem__(self, key: Any) -> Elements:
        """Return a submatrix: ``X[rows]`` or ``X[rows, columns]``, slices or sequences of different numbers. Matrices
        stay matrices.
        """
        keys = key if isinstance(key, tuple) else (key,)
        if len(keys) > 2 or len(self.shape) < 2:
            raise InvalidArgument("index", repr(key), "rows, or rows and columns, of a matrix")
        rows, columns = (
            positions(axis, one, size)
            for axis, one, size in zip(("rows", "columns"), (*keys, slice(None)), self.shape[-2:], strict=False)
        )
        return Elements(self.field, verbs.take(self.field, self.raw, rows=rows, columns=columns))

    def __pow__(self, exponent: int) -> Elements:
        exponent = integer("exponent", exponent)
        if exponent < 0:
            return self.reciprocal() ** -exponent
        if exponent == 0:
            return self * 0 + 1
        value = self
        for bit in f"{exponent:b}"[1:]:
            value = value * value
            if bit == "1":
                value = value * self
        return value

    def __truediv__(self, other: Any) -> Elements:
        return self * Elements(self.field_with(other), self.operand(other)).reciprocal()

    def __rtruediv__(self, other: Any) -> Elements:
        return self.reciprocal() * other

    def __neg__(self) -> Elements:
        return Elements(self.field, verbs.negate(self.field, self.raw))

    __radd__ = __add__
    __rmul__ = __mul__

    def __iter__(self) -> Any:
        """Refuse: without this, Python would go over ``X[0]``, ``X[1]``, ..."""
        raise TypeError("Elements are one array, not a sequence; take submatrices, or entries of public()")


class Delayed(Elements):
    """An array that is made whenever it is asked for, as several copies of all that a large network has take gigabytes.

    Parameters
    ----------
    field : Field
        The parent.
    size : tuple of int
        The shape of the array.
    make : callable
        Returns the raw array: equal ones, and each a new one.
    """

    size: tuple[int, ...]
    make: Callable[[], Any]

    def __init__(self, field: Field, size: tuple[int, ...], make: Callable[[], Any]) -> None:
        object.__setattr__(self, "field", field)
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "make", make)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.size

    @property
    def raw(self) -> Any:
        return self.make()

    def made(self) -> Elements:
        """Return the array that stays."""
        raw = self.make()
        raw.setflags(write=False)
        return Elements(self.field, raw)


def functions() -> Any:
    """Return the module of the functions, which are made of fields themselves."""
    from algatt.fields import functions

    return functions


def positions(axis: str, key: Any, size: int) -> Any:
    """Return an index along one axis as a slice, or as a tuple of different numbers."""
    if isinstance(key, slice):
        return key
    should = f"a slice, or different integers from 0 to {size - 1}"
    try:
        numbers = tuple(int(number) for number in key)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(axis, repr(key), should) from error
    if len(set(numbers)) != len(numbers) or not all(0 <= number < size for number in numbers):
        raise InvalidArgument(axis, repr(key), should)
    return numbers


def concatenate(parts: Sequence[Elements], axis: int = 0) -> Elements:
    """Put matrices below each other (axis 0) or side by side (axis 1).

    Raises
    ------
    InvalidArgument
        If there are none, they are over several fields, or their sizes do not fit.
    """
    if axis not in (0, 1):
        raise InvalidArgument("axis", repr(axis), "0 to put matrices below each other or 1 to put them side by side")
    if not parts or len({part.field for part in parts}) > 1:
        raise InvalidArgument(
            "parts",
            f"{len(parts)} matrices over {len({part.field for part in parts})} fields",
            "matrices over one field",
        )
    if len({part.shape[-1 - axis] for part in parts}) > 1:
        raise InvalidArgument("parts", f"of shapes {[part.shape for part in parts]}", "matrices of sizes that fit")
    field = parts[0].field
    return Elements(field, verbs.concatenate(field, tuple(part.raw for part in parts), axis=axis - 2))


if TYPE_CHECKING:
    PublicArray: TypeAlias = Any
else:

    class PublicArray(ABC):
        """Stands in signatures for what users give as an array: all but `Elements`, as no class has all that numpy
        reads.
        """

        @classmethod
        def __subclasshook__(cls, other: type) -> bool:
            return not issubclass(other, Elements)


@verbs.embed.method
def embed_by_encoding(field: Field, constants: object) -> Any:
    return verbs.encode(field, constants, argument="operand")


@verbs.decode.method
def decode_as_it_is(field: Field, raw: object) -> Any:
    return raw


@verbs.transpose.method
def transpose_arrays(field: Field, raw: np.ndarray) -> np.ndarray:
    return np.swapaxes(raw, -1, -2)


@verbs.take.method
def take_from_arrays(field: Field, raw: np.ndarray, *, rows: Any, columns: Any) -> np.ndarray:
    return raw[..., rows, :][..., columns]


@verbs.concatenate.method
def concatenate_arrays(field: Field, parts: tuple, *, axis: int) -> np.ndarray:
    batch = np.broadcast_shapes(*(part.shape[:-2] for part in parts))
    return np.concatenate([np.broadcast_to(part, (*batch, *part.shape[-2:])) for part in parts], axis=axis)


@verbs.column_products.method
def column_products_by_sums(field: Field, left: object, right: object) -> Any:
    return (Elements(field, left) * Elements(field, right)).sum(axis=0).raw


@verbs.centre.method
def centre_by_sums(field: Field, raw: object) -> Any:
    X = Elements(field, raw)
    return (X - X.sum(axis=0) * Fraction(1, X.shape[-2])).raw


@verbs.rotate.method
def rotate_pairs(field: Field, raw: object, *, angles: tuple[float, ...], positions: tuple[int, ...]) -> Any:
    X, count = Elements(field, raw), 2 * len(angles)
    cosines, sines = (Elements(field, part) for part in verbs.circle_points(field, angles=angles, positions=positions))
    first, second = X[0:count:2], X[1:count:2]
    turned = concatenate((first * cosines - second * sines, first * sines + second * cosines))
    return turned[[half + pair for pair in range(len(angles)) for half in (0, len(angles))]].raw


@verbs.column_maximum.method
def no_column_maximum(field: Field, raw: object, *, mask: np.ndarray | None = None) -> Any:
    """Where nothing overflows, nothing has to be subtracted."""
    return None


@verbs.encode.method
def encode_constants(field: Differential, array: object, *, argument: str = "array") -> Any:
    return field.constant(verbs.encode(field.base, array, argument=argument))


@verbs.embed.method
def embed_constants(field: Differential, constants: object) -> Any:
    return field.constant(verbs.embed(field.base, constants))


@verbs.decode.method
def decode_values(field: Differential, raw: object) -> Any:
    return verbs.decode(field.base, field.value(raw))


@verbs.largest.method
def largest_values(field: Differential, raw: object, *, count: int) -> Any:
    return field.constant(verbs.largest(field.base, field.value(raw), count=count))


@verbs.column_maximum.method
def column_maximum_of_values(field: Differential, raw: object, *, mask: np.ndarray | None = None) -> Any:
    largest = verbs.column_maximum(field.base, field.value(raw), mask=mask)
    return None if largest is None else field.constant(largest)


@verbs.circle_points.method
def constant_circle_points(field: Differential, *, angles: tuple[float, ...], positions: tuple[int, ...]) -> Any:
    cosines, sines = verbs.circle_points(field.base, angles=angles, positions=positions)
    return field.constant(cosines), field.constant(sines)
