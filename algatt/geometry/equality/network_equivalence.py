"""Whether two sets of weights are one function of a network: by values at random inputs, and by a group element that
carries one to the other, found space by space.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.arrangement import Arrangement, arrangement_of
from algatt.architectures.base import draw_inputs
from algatt.architectures.recognition import named_attention
from algatt.errors import EquivalenceUndecided, InvalidArgument
from algatt.fields import Balls, Elements, Reals
from algatt.fields.real import tolerance_of
from algatt.geometry.dimensions.question import Progress
from algatt.geometry.equality.carrying import relative_difference
from algatt.geometry.equality.enclosed_values import enclosed_differences, exceeds_rounding, over_balls
from algatt.geometry.equality.equivalence import Equivalence, check_existence, check_pair, enclosed_difference
from algatt.geometry.equality.large import Comparison, compare_tokens
from algatt.geometry.equality.networks import element_between
from algatt.geometry.equality.networks.missing import said_of_missing
from algatt.geometry.equality.one_form import equivalence_of_forms
from algatt.geometry.equality.separation import check_missed, difference_at, public_input, separating_input
from algatt.geometry.equality.source_rounding import OTHER_TOLERANCE, clear_difference
from algatt.geometry.equality.steps import Steps
from algatt.layers import EncoderDecoder, SelectTokens
from algatt.layers.base import layout
from algatt.layers.lengths import tokens_to_reach
from algatt.maps.existence import check_values_exist
from algatt.parameters import Parameters, Weights
from algatt.randomness import check_seed
from algatt.symmetry import GroupElement
from algatt.symmetry.arranged import arranged_element

__all__: list[str] = []

ENCLOSED_INPUTS = 4
"""At so many random inputs, and as many small ones, values are enclosed by balls."""

SMALLER = 0.125
"""What the small inputs are multiplied by: where exponentials and norms are far from their limits."""

MOST_PARAMETERS = 4096
"""Points over the reals with more numbers than this are compared up to rounding, by `compare_weights`: it lists no
tangents, and encloses nothing by balls.
"""

FEW = 2
"""Number of tokens at which values are computed first, of long inputs: attention of one has no scores."""

MOST_TOKENS = 64
"""Maximum number of tokens at which values are computed first: of more, what two tokens see is compared, and then what
only more do, as vectors of positions.
"""

CARRIES = "a group element carries the first weights to the second"


@verbs.same_function.method
def same_function_of_network(
    arch: Network,
    theta1: Weights,
    theta2: Weights,
    *,
    seed: int = 0,
    error: float = 1e-9,
    tolerance: float | None = None,
    progress: Progress | None = None,
) -> Equivalence:
    given, tolerance = tolerance, tolerance_of(theta1.field, theta2.field) if tolerance is None else tolerance
    check_pair(arch, theta1, theta2, error, tolerance)
    named = named_attention(arch) if arch.parameters <= MOST_PARAMETERS else None
    arrangement = arrangement_of(arch) or named
    if arrangement is not None:
        options = {"seed": seed, "error": error, "tolerance": given, "progress": progress}
        return equivalence_in_normal_form(arrangement, theta1, theta2, options)
    large = isinstance(theta1.field, Reals) and arch.parameters > MOST_PARAMETERS
    if large and given is not None:
        was = f"{given:g}, of a network with more than {MOST_PARAMETERS} parameters"
        raise InvalidArgument("tolerance", was, "not given: there the precision of the weights bounds each tensor")
    if theta1.field.characteristic and not arch.algebraic:
        return equivalence_of_formal_points(arch, theta1, theta2).about(arch, theta1, theta2)
    existence = [verbs.has_function(arch, theta) for theta in (theta1, theta2)]
    for number, answer in enumerate(existence, start=1):
        answer.check(f"theta{number}")
    seed, steps = check_seed(seed), Steps(progress, 2)
    if theta1 == theta2:
        found = same_parameters(arch, theta1, theta2)
    elif large:
        found = equivalence_of_weights(arch, theta1, theta2, seed)
    elif formed := equivalence_of_forms(arch, theta1, theta2):
        found = with_element(formed, arch, theta1, theta2)
    elif isinstance(theta1.field, Reals):
        found = equivalence_over_reals(arch, theta1, theta2, seed, tolerance, steps)
    else:
        found = exact_equivalence(arch, theta1, theta2, seed, error, tolerance, steps)
    if found.equal:
        check_existence(all(existence))
    return found if found.compared is not None else found.about(arch, theta1, theta2)


def equivalence_in_normal_form(
    arrangement: Arrangement, one: Weights, two: Weights, options: dict[str, Any]
) -> Equivalence:
    """Return the answer of the network in normal form, whose tensors are parts of those of the network."""
    points = arrangement.forth(one), arrangement.forth(two)
    found: Equivalence = verbs.same_function(arrangement.network, *points, **options)
    element = found.element
    if element is not None and found.coordinates is Weights:
        element = arranged_element(arrangement, element)
    return replace(found, element=element).about(arrangement.arch, one, two)


def equivalence_of_formal_points(arch: Network, one: Weights, two: Weights) -> Equivalence:
    """Return the answer that two points over GF(p) are equal, whatever the functions are that have no values there;
    raise `InvalidArgument` if nothing says so.
    """
    formed = equivalence_of_forms(arch, one, two)
    if formed is None:
        check_values_exist(arch, "theta1", one)
        raise AssertionError("a network that is not algebraic has no values over GF(p)")
    return with_element(formed, arch, one, two)


def with_element(found: Equivalence, arch: Network, one: Weights, two: Weights) -> Equivalence:
    """Return an answer with the group element that carries one point to the other, if one is found."""
    element = None if one == two else element_between(arch, one, two)
    carries = element is not None and verbs.act(element, one) == two
    return replace(found, element=element, coordinates=Weights) if carries else found


def exact_equivalence(
    arch: Network, one: Weights, two: Weights, seed: int, error: float, tolerance: float, steps: Steps
) -> Equivalence:
    """Look for an input at which the values differ, and then for a group element."""
    missed = 1.0
    if arch.algebraic:
        separated_or_missed = separating_input(arch, one, two, seed, error)
        if isinstance(separated_or_missed, np.ndarray):
            return difference_at(separated_or_missed)
        missed = separated_or_missed
    else:
        separated = separated_by_balls(arch, one, two, seed, tolerance)
        if separated is not None:
            return separated
    steps()
    element = element_between(arch, one, two)
    if element is not None and verbs.act(element, one) == two:
        return Equivalence(True, "proven", element, Weights, None, None, None, CARRIES)
    steps()
    if missed == 0 and arch.vocabulary is not None:
        reason = "the functions agree at all sequences of tokens"
        return Equivalence(True, "proven", None, None, None, None, None, reason)
    if not arch.algebraic:
        raise EquivalenceUndecided(
            "no symmetry was found between the weights, and the values at the inputs that were tried are too close to "
            f"tell them apart{said_of_missing(arch, one)}"
        )
    check_missed(one.field, missed, error)
    reason = "the functions agree at random inputs, but no symmetry known here carries one point to the other"
    reason += said_of_missing(arch, one)
    return Equivalence(True, "probable", None, None, None, missed, None, reason)


def equivalence_of_weights(arch: Network, one: Weights, two: Weights, seed: int) -> Equivalence:
    """Compare floats of a network of any size, up to rounding of their sources."""
    if one == two:
        return same_parameters(arch, one, two)
    few = arch
    if arch.tokens > MOST_TOKENS and arch.vocabulary is not None and not is_split(arch):
        few = replace(arch, tokens=FEW)
    found, network = compare_tokens(few, one, two, min(arch.tokens, tokens_to_reach(arch.layers)), seed)
    return equivalence_of_comparison(found, network, one, two)


def is_split(arch: Network) -> bool:
    """Return whether a network takes tokens by their places, so that it may not read a few of them."""
    return any(isinstance(node.layer, EncoderDecoder | SelectTokens) for node in layout(arch.layers).walk())


def same_parameters(arch: Network, one: Weights, two: Weights) -> Equivalence:
    """Return the answer of two points that have equal entries."""
    found = Equivalence(True, "proven", None, None, None, None, None, "the parameters are the same")
    return found.about(arch, one, two)


def equivalence_of_comparison(found: Comparison, arch: Network, one: Weights, two: Weights) -> Equivalence:
    """Return what a comparison says of two points.

    Raises
    ------
    EquivalenceUndecided
        If it says nothing.
    """
    if found.equal is None:
        raise EquivalenceUndecided(found.reason, found)
    if found.equal:
        residual = found.residual
        element, coordinates = (None, None) if found.copy else (found.element, Weights)
        told = Equivalence(True, "numerical", element, coordinates, None, None, residual, found.reason, None, found)
    else:
        X = found.separating_input
        told = Equivalence(False, "numerical", None, None, X, None, found.difference, found.reason, None, found)
    return told.about(arch, one, two)


def separated_by_balls(
    arch: Architecture, one: Parameters, two: Parameters, seed: int, tolerance: float
) -> Equivalence | None:
    """Return the answer that two points are different functions, if values that balls enclose prove it; for floats only
    if they differ by more than the tolerance and rounding. Every other input is small, but for tokens.
    """
    points = over_balls(one, Balls()), over_balls(two, Balls())
    inputs, sizes = draw_inputs(arch, Reals(), seed, 0, ENCLOSED_INPUTS), 1
    if arch.vocabulary is None:
        inputs, sizes = np.stack([inputs, inputs * SMALLER], axis=1).reshape(-1, *inputs.shape[1:]), 2
    found = enclosed_differences(arch, points, inputs[:0], tolerance)
    for X in inputs:
        found = found.joined(enclosed_differences(arch, points, X[None], tolerance))
        low = found.relative(sizes)[0][-1]
        clear = low > (0 if one.field.exact else clear_difference(tolerance))
        if clear.any() and (one.field.exact or exceeds_rounding(arch, one, two, X, seed, clear)):
            return enclosed_difference(public_input(arch, Elements(Reals(), X[None])), float(low.max()))
    return None


def equivalence_over_reals(
    arch: Network, one: Weights, two: Weights, seed: int, tolerance: float, steps: Steps
) -> Equivalence:
    """Compare floats: values that balls enclose may refute; then an element is found by least squares."""
    separated = separated_by_balls(arch, one, two, seed, tolerance)
    if separated is not None:
        return separated
    steps()
    element = element_between(arch, one, two)
    difference = math.inf if element is None else difference_of(element, one, two)
    steps()
    if difference <= tolerance:
        return Equivalence(True, "numerical", element, Weights, None, None, difference, CARRIES)
    raise EquivalenceUndecided(
        f"the values at random inputs agree within the tolerance {tolerance:.3g} or nearly, but no symmetry was found "
        f"that carries one point to the other, so that they may differ by less{said_of_missing(arch, one)}; "
        f"{OTHER_TOLERANCE}"
    )


def difference_of(element: GroupElement, one: Weights, two: Weights) -> float:
    """Return how far an element carries one point from another, relative to the tensors."""
    return relative_difference(verbs.act(element, one), two)
