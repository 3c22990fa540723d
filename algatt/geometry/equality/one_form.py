"""Whether two points are one function because their values have one virtual form, whatever the group says."""

from __future__ import annotations

from algatt.architectures import Architecture
from algatt.errors import DivisionByZero
from algatt.geometry.equality.enclosed_values import largest_difference
from algatt.geometry.equality.equivalence import Equivalence
from algatt.maps.quotients import as_weights
from algatt.maps.virtual_form import floats_have_one_form, have_one_form, have_one_form_within_rounding
from algatt.parameters import Parameters

ONE_FORM = "both points have one virtual form: all that their values see of the weights is the same"

WITHIN_ROUNDING = (
    "both points have one virtual form within rounding, and the values at random inputs agree: each matrix of numbers "
    "that their values see is the same up to {:.3g} of its largest"
)

MOST_RATIONAL = 1024
"""The largest number of floats of a point that are compared as the rational numbers that they are."""


def asks_for_forms(arch: Architecture, theta: Parameters) -> bool:
    """Return whether a point is one that `equivalence_of_forms` looks at, in whatever coordinates."""
    return theta.field.exact or as_weights(arch, theta)[0].parameters <= MOST_RATIONAL


def equivalence_of_forms(arch: Architecture, one: Parameters, two: Parameters) -> Equivalence | None:
    """Return the answer that two points are one function, if their values have one virtual form; None if they do not,
    or have none. Floats are taken for exactly what they are, and points in other coordinates for weights of a wider
    network.
    """
    if not asks_for_forms(arch, one):
        return None
    wide, first = as_weights(arch, one)
    _, second = as_weights(arch, two)
    try:
        equal = (have_one_form if one.field.exact else floats_have_one_form)(wide, first, second)
    except DivisionByZero:  # a point without a function, of which others say so
        return None
    if not equal:
        return None
    reason = ONE_FORM
    if one.field.characteristic and not arch.algebraic:
        reason += f", so that they are equal whatever the functions without values over {one.field} are"
    return Equivalence(True, "proven", None, None, None, None, None, reason)


def equivalence_within_rounding(
    arch: Architecture, one: Parameters, two: Parameters, seed: int, tolerance: float
) -> Equivalence | None:
    """Return the answer that two points of floats are one function up to the tolerance, if their values have one
    virtual form within rounding, and agree at random inputs; None if nothing says so.
    """
    wide, first = as_weights(arch, one)
    _, second = as_weights(arch, two)
    if not have_one_form_within_rounding(wide, first, second, tolerance):
        return None
    difference = largest_difference(arch, one, two, seed, tolerance)
    if difference > tolerance:
        return None
    return Equivalence(True, "numerical", None, None, None, None, difference, WITHIN_ROUNDING.format(tolerance))
