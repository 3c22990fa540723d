"""Exact fields whose elements are scalars of FLINT in arrays of objects.

They are slow, and there for questions for which a prime field is too small, and for numbers that users have.
"""

from __future__ import annotations

import functools
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import whole
from algatt.errors import DivisionByZero, InvalidArgument, in_words
from algatt.fields.ball import entrywise
from algatt.fields.base import Field
from algatt.fields.prime import checked_prime, galois_characteristic, residue
from algatt.randomness import random_residues, random_words


@dataclass(frozen=True)
class ScalarField(Field, ABC):
    """A field of FLINT's scalars; raw and public arrays hold them."""

    @property
    def exact(self) -> bool:
        return True

    @property
    @abstractmethod
    def scalar(self) -> Callable[[Any], Any]:
        """What makes a scalar of a number, or of a scalar."""

    @property
    @abstractmethod
    def drawn(self) -> int:
        """The number of elements among which a random one is chosen."""

    @classmethod
    def examples(cls) -> Iterable[Field]:
        return (ExtensionField(2, 5), ExtensionField(31, 3), ExtensionField(2305843009213693951, 2), Rationals())


@dataclass(frozen=True)
class ExtensionField(ScalarField):
    """The field GF(p^n), as polynomials modulo the one that FLINT takes.

    Parameters
    ----------
    p : int
        A prime below 2^63.
    degree : int
        The degree n over GF(p).
    """

    p: int
    degree: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", checked_prime(self.p))
        object.__setattr__(self, "degree", whole("degree", self.degree))

    @property
    def characteristic(self) -> int:
        return self.p

    @property
    def scalar(self) -> Callable[[Any], Any]:
        import flint

        context = finite_field(self.p, self.degree)

        def element(entry: Any) -> Any:
            if isinstance(entry, Fraction):
                entry = residue(entry, self.p)
            return entry if isinstance(entry, flint.fq_default) else context(entry)

        return element

    @property
    def drawn(self) -> int:
        return self.p**self.degree

    def __str__(self) -> str:
        return f"GF({self.p}^{self.degree})"


@dataclass(frozen=True)
class Rationals(ScalarField):
    """The rational numbers, which hold all floats exactly.

    Arrays of objects in which a `fractions.Fraction` or a `flint.fmpq` is are over the rational numbers; what comes out
    is `flint.fmpq`.
    """

    @property
    def scalar(self) -> Callable[[Any], Any]:
        return rational

    @property
    def drawn(self) -> int:
        return 2**64

    def __str__(self) -> str:
        return "QQ"


@functools.cache
def finite_field(p: int, degree: int) -> Any:
    """Return FLINT's context of GF(p^n): the same one each time, since it adds no scalars of two contexts."""
    import flint

    return flint.fq_default_ctx(p, degree)


def rational(entry: Any) -> Any:
    """Return a number as a rational number of FLINT."""
    import flint

    return flint.fmpq(*entry.as_integer_ratio()) if isinstance(entry, float | Fraction) else flint.fmpq(entry)


def holds_rationals(array: Any) -> bool:
    """Return whether an array, or a list of lists, holds a fraction of Python or of FLINT, which is not imported for
    it.
    """
    if isinstance(array, list | tuple):
        return any(map(holds_rationals, array))
    kinds = (Fraction, getattr(sys.modules.get("flint"), "fmpq", Fraction))
    if isinstance(array, np.ndarray):
        return array.dtype.kind == "O" and any(isinstance(entry, kinds) for entry in array.flat)
    return isinstance(array, kinds)


@verbs.encode.method
def encode_scalars(field: ScalarField, array: Any, *, argument: str = "array") -> np.ndarray:
    order = galois_characteristic(array, argument)
    if order is not None and order != field.characteristic:
        raise InvalidArgument(argument, f"over GF({order})", f"over {field}")
    scalar = field.scalar

    def entered(entry: Any) -> Any:
        try:
            return scalar(entry.item() if isinstance(entry, np.generic) else entry)
        except (TypeError, ValueError, OverflowError) as error:  # not a number, or none that is finite
            raise InvalidArgument(argument, f"with the entry {in_words(entry)}", f"an array over {field}") from error

    return entrywise(entered, np.asarray(array, dtype=object))


@verbs.draw_array.method
def draw_extension(field: ExtensionField, *, shape: tuple[int, ...], seed: int, label: str) -> np.ndarray:
    """Uniform: the coefficients of each element, one after the other."""
    count = int(np.prod(shape, dtype=np.int64))
    coefficients = random_residues(seed, label, count * field.degree, field.p).reshape(count, field.degree)
    drawn = np.empty(count, dtype=object)
    drawn[:] = [field.scalar(row) for row in coefficients.tolist()]
    return drawn.reshape(shape)


@verbs.draw_array.method
def draw_rationals(field: Rationals, *, shape: tuple[int, ...], seed: int, label: str) -> np.ndarray:
    """Uniform on the odd multiples of 2^-63 between -2 and 2: all bits of each word."""
    words = random_words(seed, label, int(np.prod(shape, dtype=np.int64))).tolist()
    drawn = np.empty(len(words), dtype=object)
    drawn[:] = [Fraction(2 * word + 1 - 2**64, 2**63) for word in words]
    return verbs.encode(field, drawn.reshape(shape))


@verbs.circle_points.method
def no_rational_circle_points(field: Rationals, *, angles: tuple[float, ...], positions: tuple[int, ...]) -> Any:
    raise InvalidArgument(
        "field", f"{field}, where cosines and sines of angles have no values", "Reals() or a PrimeField"
    )


@verbs.add.method
def add_scalars(field: ScalarField, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.asarray(left + right, dtype=object)


@verbs.negate.method
def negate_scalars(field: ScalarField, raw: np.ndarray) -> np.ndarray:
    return np.asarray(-raw, dtype=object)


@verbs.multiply.method
def multiply_scalars(field: ScalarField, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.asarray(left * right, dtype=object)


@verbs.reciprocal.method
def reciprocal_scalars(field: ScalarField, raw: np.ndarray) -> np.ndarray:
    if any(entry == 0 for entry in raw.flat):  # asked to divide by zero, FLINT ends the process over some fields
        raise DivisionByZero(f"a denominator is zero in {field}")
    return entrywise(lambda entry: 1 / entry, raw)
