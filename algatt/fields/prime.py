"""The prime fields GF(p), p < 2^63: galois arrays outside, exact float64 or Python integers inside."""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import is_integer
from algatt.errors import DivisionByZero, InvalidArgument
from algatt.fields.arrays import IN_CACHE, convert, is_galois_class, kind_in_words, public_array
from algatt.fields.base import Field, PublicArray
from algatt.randomness import random_residues

DEFAULT_PRIME = 8388593
"""The largest prime below 2^23 - 8: with balanced residues, 512 products add up below 2^53, exactly in float64."""

SMALL = 2**24
"""Below this integers are divided by all smaller ones up to the root to see whether they are prime."""

CLASSES = threading.RLock()
"""Held while galois makes a class: for two threads that ask at once it would make two, whose arrays do not add up."""


@dataclass(frozen=True)
class PrimeField(Field):
    """The field GF(p) with p elements.

    Parameters
    ----------
    p : int or galois field class, optional
        A prime below 2^63, or a galois class such as ``galois.GF(31)``.

    Raises
    ------
    InvalidArgument
        If `p` is not such a prime.

    Notes
    -----
    Raw arrays hold the residues 0, ..., p - 1: as float64 below 2^31, where sums of products are kept exact, and as
    Python integers above.
    """

    p: int = DEFAULT_PRIME

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", checked_prime(self.p))

    @property
    def characteristic(self) -> int:
        return self.p

    @property
    def exact(self) -> bool:
        return True

    @property
    def galois(self) -> Any:
        """The galois class of this field."""
        import galois

        with CLASSES:
            if any(one.order == self.p for one in galois.FieldArray.__subclasses__()):
                return galois.GF(self.p)  # in the mode that its maker chose
            # galois evaluates a polynomial once for a new class, by a loop that it compiles if the class compiles.
            new = galois.GF(self.p, compile="python-calculate")
            new.compile("auto")
            return new

    @property
    def dtype(self) -> type:
        """The numpy type of raw arrays."""
        return np.float64 if self.p < 2**31 else object

    def __repr__(self) -> str:
        return f"PrimeField({self.p})"

    def __str__(self) -> str:
        return f"GF({self.p})"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        return tuple(cls(p) for p in (2, 3, 31, 3191, 1048583, DEFAULT_PRIME, 2147483647, 2305843009213693951))


def checked_prime(p: Any) -> int:
    """Return `p`, or the characteristic of a galois class, as an int; raise `InvalidArgument` unless it is a prime
    below 2^63.
    """
    should = "a prime below 2^63, or a galois class whose order is one"
    if isinstance(p, type):
        cls: Any = p
        if not is_galois_class(cls) or cls.degree != 1:
            raise InvalidArgument("p", getattr(p, "name", p.__name__), should)
        p = cls.characteristic
    if not is_integer(p):
        raise InvalidArgument("p", repr(p), should)
    if p >= 2**63:
        raise InvalidArgument("p", f"{p}, which is too large", should)
    if not is_prime(int(p)):
        raise InvalidArgument("p", f"{p}, which is not prime", should)
    return int(p)


@functools.lru_cache
def is_prime(p: int) -> bool:
    """Return whether an integer is a prime; flint takes about as long to import as numpy, and small ones need none."""
    if p < SMALL:
        return p > 1 and all(p % divisor for divisor in range(2, math.isqrt(p) + 1))
    import flint

    return bool(flint.fmpz(p).is_prime())


def galois_characteristic(array: Any, argument: str = "array") -> int | None:
    """Return the order of the prime field of a galois array, or None if `array` is no galois array.

    Raises
    ------
    InvalidArgument
        Naming `argument`, if the array is over an extension field, or modulo a prime above 2^63.
    """
    cls = type(array)
    if not is_galois_class(cls):
        return None
    if cls.degree != 1:
        raise InvalidArgument(argument, f"over {cls.name}", "over a prime field")
    if cls.characteristic >= 2**63:
        raise InvalidArgument(argument, f"over {cls.name}", "over GF(p) for a prime p below 2^63")
    return int(cls.characteristic)


