"""Whether a point has a function at all: there is none where a denominator of the network vanishes at every input."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Normalized
from algatt.architectures.base import check_fits, draw_inputs
from algatt.architectures.degrees import degrees_of_values
from algatt.errors import DivisionByZero, InvalidArgument, MethodError, ScoreOverflow, UndefinedFunction
from algatt.fields import Balls, Elements, ExtensionField, Field, PrimeField, Rationals, Reals, ScalarField
from algatt.fields.prime import residues_of_floats
from algatt.parameters import Parameters, VirtualWeights
from algatt.randomness import check_seed

__all__ = ["Existence", "check_values_exist"]

TRIED = 4
"""So many inputs over the field of the point are tried before anything slower."""

BITS = (128, 128, 512, 2048)
"""Precisions of balls around the values at these inputs, for scores that are known over the reals alone."""

SMALL = 31
"""Random inputs over the reals are integers below this prime."""

LEAST_SIZE = 2**64
"""Random inputs are drawn from an extension of GF(p) with at least so many elements."""


@dataclass(frozen=True, eq=False)
class Existence:
    """Whether a point has a function, with the evidence; true if it has one.

    Parameters
    ----------
    exists : bool
        Whether an input with a value is known.
    status : str
        ``proven``; ``probable`` (no value at random inputs, see `error`); or ``undecided``: no value was found, and
        nothing bounds the probability of missing one.
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
    check_question(arch, theta, error)
    if arch.polynomial:
        return at_zero(arch, theta.field, "its values are polynomials in the inputs")
    found = value_over_field(arch, theta, check_seed(seed))
    return found if found is not None else value_over_wide_field(arch, theta, seed, error, degree_of_poles(arch))


@verbs.has_function.method
def has_function_of_normalized(arch: Normalized, theta: Parameters, *, seed: int = 0, error: float = 1e-9) -> Existence:
    check_question(arch, theta, error)
    zeros = sum_of_zeros(arch, Balls() if isinstance(theta.field, Reals) else theta.field)
    if zeros is not None and is_invertible(zeros):
        return at_zero(arch, theta.field, "where all tokens are zero, all weights are 1 / t")
    found = value_over_field(arch, theta, check_seed(seed))
    if found is None:
        found = absence(arch, theta)
    return found if found is not None else value_over_wide_field(arch, theta, seed, error, degree_of_poles(arch))


def check_question(arch: Architecture, theta: Parameters, error: object) -> None:
    """Raise `InvalidArgument` unless a network may have values at a point."""
    check_fits(arch, theta)
    check_values_exist(arch, "theta", theta)
    if isinstance(error, bool) or not isinstance(error, int | float) or not 0 < error < 1:
        raise InvalidArgument("error", repr(error), "a number between 0 and 1")


def check_values_exist(arch: Architecture, argument: str, theta: Parameters) -> None:
    """Raise `InvalidArgument` for a point over GF(p) if the score has no values there."""
    if isinstance(theta.field, PrimeField) and not arch.algebraic:
        subject = repr(arch.score) if isinstance(arch, Normalized) else str(arch)
        was = f"over {theta.field}, where {subject} has no values"
        raise InvalidArgument(argument, was, "over Reals(), or the score algebraic")


def at_zero(arch: Architecture, field: Field, reason: str) -> Existence:
    """Return the answer that there is a value where all tokens are zero."""
    zero = Elements.of(field, np.zeros(arch.input_shape, dtype=np.int64))
    return Existence(True, "proven", zero, None, reason)


def sum_of_zeros(arch: Normalized, field: Field) -> Elements | None:
    """Return t S(0), which scores of products that are zero add up to, or None if S(0) is no number."""
    try:
        return verbs.activate(arch.score, Elements.of(field, [[0]])) * arch.tokens
    except (DivisionByZero, ScoreOverflow):
        return None


