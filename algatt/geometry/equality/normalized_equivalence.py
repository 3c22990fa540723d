"""Whether two sets of weights are one function of a network with normalised scores.

Equal virtual weights are equal functions, and for many scores there are no others (HMK Theorem 3.9, and what is derived
for Conjecture 3.10). Two points are called different for their values at an input alone, and equal where it is proven,
or probable over a large prime field.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Normalized
from algatt.errors import EquivalenceUndecided, RankUndecided
from algatt.fields import Balls, Elements, Field, Reals
from algatt.fields.real import tolerance_of
from algatt.geometry.dimensions.question import Progress
from algatt.geometry.equality.carrying import carried, carrying_element
from algatt.geometry.equality.compared_values import ComparedValues
from algatt.geometry.equality.enclosed_values import BITS, compared_by_balls, enclosing_steps, over_balls, smaller_scale
from algatt.geometry.equality.equivalence import Equivalence, check_existence, check_points, enclosed_difference
from algatt.geometry.equality.network_equivalence import separated_by_balls
from algatt.geometry.equality.normal_form import Rescalings, has_rescalings
from algatt.geometry.equality.one_form import equivalence_of_forms
from algatt.geometry.equality.rounding import sizes_of
from algatt.geometry.equality.separation import check_missed, difference_at, separating_input
from algatt.geometry.equality.source_rounding import OTHER_TOLERANCE, clear_difference
from algatt.geometry.equality.steps import Steps
from algatt.geometry.equality.tower import common_coordinates, element_in_tower, steps_in_tower
from algatt.geometry.fibres.injective_scores import name_of_theorem_3_9, theorem_3_9_holds
from algatt.linalg.row_form import row_form
from algatt.maps.existence import check_values_exist
from algatt.parameters import Parameters, VirtualWeights
from algatt.randomness import check_seed
from algatt.symmetry import ScoreRescaling

__all__: list[str] = []


@verbs.same_function.method
def same_function_of_normalized(
    arch: Normalized,
    theta1: Parameters,
    theta2: Parameters,
    *,
    seed: int = 0,
    error: float = 1e-9,
    tolerance: float | None = None,
    progress: Progress | None = None,
) -> Equivalence:
    tolerance = tolerance_of(theta1.field, theta2.field) if tolerance is None else tolerance
    check_points(arch, theta1, theta2, error, tolerance)
    seed = check_seed(seed)
    if theta1.field.characteristic and not arch.algebraic:
        formed = equivalence_of_forms(arch, theta1, theta2)
        if formed is None:
            check_values_exist(arch, "theta1", theta1)
        else:
            return formed.about(arch, theta1, theta2)
    existence = [verbs.has_function(arch, theta, seed=seed) for theta in (theta1, theta2)]
    for number, answer in enumerate(existence, start=1):
        answer.check(f"theta{number}")
    have_functions = all(existence)
    if isinstance(theta1.field, Reals):
        found = equivalence_over_reals(arch, theta1, theta2, have_functions, seed, tolerance, progress)
    else:
        found = exact_equivalence(arch, theta1, theta2, have_functions, seed, error, tolerance, progress)
    return found.about(arch, theta1, theta2)


@verbs.rescalings.method
def rescalings_of_normalized(field: Field, arch: Normalized, *, scales: list[Elements]) -> Rescalings:
    element = (ScoreRescaling(arch).of(scales),) if has_rescalings(arch) else ()
    return Rescalings(element, (Elements.of(field, [[1]]),) * arch.layers)


def exact_equivalence(
    arch: Normalized,
    theta1: Parameters,
    theta2: Parameters,
    have_functions: bool,
    seed: int,
    error: float,
    tolerance: float,
    progress: Progress | None,
) -> Equivalence:
    """Look for an input at which the values differ, then for a group element, and then for what is not seen."""
    systems = common_coordinates(theta1, theta2)
    steps = Steps(progress, 1 + steps_in_tower(arch, systems))
    one, two = verbs.convert(theta1, systems[0]), verbs.convert(theta2, systems[0])
    missed = 1.0
    if arch.algebraic:
        separated_or_missed = separating_input(arch, one, two, seed, error)
        if isinstance(separated_or_missed, np.ndarray):
            return difference_at(separated_or_missed)
        missed = separated_or_missed
    else:
        enclosed = separated_by_balls(arch, one, two, seed, tolerance)
        if enclosed is not None:
            return enclosed
    check_existence(have_functions)
    steps()
    found = equivalence_of_points(arch, one, two, 0.0, steps) or equivalence_of_forms(arch, one, two)
    if found is not None:
        return found
    check_missed(theta1.field, missed, error)
    reason = "the functions agree at random inputs, but no symmetry known here carries one point to the other"
    return Equivalence(True, "probable", None, None, None, missed, None, reason)


def equivalence_over_reals(
    arch: Normalized,
    theta1: Parameters,
    theta2: Parameters,
    have_functions: bool,
    seed: int,
    tolerance: float,
    progress: Progress | None,
) -> Equivalence:
    """Do the same with values that balls enclose, and with a tolerance."""
    systems = common_coordinates(theta1, theta2)
    steps = Steps(progress, enclosing_steps(arch, theta1) + steps_in_tower(arch, systems))
    values = compared_by_balls(arch, theta1, theta2, seed, tolerance, steps, smaller_scale(theta1, theta2))
    if values.differ:
        return enclosed_difference(values.separating_input, values.difference)
    check_existence(have_functions)
    one, two = verbs.convert(theta1, systems[0]), verbs.convert(theta2, systems[0])
    found = equivalence_of_points(arch, one, two, tolerance, steps) or equivalence_of_forms(arch, one, two)
    if found is None:
        found = difference_by_theorem(arch, theta1, theta2, values, tolerance)
    if found is None:
        raise EquivalenceUndecided(undecided_values(values, tolerance))
    return found


def equivalence_of_points(arch: Normalized, one: Any, two: Any, tolerance: float, steps: Steps) -> Equivalence | None:
    """Compare points that have functions: by a group element, or by what is left without what is not seen."""
    found = element_in_tower(arch, one, two, tolerance, steps)
    if found is not None:
        return found
    virtual = verbs.convert(one, VirtualWeights), verbs.convert(two, VirtualWeights)
    return equivalence_of_what_is_seen(arch, *virtual, tolerance)


def difference_by_theorem(
    arch: Normalized,
    one: Parameters,
    two: Parameters,
    compared: ComparedValues,
    tolerance: float,
) -> Equivalence | None:
    """Return that real points of one layer define different functions, if their A or V differ and determine them.

    All tokens equal to x have the value V x. If V != 0, the rest is HMK Theorem 3.9. The floats stand for exactly what
    they are, and balls enclose the products K^T Q; but a difference that rounding may have made decides nothing.
    """
    if not theorem_3_9_holds(arch, one.field):
        return None
    points = [verbs.convert(over_balls(theta, Balls(BITS[0])), VirtualWeights).elements for theta in (one, two)]
    sizes = np.maximum(sizes_of(one, VirtualWeights), sizes_of(two, VirtualWeights))
    off = [certain_size(first - second) for first, second in zip(*points, strict=True)]
    differ = [
        bool(difference > clear_difference(tolerance) * size) for difference, size in zip(off, sizes, strict=True)
    ]
    A_differs, V_differs = differ
    if not V_differs and not (A_differs and certain_size(points[0][1])):
        return None
    theorem = name_of_theorem_3_9(arch.score, holds=True)
    reason = f"{'V' if V_differs else 'A'} is another matrix, which the function determines ({theorem})"
    separating = compared.separating_input if compared.difference > 0 else None  # the difference is a lower bound
    return Equivalence(False, "proven", None, None, separating, None, compared.difference, reason)


def certain_size(matrix: Elements) -> float:
    """Return a number that some entry of a matrix of balls has as absolute value at least."""
    return max(float(entry.abs_lower()) for entry in matrix.raw.flat)


def undecided_values(values: ComparedValues, tolerance: float) -> str:
    """Say why values over the reals decide nothing."""
    if values.agree:
        return (
            f"the values at random inputs agree within the tolerance {tolerance:.3g}, but no gauge was found that "
            f"carries one point to the other, "
            f"so that they may differ by less; {OTHER_TOLERANCE}"
        )
    return (
        f"the values differ by {values.difference:.3g} of their size at most, which is neither within the tolerance "
        f"{tolerance:.3g} nor clearly more "
        f"than that and than rounding; {OTHER_TOLERANCE}"
    )


def equivalence_of_what_is_seen(
    arch: Normalized, one: VirtualWeights, two: VirtualWeights, tolerance: float
) -> Equivalence | None:
    """Compare what is left of virtual weights without scores that the function does not see; over the reals within the
    tolerance.
    """
    try:
        seen_one, seen_two = seen(arch, one), seen(arch, two)
    except RankUndecided:
        return None
    element = carrying_element(arch, seen_one, seen_two, Steps(None, 0))
    exact = one.field.exact
    difference = math.inf if element is None else carried(element, seen_one, seen_two)[1]
    if difference > (0 if exact else tolerance):
        return None
    if not one.L_elements.raw.any():
        reason = "both are the zero function, as L = 0"
    elif arch.tokens == 1:
        reason = "with one token all weights are one, and the function is X -> L X"
    else:
        reason = (
            "a layer of rank one with a homogeneous score sees no query, and no later layer sees scores; what is "
            "seen is in one orbit"
        )
    return Equivalence(True, one.field.status, None, None, None, None, None if exact else difference, reason)


def seen(arch: Normalized, theta: VirtualWeights) -> VirtualWeights:
    """Return the virtual weights with zeros for the scores that the function does not see: only the key of the first
    M_i = k q^T is kept.
    """
    equal = arch.tokens == 1 or not theta.L_elements.raw.any()
    arrays = []
    for M in theta.M_elements:
        raw = np.array(M.raw)
        if equal:
            raw[:] = 0
        elif arch.score.homogeneous and (form := row_form(M)).rank == 1:
            raw[:] = 0
            raw[:, :1] = form.basis.raw
            equal = True
        arrays.append(Elements(M.field, raw))
    return VirtualWeights((*arrays, theta.L_elements))