def python_integers(values: np.ndarray) -> np.ndarray:
    """Return integers of any type as Python's, which do not wrap."""
    return np.asarray(np.frompyfunc(int, 1, 1)(values), dtype=object)


def reduce_floats(x: np.ndarray, p: int) -> np.ndarray:
    """Reduce exact integers of size at most 2^53 - p modulo p, in place, to balanced residues: of size at most p / 2 +
    2, and 0 only as 0.
    """
    quotient = np.multiply(x, 1.0 / p)
    np.rint(quotient, out=quotient)
    quotient *= p
    x -= quotient
    return x


def residues_of_floats(x: np.ndarray, p: int) -> np.ndarray:
    """Return the residues of floats, integers times powers of two as they are, modulo an odd prime below 2^31."""
    fractions, exponents = np.frexp(x)
    least, most = (int(bound) for bound in (exponents.min(), exponents.max()))
    powers = np.array([pow(2, exponent - 53, p) for exponent in range(least, most + 1)], dtype=np.int64)
    integers = (fractions * 2.0**53).astype(np.int64) % p
    return integers * powers[exponents - least] % p


def canonical(x: np.ndarray, p: int) -> np.ndarray:
    """Reduce exact integers of size below 2^51 modulo p, in place, to 0, ..., p - 1.

    The half keeps the quotient away from the integers, further than its rounding error; so the floor is exact.
    """
    quotient = np.asarray(x + 0.5)
    quotient *= 1.0 / p
    np.floor(quotient, out=quotient)
    quotient *= p
    x -= quotient
    return x


def holds_integers(values: np.ndarray) -> bool:
    """Return whether an array holds integers and nothing else; truth values are none."""
    return values.dtype.kind in "iu" or (values.dtype.kind == "O" and all(type(x) is int for x in values.flat))


@verbs.encode.method
def encode_residues(field: PrimeField, array: PublicArray, *, argument: str = "array") -> np.ndarray:
    plain = type(array) is np.ndarray and array.dtype.kind in "iu"
    order = None if plain else galois_characteristic(array, argument)
    if order is not None and order != field.p:
        raise InvalidArgument(argument, f"over GF({order})", f"over {field}")
    values = array if plain else public_array(array, argument)[0]
    if order is None and not holds_integers(values):
        if values.size:
            should = f"a galois array over {field}, or integers 0..{field.p - 1}"
            should += "; floats go with weights over algatt.Reals()" if values.dtype.kind == "f" else ""
            raise InvalidArgument(argument, kind_in_words(array, values), should)
        values = values.astype(np.int64)
    if order is None and values.size and (values.min() < 0 or values.max() >= field.p):
        raise InvalidArgument(
            argument, f"with entries from {values.min()} to {values.max()}", f"with entries 0..{field.p - 1} of {field}"
        )
    if field.dtype is object:
        return python_integers(values.view(np.ndarray))
    if values.size < IN_CACHE:
        return values.view(np.ndarray).astype(field.dtype)
    raw: np.ndarray = np.empty(values.shape)
    convert(values.view(np.ndarray), raw)
    return raw


@verbs.embed.method
def embed_rationals(field: PrimeField, constants: PublicArray) -> np.ndarray:
    plain = type(constants) in (int, Fraction, np.ndarray)
    values = np.asarray(constants) if plain else public_array(constants, "operand")[0]
    if plain or galois_characteristic(constants) is None:
        if holds_integers(values):
            return np.asarray(values.astype(object) % field.p).astype(field.dtype)
        if values.dtype.kind == "O" and values.size and all(isinstance(entry, int | Fraction) for entry in values.flat):
            residues = [residue(entry, field.p) for entry in values.flat]
            return np.array(residues, dtype=object).reshape(values.shape).astype(field.dtype)
    return verbs.encode(field, constants, argument="operand")