def has_value(arch: Architecture, theta: Any, inputs: Elements) -> bool:
    """Return whether no denominator vanishes at an input; one whose ball contains zero may."""
    try:
        verbs.evaluate(arch, theta, inputs)
    except (DivisionByZero, ScoreOverflow):
        return False
    return True


def value_over_field(arch: Architecture, theta: Any, seed: int) -> Existence | None:
    """Look for a value at a few random inputs over the field of the point."""
    field = theta.field
    drawn_from = PrimeField(SMALL) if isinstance(field, Reals) and arch.algebraic else field
    for number in range(TRIED):
        X = Elements(field, draw_inputs(arch, drawn_from, seed, number, 1))
        if has_real_value(arch, theta, X, BITS[number]) if isinstance(field, Reals) else has_value(arch, theta, X):
            return Existence(True, "proven", Elements(field, X.raw[0]), None, "it has a value at an input")
    return None


def has_real_value(arch: Architecture, theta: Any, inputs: Elements, bits: int) -> bool:
    """Return whether no denominator vanishes at an input over the reals: modulo a prime, or over balls."""
    if arch.algebraic:
        field = PrimeField()
        with contextlib.suppress(
            InvalidArgument, MethodError
        ):  # a score with constants that are no integers is not known modulo p
            return has_value(arch, reduced(theta), Elements(field, inputs.raw.astype(field.dtype)))
    return has_value(arch, over(Balls(bits), theta), Elements.of(Balls(bits), inputs.raw))


def reduced(theta: Any) -> Any:
    """Return a real point, its floats as what they are, modulo the default prime: what is not zero there is
    not zero.
    """
    field = PrimeField()
    residues = [residues_of_floats(element.raw, field.p) for element in theta.elements]
    return theta.replace([Elements(field, raw.astype(field.dtype)) for raw in residues])


def over(field: Field, theta: Any) -> Any:
    """Return a point over GF(p) or the reals in a field that contains its entries."""
    return theta.replace([Elements.of(field, exact_entries(element)) for element in theta.elements])


def exact_entries(element: Elements) -> np.ndarray:
    """Return residues as integers, and floats as they are."""
    raw: np.ndarray = element.raw
    return raw.astype(np.int64) if isinstance(element.field, PrimeField) and raw.dtype != object else raw


def absence(arch: Normalized, theta: Any) -> Existence | None:
    """Prove that a denominator vanishes at every input, or return None; see `vanishing_denominator`."""
    field = theta.field
    if not isinstance(field, PrimeField | Reals):
        return None
    exact = theta if isinstance(field, PrimeField) else over(Rationals(), theta)
    reason = vanishing_denominator(arch, list(verbs.convert(exact, VirtualWeights).M_elements))
    if reason is None:
        return None
    return Existence(False, "proven", None, None, f"{reason}, so that a denominator vanishes at every input")


def vanishing_denominator(arch: Normalized, M: list[Elements]) -> str | None:
    r"""Say why a denominator of layer i vanishes at every input, or return None.

    The tokens of the layer are :math:`L_{i-1} z_j`, its scores :math:`S(z_j^T M_i z_k)`. Its denominators vanish if

    - M_i = 0, and t S(0) is zero or S(0) is no number;
    - :math:`x^T M_i x` is zero for all x, and S(0) is no number: this is the score of a token with itself;
    - all tokens of the layer are equal, :math:`x^T M_i x` is zero for all x, so that all scores are S(0), and t S(0) is
      zero;
    - all tokens of the layer are equal, and so all scores of a column, and p divides t.

    Tokens are equal if t = 1, or after a layer with M_j = 0, or with a homogeneous score and M_j = k q^T: there the
    weights are :math:`S(k^T z_j)` divided by their sum. For one layer and a score that is not constant there is no
    other case (derived).
    """
    field, t = M[0].field, arch.tokens
    zeros = sum_of_zeros(arch, field if arch.algebraic else Balls())
    no_number = zeros is None and arch.algebraic  # what balls do not tell from zero may be a number
    no_weights = no_number or (zeros is not None and is_zero(zeros))
    equal = t == 1
    for i, matrix in enumerate(M, start=1):
        alternating = is_alternating(matrix)
        tokens = "with one token" if t == 1 else "after a layer that makes all tokens equal"
        if no_weights and is_zero(matrix):
            return f"M_{i} is zero, and scores S(0) have no weights"
        if no_number and alternating:
            return f"x^T M_{i} x is zero for all x, where the score has no value"
        if no_weights and equal and alternating:
            return f"x^T M_{i} x is zero for all x, and scores S(0) have no weights, {tokens}"
        if equal and isinstance(field, PrimeField) and t % field.p == 0:
            return f"the characteristic {field.p} divides the number {t} of tokens in layer {i}, {tokens}"
        equal = equal or is_zero(matrix) or (arch.score.homogeneous and has_rank_at_most_one(matrix))
    return None


