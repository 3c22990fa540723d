"""Functions of one variable, besides those of a ring, with their values and their derivatives; and the fields that are
others with functions of their own.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import integer
from algatt.errors import DomainError, InvalidArgument, MethodError
from algatt.fields.ball import Balls, entrywise
from algatt.fields.base import Elements, Field
from algatt.fields.prime import PrimeField, square_roots, squares
from algatt.fields.real import Reals
from algatt.fields.scalar import Rationals
from algatt.loading import is_own
from algatt.randomness import random_residues


@dataclass(frozen=True, eq=False)
class Function(ABC):
    """A function of one variable that is applied to arrays entry by entry.

    A concrete function is a frozen dataclass with methods of `entrywise` for the fields over which it has values, and
    one of `slope`. Functions are one where they are equal; of a class that is no dataclass each is equal to
    itself alone.
    """


@dataclass(frozen=True)
class Exp(Function):
    """The function exp, which is its own derivative."""


@verbs.entrywise.method
def exp_of_reals(field: Reals, function: Exp, raw: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):  # a sum of them that is not finite is refused by the reciprocal
        return np.asarray(np.exp(raw))


@verbs.entrywise.method
def exp_of_balls(field: Balls, function: Exp, raw: np.ndarray) -> np.ndarray:
    return field.compute(entrywise, lambda entry: entry.exp(), raw)


@verbs.slope.method
def slope_of_exp(field: Field, function: Exp, argument: object, value: object) -> Any:
    return value


@dataclass(frozen=True)
class Sigmoid(Function):
    r"""The logistic function :math:`\sigma(x) = 1 / (1 + e^{-x})`, with the derivative :math:`\sigma (1 - \sigma)`."""


@verbs.entrywise.method
def sigmoid_of_reals(field: Reals, function: Sigmoid, raw: np.ndarray) -> np.ndarray:
    from scipy.special import expit

    return np.asarray(expit(raw))


@verbs.entrywise.method
def sigmoid_of_balls(field: Balls, function: Sigmoid, raw: np.ndarray) -> np.ndarray:
    return field.compute(entrywise, lambda entry: 1 / (1 + (-entry).exp()), raw)


@verbs.slope.method
def slope_of_sigmoid(field: Field, function: Sigmoid, argument: object, value: object) -> Any:
    return verbs.add(field, value, verbs.negate(field, verbs.multiply(field, value, value)))


@dataclass(frozen=True)
class Sqrt(Function):
    """The square root of positive numbers, with the derivative 1 / (2 sqrt x); at 0 it has none."""


@verbs.entrywise.method
def sqrt_of_reals(field: Reals, function: Sqrt, raw: np.ndarray) -> np.ndarray:
    if not np.all(raw >= 0):
        raise DomainError("a square root of a negative number")
    return np.asarray(np.sqrt(raw))


@verbs.entrywise.method
def sqrt_of_balls(field: Balls, function: Sqrt, raw: np.ndarray) -> np.ndarray:
    if not all(entry >= 0 for entry in raw.flat):
        raise DomainError(f"a square root of a number that is not told to be positive with {field.bits} bits")
    return field.compute(entrywise, lambda entry: entry.sqrt(), raw)


@verbs.slope.method
def slope_of_sqrt(field: Field, function: Sqrt, argument: object, value: object) -> Any:
    return verbs.reciprocal(field, verbs.add(field, value, value))


@dataclass(frozen=True)
class Log(Function):
    """The natural logarithm of positive numbers, with the derivative 1 / x."""


@verbs.entrywise.method
def log_of_reals(field: Reals, function: Log, raw: np.ndarray) -> np.ndarray:
    if not np.all(raw > 0):
        raise DomainError("a logarithm of a number that is not positive")
    return np.asarray(np.log(raw))


@verbs.entrywise.method
def log_of_balls(field: Balls, function: Log, raw: np.ndarray) -> np.ndarray:
    if not all(entry > 0 for entry in raw.flat):
        raise DomainError(f"a logarithm of a number that is not told to be positive with {field.bits} bits")
    return field.compute(entrywise, lambda entry: entry.log(), raw)


@verbs.slope.method
def slope_of_log(field: Field, function: Log, argument: object, value: object) -> Any:
    return verbs.reciprocal(field, argument)


@dataclass(frozen=True)
class Erf(Function):
    r"""The error function :math:`2 / \sqrt\pi \int_0^x e^{-s^2} ds`, with the derivative
    :math:`2 / \sqrt\pi\, e^{-x^2}`.
    """


@verbs.entrywise.method
def erf_of_reals(field: Reals, function: Erf, raw: np.ndarray) -> np.ndarray:
    from scipy.special import erf

    return np.asarray(erf(raw))


@verbs.slope.method
def slope_of_erf(field: Reals, function: Erf, argument: np.ndarray, value: object) -> np.ndarray:
    return np.asarray(2 / np.sqrt(np.pi) * np.exp(-(argument**2)))


@verbs.entrywise.method
def erf_of_balls(field: Balls, function: Erf, raw: np.ndarray) -> np.ndarray:
    return field.compute(entrywise, lambda entry: entry.erf(), raw)


@verbs.slope.method
def slope_of_erf_of_balls(field: Balls, function: Erf, argument: np.ndarray, value: object) -> np.ndarray:
    import flint

    return field.compute(entrywise, lambda entry: 2 / flint.arb.pi().sqrt() * (-(entry**2)).exp(), argument)


@dataclass(frozen=True)
class BallsOfValues(Balls):
    """Balls in which a gate that is not told from zero is the ball of 0 and 1: they enclose values, not derivatives."""


@dataclass(frozen=True)
class Positive(Function):
    """The function that is 1 where x > 0 and 0 where x < 0: locally constant. Zero itself counts as negative; a ball
    around zero with a radius is refused.
    """


@verbs.entrywise.method
def signs_of_reals(field: Reals, function: Positive, raw: np.ndarray) -> np.ndarray:
    return np.asarray(raw > 0).astype(raw.dtype)


@verbs.entrywise.method
def signs_of_rationals(field: Rationals, function: Positive, raw: np.ndarray) -> np.ndarray:
    return np.asarray(verbs.encode(field, raw > 0))


@verbs.entrywise.method
def signs_of_balls(field: Balls, function: Positive, raw: np.ndarray) -> np.ndarray:
    if any(0 in entry and not entry.is_zero() for entry in raw.flat):
        raise DomainError(f"a gate is at zero, or not told from zero with {field.bits} bits")
    return verbs.encode(field, np.array([int(entry > 0) for entry in raw.flat]).reshape(raw.shape))


@verbs.entrywise.method
def enclosed_signs(field: BallsOfValues, function: Positive, raw: np.ndarray) -> np.ndarray:
    import flint

    open_or_closed = flint.arb(0.5, 0.5)
    return entrywise(lambda entry: open_or_closed if 0 in entry else flint.arb(int(entry > 0)), raw)


@verbs.slope.method
def slope_of_positive(field: Field, function: Positive, argument: object, value: object) -> None:
    return None


def undefined(verb: str, field: Field, function: Function, *, of: str) -> MethodError:
    """Return the error of a function for which a verb has no method, with what to define."""
    kind, where = type(function), type(field).__name__
    said = f"no method fits {verb}({where}, {kind.__name__}): {of}"
    if is_own(kind.__module__):
        return MethodError(said)
    return MethodError(f"{said}; define a method of algatt.verbs.{verb} for {where} and {kind.__name__}")


@verbs.entrywise.method
def no_values(field: Field, function: Function, raw: object) -> Any:
    raise undefined("entrywise", field, function, of=f"{type(function).__name__} has no values over {field}")


@verbs.slope.method
def no_derivatives(field: Field, function: Function, argument: object, value: object) -> Any:
    raise undefined("slope", field, function, of=f"{type(function).__name__} has no derivatives over {field}")


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


@dataclass(frozen=True)
class RealsOrNan(Reals):
    """The real numbers in float64, with NaN for divisions by zero, and for roots and logarithms of negative numbers. It
    shares the rest of the arithmetic of `Reals`; nothing of it is public.
    """


@verbs.reciprocal.method
def reciprocal_or_nan(field: RealsOrNan, raw: np.ndarray) -> np.ndarray:
    return np.where(raw == 0, np.nan, 1.0 / raw)


@verbs.entrywise.method
def sqrt_or_nan(field: RealsOrNan, function: Sqrt, raw: np.ndarray) -> np.ndarray:
    return np.asarray(np.sqrt(raw))


@verbs.entrywise.method
def log_or_nan(field: RealsOrNan, function: Log, raw: np.ndarray) -> np.ndarray:
    return np.where(raw > 0, np.log(raw), np.nan)


@verbs.largest.method
def largest_or_nan(field: RealsOrNan, raw: np.ndarray, *, count: int) -> np.ndarray:
    """Return 1 at the `count` largest entries of every column, NaN in columns in which these are not known."""
    ranks = (raw[..., None, :, :] >= raw[..., :, None, :]).sum(axis=-2)  # of entries without an equal one
    chosen = (ranks <= count).astype(np.float64)
    return np.where(chosen.sum(axis=-2, keepdims=True) == count, chosen, np.nan)


@verbs.column_maximum.method
def column_maximum_or_nan(field: RealsOrNan, raw: np.ndarray, *, mask: np.ndarray | None = None) -> np.ndarray:
    return verbs.column_maximum(Reals(), np.nan_to_num(raw), mask=mask)


ELEMENTARY_PRIME = 8388587
"""The largest prime below the default one that is 3 modulo 4, where a power is the root of a square; rotations have
an order of 2097147 there.
"""

LEAST = 2**20
"""Below it residues are too few: random ones coincide, and denominators vanish."""


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
def slope_of_erf_of_residues(field: Elementary, function: Erf, argument: np.ndarray, value: object) -> np.ndarray:
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
