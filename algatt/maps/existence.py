"""Whether a point has a function at all: there is none where a denominator of the network vanishes at every input."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import check_fits, draw_inputs
from algatt.architectures.network import degrees_of_values
from algatt.arguments import proper_fraction
from algatt.errors import DivisionByZero, InvalidArgument, MethodError, NoValue, UndefinedFunction
from algatt.fields import (
    Balls,
    Elements,
    ExtensionField,
    Field,
    FloatBalls,
    PrimeField,
    Rationals,
    Reals,
    ScalarField,
    Virtual,
)
from algatt.fields.functions import BallsOfValues
from algatt.maps.endings import first_without_value
from algatt.maps.virtual_form import exactly, reduce, virtual_value
from algatt.parameters import Parameters, Weights
from algatt.randomness import check_seed
from algatt.verbs.views import Tabled

TRIED = 4
"""So many inputs over the field of the point are tried before anything slower."""

BITS = (128, 128, 512, 2048)
"""Precisions of balls around the values at these inputs, for scores that are known over the reals alone."""

MOST_ENCLOSED = 2**17
"""Maximum number of parameters of networks that are evaluated over balls of Arb, if they are not algebraic."""

MOST_ENCLOSED_IN_FLOATS = 2**22
"""The same over balls in floats; what these do not tell of larger networks is asked in floats alone."""

SMALL = 31
"""Random inputs over the reals are integers below this prime."""

LEAST_SIZE = 2**64
"""Random inputs are drawn from an extension of GF(p) with at least so many elements."""


@dataclass(frozen=True, eq=False)
class Existence(Tabled):
    """Whether a point has a function, with the evidence; true if it has one.

    Parameters
    ----------
    exists : bool
        Whether an input with a value is known.
    status : str
        ``proven``; ``numerical`` (a value in floats, of networks too large to enclose it); ``probable`` (no value at
        random inputs, see `error`); or ``undecided``: no value was found, and nothing bounds the probability of missing
        one.
    witness : Elements or None
        An input with a value over the field of the point, of shape (d_0, t).
    error : float or None
        For a probable answer: a bound on the probability with which a function has no value at the random inputs.
    reason : str
        The evidence in words.
    """

    exists: bool
    status: str
    witness: Elements | None
    error: float | None
    reason: str

    def __bool__(self) -> bool:
        return self.exists

    @property
    def input(self) -> Any:
        """The input with a value as a public array; None if none is known over the field of the point."""
        return None if self.witness is None else self.witness.public()

    def check(self, argument: str) -> None:
        """Raise `UndefinedFunction`, naming the argument that is the point, if it has no function."""
        if not self.exists and self.status != "undecided":
            was = f"a point with no function: {self.reason}"
            raise UndefinedFunction(argument, was, "a point with a value at some input")


@verbs.has_function.method
def has_function_of_architecture(
    arch: Architecture,
    theta: Parameters,
    *,
    seed: int = 0,
    error: float = 1e-9,
) -> Existence:
    check_fits(arch, theta)
    check_values_exist(arch, "theta", theta)
    proper_fraction("error", error)
    if arch.polynomial:
        zero = Elements.of(theta.field, np.zeros(arch.input_shape, dtype=np.int64))
        return Existence(True, "proven", zero, None, "its values are polynomials in the inputs")
    found = value_over_field(arch, theta, check_seed(seed)) or absence(arch, theta)
    return found if found is not None else value_over_wide_field(arch, theta, seed, error, degree_of_poles(arch))


def check_values_exist(arch: Architecture, argument: str, theta: Parameters) -> None:
    """Raise `InvalidArgument` for a point over GF(p) if the network has no values there.

    Modulo p there are no exponentials and no order: no gate opens, and no root is the positive one.
    """
    if theta.field.characteristic and not arch.algebraic:
        was = f"over {theta.field}, where the network has no values and so no function"
        raise InvalidArgument(argument, was, "over Reals() or another field with exponentials, roots and an order")


def has_value(arch: Architecture, theta: Any, inputs: Elements) -> bool:
    """Return whether no denominator vanishes at an input; one whose ball contains zero may."""
    try:
        verbs.evaluate(arch, theta, inputs)
    except NoValue:
        return False
    return True


def value_over_field(arch: Architecture, theta: Any, seed: int) -> Existence | None:
    """Look for a value at a few random inputs over the field of the point."""
    field = theta.field
    over_itself = isinstance(field, Balls) or (field.exact and arch.algebraic)
    drawn_from = field if over_itself else PrimeField(SMALL) if arch.algebraic else Reals()
    for number in range(TRIED):
        drawn = draw_inputs(arch, drawn_from, seed, number, 1)
        X = Elements(field, drawn if over_itself or isinstance(field, Reals) else verbs.encode(field, drawn))
        if has_value(arch, theta, X) if over_itself else has_real_value(arch, theta, X, BITS[number]):
            return Existence(True, "proven", Elements(field, X.raw[0]), None, "it has a value at an input")
        if arch.parameters > MOST_ENCLOSED and not arch.algebraic and has_float_value(arch, theta, X):
            reason = "its value at an input is finite in floats, in which a denominator that is zero may be rounded"
            return Existence(True, "numerical", Elements(field, X.raw[0]), None, reason)
    return None


def has_real_value(arch: Architecture, theta: Any, inputs: Elements, bits: int) -> bool:
    """Return whether it is proven that no denominator vanishes at an input over the reals: modulo a prime, or over
    balls.
    """
    if arch.algebraic:
        field = PrimeField()
        with contextlib.suppress(
            InvalidArgument, MethodError
        ):  # a score with constants that are no integers is not known modulo p
            return has_value(arch, reduce(field, theta), Elements(field, inputs.raw.astype(field.dtype)))
    limits = {FloatBalls(): MOST_ENCLOSED_IN_FLOATS, BallsOfValues(bits): MOST_ENCLOSED}  # the first takes less time
    fields = [field for field, most in limits.items() if arch.parameters <= most]
    return any(has_value(arch, over(field, theta), Elements.of(field, inputs.raw)) for field in fields)


def has_float_value(arch: Architecture, theta: Any, inputs: Elements) -> bool:
    """Return whether the value in floats is finite."""
    try:
        value = verbs.evaluate(arch, theta, inputs)
    except NoValue:
        return False
    return bool(np.isfinite(value.raw).all())


def over(field: Field, theta: Any) -> Any:
    """Return a point over GF(p) or the reals in a field that contains its entries."""
    return theta.replace([Elements.of(field, exact_entries(element)) for element in theta.elements])


def exact_entries(element: Elements) -> np.ndarray:
    """Return residues as integers, and floats as they are."""
    raw: np.ndarray = element.raw
    return raw.astype(np.int64) if element.field.exact and raw.dtype != object else raw


def absence(arch: Architecture, theta: Parameters) -> Existence | None:
    """Return the answer that a denominator is zero at every input, if its virtual form is zero; None if none is. Floats
    are taken for exactly what they are.
    """
    if isinstance(theta.field, Balls) or arch.parameters > MOST_ENCLOSED:
        return None
    exact = exactly(theta)
    try:
        virtual_value(Virtual(exact.field), arch, exact)
    except DivisionByZero as error:
        reason = f"a denominator is zero at every input: {error}"
        return Existence(False, "proven", None, None, reason)
    return None


def degree_of_poles(arch: Architecture) -> int | None:
    """Bound the degree of a polynomial in the inputs that vanishes where a denominator does; None if it is not known.

    It is the product of the numerators of everything that the network divides by, whose degrees are read off its code.
    """
    found = degrees_of_values(arch)
    return None if found is None else sum(one.inputs for one in found[1].denominators)


@verbs.wide_field.method
def no_wide_field(field: Field) -> None:
    return None


@verbs.wide_field.method
def wide_field_of_prime_field(field: PrimeField) -> ScalarField:
    return ExtensionField(field.p, next(n for n in range(1, 65) if field.p**n >= LEAST_SIZE))


@verbs.wide_field.method
def wide_field_of_real_numbers(field: Reals | Rationals) -> ScalarField:
    return Rationals()


def value_over_wide_field(arch: Architecture, theta: Any, seed: int, error: float, degree: int | None) -> Existence:
    """Look for a value at random inputs over a field that contains that of the point, as many as `error` asks for.

    By the Schwartz-Zippel lemma a polynomial of degree D that is not zero vanishes at an input drawn from q elements
    with a probability of at most D / q.
    """
    field: ScalarField | None = verbs.wide_field(theta.field) if arch.algebraic else None
    if field is None:
        balls = BallsOfValues(BITS[-1])
        point, X = over(balls, theta), Elements.of(balls, draw_inputs(arch, Reals(), seed, 0, 1)[0])
        return Existence(False, "undecided", None, None, f"{NOT_FOUND}{limit(arch, point, X)}")
    missed = 1.0 if degree is None else min(1.0, degree / field.drawn)
    count = TRIED if missed >= 1 else math.ceil(math.log(error) / math.log(missed))
    point = over(field, theta)
    for number in range(count):
        X = verbs.draw_array(field, shape=(1, *arch.input_shape), seed=seed, label=f"value/{number}")
        if has_value(arch, point, Elements(field, X)):
            return Existence(True, "proven", None, None, f"it has a value at an input over {field}")
    said = limit(arch, point, Elements(field, X[0]))
    if missed >= 1:
        reason = f"no value was found at {count} random inputs over {field}, and none is excluded{said}"
        return Existence(False, "undecided", None, None, reason)
    bound = missed**count
    reason = f"it has no value at a random input over {field}, as a function has but for a probability of {bound:.2g}"
    return Existence(False, "probable", None, bound, reason + said)


def limit(arch: Architecture, theta: Parameters, X: Elements) -> str:
    """Return what has to be added where nothing is proven: the first operation without a value at an input."""
    found = first_without_value(arch, theta, X) if isinstance(theta, Weights) else None
    return "" if found is None else f"; limited by {found}"


NOT_FOUND = "no value was found, and none is excluded"
