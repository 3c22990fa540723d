"""Whether a point of `Normalized` has a function: what is proven for this architecture, beside what is asked of all."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Normalized
from algatt.errors import DivisionByZero, ScoreOverflow
from algatt.fields import Balls, Elements, Field, PrimeField, Rationals, Reals
from algatt.maps.existence import (
    Existence,
    at_zero,
    check_question,
    degree_of_poles,
    over,
    value_over_field,
    value_over_wide_field,
)
from algatt.parameters import Parameters, VirtualWeights
from algatt.randomness import check_seed

__all__: list[str] = []


@verbs.has_function.method
def has_function_of_normalized(arch: Normalized, theta: Parameters, *, seed: int = 0, error: float = 1e-9) -> Existence:
    check_question(arch, theta, error)
    zeros = sum_of_zeros(arch, theta.field if theta.field.exact and arch.algebraic else Balls())
    if zeros is not None and is_invertible(zeros):
        return at_zero(arch, theta.field, "where all tokens are zero, all weights are 1 / t")
    found = value_over_field(arch, theta, check_seed(seed))
    if found is None:
        found = absence(arch, theta)
    return found if found is not None else value_over_wide_field(arch, theta, seed, error, degree_of_poles(arch))


def sum_of_zeros(arch: Normalized, field: Field) -> Elements | None:
    """Return t S(0), which scores of products that are zero add up to, or None if S(0) is no number."""
    try:
        return verbs.activate(arch.score, Elements.of(field, [[0]])) * arch.tokens
    except (DivisionByZero, ScoreOverflow):
        return None


def absence(arch: Normalized, theta: Any) -> Existence | None:
    """Prove that a denominator vanishes at every input, or return None; see `vanishing_denominator`."""
    field = theta.field
    if not isinstance(field, PrimeField | Rationals | Reals):
        return None
    exact = theta if field.exact else over(Rationals(), theta)
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
        if equal and field.vanishes(t):
            return f"the characteristic {field.characteristic} divides the number {t} of tokens in layer {i}, {tokens}"
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