def residue(rational: Fraction | int, p: int) -> int:
    """Return a rational number modulo p."""
    numerator, denominator = rational.as_integer_ratio()
    if denominator % p == 0:
        raise DivisionByZero(f"the denominator of the constant {rational} is zero in GF({p})")
    return numerator * pow(denominator, -1, p) % p


@verbs.decode.method
def decode_residues(field: PrimeField, raw: np.ndarray) -> Any:
    """Write the residues into an array of galois, and check them on the way: galois goes four times through all of an
    array that it is given.
    """
    cls = field.galois
    kind = cls.dtypes[-1]
    if field.dtype is object or not raw.ndim:
        return np.asarray(raw, dtype=kind).view(cls)
    public = np.empty_like(cls.Zeros(1, dtype=kind), shape=raw.shape)

    def check(some: np.ndarray) -> None:
        if some.size and some.view(np.uint64).max() >= field.p:  # where negative numbers are large ones
            some.view(cls)  # galois raises its own error

    convert(raw, public.view(np.ndarray), check)
    return public


@verbs.draw_array.method
def draw_residues(field: PrimeField, *, shape: tuple[int, ...], seed: int, label: str) -> np.ndarray:
    count = int(np.prod(shape, dtype=np.int64))
    return random_residues(seed, label, count, field.p).astype(field.dtype).reshape(shape)