def is_zero(matrix: Elements) -> bool:
    """Return whether all entries are zero; a ball is if its radius is zero, too."""
    return bool(np.all(matrix.raw == 0))


def is_invertible(number: Elements) -> bool:
    """Return whether a number, or every number in a ball, has a reciprocal."""
    try:
        number.reciprocal()
    except DivisionByZero:
        return False
    return True


def is_alternating(matrix: Elements) -> bool:
    """Return whether x^T M x is zero for all x."""
    return is_zero(matrix + matrix.T) and not np.diagonal(matrix.raw != 0).any()


def has_rank_at_most_one(matrix: Elements) -> bool:
    """Return whether all minors of order two that contain one entry that is not zero vanish."""
    places = np.argwhere(matrix.raw != 0)
    if not len(places):
        return True
    i, j = places[0]
    row, column = Elements(matrix.field, matrix.raw[i : i + 1]), Elements(matrix.field, matrix.raw[:, j : j + 1])
    pivot = Elements(matrix.field, matrix.raw[i : i + 1, j : j + 1])
    return is_zero(matrix * pivot - column @ row)


def degree_of_poles(arch: Architecture) -> int | None:
    """Bound the degree of a polynomial in the inputs that vanishes where a denominator does; None if it is not known.

    It is the product of the numerators of everything that the network divides by, whose degrees are read off its code.
    """
    found = degrees_of_values(arch)
    return None if found is None else sum(one.inputs for one in found[1].denominators)


def wide_field(field: Field) -> ScalarField | None:
    """Return an exact field that contains the numbers of another one, with many elements to draw from, or None."""
    if isinstance(field, PrimeField):
        return ExtensionField(field.p, next(n for n in range(1, 65) if field.p**n >= LEAST_SIZE))
    return Rationals() if isinstance(field, Reals) else None


def value_over_wide_field(arch: Architecture, theta: Any, seed: int, error: float, degree: int | None) -> Existence:
    """Look for a value at random inputs over a field that contains that of the point, as many as `error` asks for.

    By the Schwartz-Zippel lemma a polynomial of degree D that is not zero vanishes at an input drawn from q elements
    with a probability of at most D / q.
    """
    field = wide_field(theta.field) if arch.algebraic else None
    if field is None:
        return Existence(False, "undecided", None, None, "no value was found, and none is excluded")
    missed = 1.0 if degree is None else min(1.0, degree / field.drawn)
    count = TRIED if missed >= 1 else math.ceil(math.log(error) / math.log(missed))
    point = over(field, theta)
    for number in range(count):
        X = verbs.draw_array(field, shape=(1, *arch.input_shape), seed=seed, label=f"value/{number}")
        if has_value(arch, point, Elements(field, X)):
            return Existence(True, "proven", None, None, f"it has a value at an input over {field}")
    if missed >= 1:
        reason = f"no value was found at {count} random inputs over {field}, and none is excluded"
        return Existence(False, "undecided", None, None, reason)
    bound = missed**count
    reason = f"it has no value at a random input over {field}, as a function has but for a probability of {bound:.2g}"
    return Existence(False, "probable", None, bound, reason)
