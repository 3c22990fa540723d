"""Residues with exponentials, roots and logarithms: the prime field of proofs for networks that are no quotients."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import integer
from algatt.errors import DomainError, InvalidArgument, MethodError
from algatt.fields.base import Elements, Field
from algatt.fields.functions import Erf, Exp, Function, Log, Positive, Sigmoid, Sqrt
from algatt.fields.prime import PrimeField, power
from algatt.randomness import random_residues

ELEMENTARY_PRIME = 8388587
"""The largest prime below the default one that is 3 modulo 4, where a power is the root of a square; rotations have
an order of 2097147 there.
"""

LEAST = 2**20
"""Below it residues are too few: random ones coincide, and denominators vanish."""


LARGEST_TABLE = 2**24
"""Below it the squares are known by a table, of a byte for each residue."""


@dataclass(frozen=True)
class Elementary(PrimeField):
    r"""The field GF(p) with a random function in the place of :math:`\exp`, and with square roots.

    Exponentials of functions that are linearly independent over Q modulo constants are algebraically independent of
    everything before them (Ax 1971, Theorem 3). So a random residue is as good as their value, with the derivative that
    the chain rule gives; equal arguments have equal values, and exp(0) = 1.

    Parameters
    ----------
    p : int or galois field class, optional
        A prime from 2^20 to 2^63, or a galois class of such an order.
    seed : int, optional
        Names the random function.

    Raises
    ------
    InvalidArgument
        If `p` is not such a prime.

    Notes
    -----
    What is computed here is a value of the network at one place of the field of its functions only if the exponents are
    independent, and no product of arguments of roots is a square; `algatt.dimension` checks it. Gates have no signs
    here: `algatt.dimension` takes them from a real point.
    """

    p: int = ELEMENTARY_PRIME
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.p < LEAST:
            raise InvalidArgument("p", str(self.p), f"a prime of at least 2^20, such as {ELEMENTARY_PRIME}")
        object.__setattr__(self, "seed", integer("seed", self.seed))

    def __repr__(self) -> str:
        return f"Elementary({self.p}{f', seed={self.seed}' if self.seed else ''})"

    def __str__(self) -> str:
        return f"GF({self.p}) with exp"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        """None: no law of exponentials holds here; that of a sum is no product."""
        return ()


def random_values(field: Elementary, name: str, raw: np.ndarray) -> np.ndarray:
    """Return the values of a random function at residues: one that is not zero for each argument, by its label."""
    arguments, where = np.unique(raw, return_inverse=True)
    drawn = [random_residues(field.seed, f"{name}/{int(x)}", 1, field.p - 1)[0] + np.uint64(1) for x in arguments]
    return np.array([int(x) for x in drawn], dtype=object)[where].reshape(raw.shape).astype(field.dtype)


@verbs.entrywise.method
def exp_of_residues(field: Elementary, function: Exp, raw: np.ndarray) -> np.ndarray:
    """The value at the smaller one of x and -x is drawn, that at the other one is its reciprocal."""
    negative = verbs.negate(field, raw)
    values = random_values(field, "exp", np.minimum(raw, negative))
    values = np.where(raw > negative, verbs.reciprocal(field, values), values)
    return np.where(raw == 0, 1, values).astype(field.dtype)


@verbs.entrywise.method
def sigmoid_of_residues(field: Elementary, function: Sigmoid, raw: np.ndarray) -> np.ndarray:
    exponential = Elements(field, raw).exp()
    value: np.ndarray = (exponential / (exponential + 1)).raw
    return value


@verbs.entrywise.method
def log_of_residues(field: Elementary, function: Log, raw: np.ndarray) -> np.ndarray:
    if not np.all(raw):
        raise DomainError(f"a logarithm of 0 in {field}")
    return np.where(raw == 1, 0, random_values(field, "log", raw)).astype(field.dtype)


@verbs.entrywise.method
def erf_of_residues(field: Elementary, function: Erf, raw: np.ndarray) -> np.ndarray:
    r"""The function is odd: its value at the smaller one of x and -x is drawn."""
    negative = verbs.negate(field, raw)
    values = random_values(field, "erf", np.minimum(raw, negative))
    values = np.where(raw > negative, verbs.negate(field, values), values)
    return np.where(raw == 0, 0, values).astype(field.dtype)


@verbs.slope.method
def slope_of_erf(field: Elementary, function: Erf, argument: np.ndarray, value: object) -> np.ndarray:
    r"""The density :math:`2 / \sqrt\pi\, e^{-x^2}` is random too, the constant being a part of it."""
    return random_values(field, "density", verbs.multiply(field, argument, argument))


@verbs.entrywise.method
def sqrt_of_residues(field: Elementary, function: Sqrt, raw: np.ndarray) -> np.ndarray:
    if not np.all(squares(field, raw)):
        raise DomainError(f"a square root of a number that is no square in {field}")
    return square_roots(field, raw)


@verbs.entrywise.method
def no_signs_of_residues(field: Elementary, function: Positive, raw: np.ndarray) -> np.ndarray:
    raise MethodError(f"a gate has no sign in {field}; dimension() takes the signs of a real point")


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


@dataclass(frozen=True, eq=False)
class Given(Function):
    """A function whose values and derivatives at the arguments that it meets are known.

    Parameters
    ----------
    value : ndarray
        The raw values.
    derivative : ndarray or None
        The raw derivatives; None if they vanish.
    function : Function or None
        What the values stand for: further derivatives follow by its differential equation.
    """

    value: np.ndarray
    derivative: np.ndarray | None
    function: Function | None = None

    def part(self, block: Any) -> Given:
        """Return the function for some of the inputs."""
        return Given(self.value[block], None if self.derivative is None else self.derivative[block], self.function)


@verbs.entrywise.method
def given_values(field: PrimeField, function: Given, raw: object) -> np.ndarray:
    return function.value


@verbs.slope.method
def given_derivatives(field: PrimeField, function: Given, argument: object, value: object) -> np.ndarray | None:
    return function.derivative