@verbs.add.method
def add_residues(field: PrimeField, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    total = np.asarray(left + right)
    return np.asarray(total % field.p) if field.dtype is object else canonical(total, field.p)


@verbs.negate.method
def negate_residues(field: PrimeField, raw: np.ndarray) -> np.ndarray:
    return np.asarray(-raw % field.p) if field.dtype is object else canonical(np.asarray(-raw), field.p)


@verbs.multiply.method
def multiply_residues(field: PrimeField, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    if field.p < 2**25:  # the product of two residues stays below 2^50
        return canonical(np.asarray(left * right), field.p)
    if field.dtype is object:
        return np.asarray(left * right % field.p)
    return np.asarray(left.astype(np.int64) * right.astype(np.int64) % field.p).astype(np.float64)


@verbs.reciprocal.method
def reciprocal_residues(field: PrimeField, raw: np.ndarray) -> np.ndarray:
    if not np.all(raw):
        raise DivisionByZero(f"a denominator is zero in {field}")
    return power(field, raw, field.p - 2)


FEW = 64
"""Maximum number of residues whose powers Python has sooner than products of arrays."""


def power(field: PrimeField, raw: np.ndarray, exponent: int) -> np.ndarray:
    """Return a power >= 0 of residues: of a few one by one, else by about 2 log_2(exponent) products of arrays."""
    if raw.size <= FEW:
        powers = [pow(int(x), exponent, field.p) for x in raw.ravel().tolist()]
        return np.array(powers, dtype=raw.dtype).reshape(raw.shape)
    found = np.ones(raw.shape, dtype=raw.dtype)
    for bit in f"{exponent:b}":
        found = verbs.multiply(field, found, found)
        if bit == "1":
            found = verbs.multiply(field, found, raw)
    return found


LARGEST_TABLE = 2**24
"""Below it the squares are known by a table, of a byte for each residue."""


def squares(field: PrimeField, raw: np.ndarray) -> np.ndarray:
    """Return which residues are squares that are not zero: by a table, or for large primes by Euler's criterion."""
    if field.p < LARGEST_TABLE:
        return np.asarray(table_of_squares(field.p)[raw.astype(np.int64)])
    return np.asarray(power(field, raw, (field.p - 1) // 2) == 1)


@functools.lru_cache(maxsize=2)
def table_of_squares(p: int) -> np.ndarray:
    """Return for every residue whether it is a square that is not zero."""
    table = np.zeros(p, dtype=bool)
    numbers = np.arange(1, (p + 1) // 2, dtype=np.int64)
    table[numbers * numbers % p] = True
    return table


def square_roots(field: PrimeField, raw: np.ndarray) -> np.ndarray:
    """Return the smaller one of the two roots of each residue, all being squares that are not zero (Tonelli and Shanks;
    a single power where p is 3 modulo 4).
    """
    odd, twos = field.p - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    roots = power(field, raw, (odd + 1) // 2)
    if twos > 1:
        rest = verbs.multiply(field, verbs.multiply(field, roots, roots), verbs.reciprocal(field, raw))
        generator = power(field, first_nonsquare(field), odd)
        for left in range(twos - 1, 0, -1):  # the order of the rest divides 2^left; one more factor makes it 2^(left-1)
            wrong = power(field, rest, 2 ** (left - 1)) != 1
            roots = np.where(wrong, verbs.multiply(field, roots, generator), roots)
            generator = verbs.multiply(field, generator, generator)
            rest = np.where(wrong, verbs.multiply(field, rest, generator), rest)
    return np.asarray(np.minimum(roots, verbs.negate(field, roots)))


def first_nonsquare(field: PrimeField) -> np.ndarray:
    """Return the smallest residue that is no square."""
    number = 2
    while True:
        raw: np.ndarray = verbs.encode(field, np.array([number]))
        if not squares(field, raw).all():
            return raw
        number += 1


UNIT_BITS = 1074
"""Every float is an integer multiple of 2^-1074."""


@verbs.circle_points.method
def circle_points_of_residues(
    field: PrimeField, *, angles: tuple[float, ...], positions: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    return kept_circle_points(field, angles, positions)


@functools.lru_cache(maxsize=64)
def kept_circle_points(
    field: PrimeField, angles: tuple[float, ...], positions: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Return points of the circle as `circle_points` does, computed once: arrays that nobody may change."""
    order, z = random_circle_point(field)
    cosines, sines = (np.empty((len(angles), len(positions)), dtype=object) for _ in range(2))
    for row, angle in enumerate(angles):
        units = Fraction(angle) * 2**UNIT_BITS
        for column, position in enumerate(positions):
            point = circle_power(z, int(units * position) % order, field.p)
            if point == (1, 0) and angle and position:
                was = f"{field}, where a rotation by {position} times {angle} is none"
                raise InvalidArgument("field", was, "a PrimeField with a larger p")
            cosines[row, column], sines[row, column] = point
    points: tuple[np.ndarray, np.ndarray] = cosines.astype(field.dtype), sines.astype(field.dtype)
    for part in points:
        part.flags.writeable = False  # the next caller has the same arrays
    return points


def random_circle_point(field: PrimeField) -> tuple[int, tuple[int, int]]:
    """Return the order of the group of the circle x^2 + y^2 = 1 modulo p, and a random point of it.

    Since floats are integers times large powers of two, times the unit, only the part of the group of odd order sees
    them. There is none for Mersenne primes and for those of Fermat. The power of the point by 2^1074 is not neutral.
    """
    p = field.p
    order = p - 1 if p % 4 == 1 else p + 1
    for r in random_residues(0, "circle", 64, p):
        square = int(r) * int(r) % p
        if (square + 1) % p:
            below = pow(1 + square, -1, p)
            z = (1 - square) * below % p, 2 * int(r) * below % p
            if circle_power(z, pow(2, UNIT_BITS, order), p) != (1, 0):
                return order, z
    was = f"{field}, on whose circle a rotation by any float is none"
    raise InvalidArgument("field", was, "another one, as PrimeField()")


def circle_power(z: tuple[int, int], exponent: int, p: int) -> tuple[int, int]:
    """Return the power of a point of the circle, as a complex number modulo p."""
    x, y = 1, 0
    for bit in f"{exponent:b}":
        x, y = (x * x - y * y) % p, 2 * x * y % p
        if bit == "1":
            x, y = (x * z[0] - y * z[1]) % p, (x * z[1] + y * z[0]) % p
    return x, y
