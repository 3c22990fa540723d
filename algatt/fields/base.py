"""What a field is, and arrays of its elements.

A field is a parent in the sense of AbstractAlgebra.jl: a small value that knows how its elements are stored. `Elements` couples a field with a raw
array, so that a network written in ``@``, ``+``, ``*`` and ``.T`` computes over whatever field its numbers carry.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from algatt import verbs
from algatt.errors import InvalidArgument, MethodError

__all__ = ["Elements", "Field", "PublicArray"]


class Field(ABC):
    """A field, or a ring over one, in which networks compute. Its methods are those of the arithmetic verbs."""

    def of_source(self, array: Any) -> Field:
        """Return the field for the numbers of an array that a user gives; floating point notes how precise they are."""
        return self

    def meet(self, other: Field) -> Field:
        """Return the field for what is computed from its elements and those of an equal one, of another precision perhaps."""
        return self

    @classmethod
    def examples(cls) -> Iterable[Field]:
        """Return instances on which the conformance tests run."""
        return ()


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

    def exp(self) -> Elements:
        """Return the exponentials of the entries, over balls or the reals."""
        try:
            return Elements(self.field, verbs.exp(self.field, self.raw))
        except MethodError as error:
            error.add_note("only reals and balls have exponentials; an architecture or a score that uses them says algebraic = False")
            raise

    def __truediv__(self, other: Any) -> Elements:
        return self * Elements(self.field_with(other), self.operand(other)).reciprocal()

    def __rtruediv__(self, other: Any) -> Elements:
        return self.reciprocal() * other

    def __neg__(self) -> Elements:
        return Elements(self.field, verbs.negate(self.field, self.raw))

    __radd__ = __add__
    __rmul__ = __mul__


if TYPE_CHECKING:
    PublicArray: TypeAlias = Any
else:

    class PublicArray(ABC):
        """Stands in signatures for what users give as an array: all but `Elements`, as no class has all that numpy reads."""

        @classmethod
        def __subclasshook__(cls, other: type) -> bool:
            return not issubclass(other, Elements)


@verbs.embed.method
def embed_by_encoding(field: Field, constants: object) -> Any:
    return verbs.encode(field, constants, argument="operand")
