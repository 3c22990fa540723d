"""Whether two points of a network are one function: by the virtual form of its values, by values at random inputs, and
by a group element that carries one to the other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.base import NetworkLike, as_architecture
from algatt.architectures.network import Arrangement, arrangement_of
from algatt.architectures.recognition import named_attention
from algatt.arguments import instance
from algatt.errors import EquivalenceUndecided, InvalidArgument
from algatt.fields import Elements, Reals
from algatt.fields.real import tolerance_of
from algatt.geometry.dimensions.question import Progress
from algatt.geometry.equality.enclosed_values import (
    LARGE,
    PART,
    SIZES,
    Differences,
    enclose,
    exceeds_rounding,
    sized_inputs,
    suspects,
)
from algatt.geometry.equality.equivalence import Equivalence, check_existence, check_points, enclosed_difference
from algatt.geometry.equality.large.comparison import Comparison
from algatt.geometry.equality.large.further_tokens import compare_tokens
from algatt.geometry.equality.limits import said_of_limits
from algatt.geometry.equality.networks.missing import said_of_missing
from algatt.geometry.equality.one_form import asks_for_forms, equivalence_of_forms, equivalence_within_rounding
from algatt.geometry.equality.orbits import common_coordinates, equivalence_in_orbit
from algatt.geometry.equality.rounding import OTHER_TOLERANCE, clear_difference
from algatt.geometry.equality.separation import check_missed, difference_at, public_input, separating_input
from algatt.layers import EncoderDecoder, SelectTokens
from algatt.layers.base import layout
from algatt.layers.lengths import tokens_to_reach
from algatt.maps.existence import check_values_exist
from algatt.parameters import Parameters, Weights
from algatt.randomness import check_seed
from algatt.symmetry import ProductElement
from algatt.symmetry.arranged import arranged_element

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


def same_function(
    arch: NetworkLike,
    theta1: Parameters,
    theta2: Parameters,
    *,
    seed: int = 0,
    error: float = 1e-9,
    tolerance: float | None = None,
    progress: Progress | None = None,
) -> Equivalence:
    """Decide whether two sets of parameters, in any coordinate systems, define one function.

    Exact over GF(p) and the rationals: a difference is an input, a common orbit a group element that is checked entry
    by entry; functions without rational values are told apart by balls. Over the reals the same with a tolerance; for
    normalised scores, and where floats are too coarse, balls enclose the values, so that a difference is proven. Cost:
    a few evaluations and small eliminations for each layer.

    For a `Network` of layers a difference is proven by values, and equal points by a group element, permutations and
    signs included; without one they are probable over GF(p), and undecided over the reals. Of other networks without a
    theorem the values alone decide.

    Over GF(p) a function is a matrix of rational functions in the inputs, for lightning of polynomials, and not a map
    of the points over GF(p): see `has_function`. There is no order modulo p: networks with exponentials, roots or gates
    have none.

    Parameters
    ----------
    arch : Architecture
        The network.
    theta1, theta2 : Parameters
        Over one field.
    seed : int, optional
        Names the random inputs.
    error : float, optional
        Without a common orbit: enough inputs are tried that two different functions agree at all of them with at most
        this probability.
    tolerance : float, optional
        Over the reals: the relative difference up to which parameters, or values, count as equal: entries of a matrix
        beside their row and their column, values beside their own size at half of the inputs. Unless given, 1e-8, or
        for numbers of less precision two thirds of their bits: 2e-5 for float32, 0.01 for float16, 0.04 for
        bfloat16; and values are called different only if rounding of the numbers to that precision does not explain it.
        For networks with more than 4096 parameters over the reals it is not taken: the precision of the numbers gives
        a bound for each tensor.
    progress : callable, optional
        Called as ``progress(done, total)`` after each of about `total` steps.

    Returns
    -------
    Equivalence
        True if they are equal; with the group element or the input.

    Raises
    ------
    InvalidArgument
        If the points do not fit the architecture or each other, or the network has no values over their field.
    UndefinedFunction
        If a point has no function.
    EquivalenceUndecided
        If the field is too small, or floating point too coarse, to decide.
    """
    arch = as_architecture(arch)
    for name, theta in (("theta1", theta1), ("theta2", theta2)):
        instance(name, theta, Parameters, "parameters, such as Weights")
    given, tolerance = tolerance, tolerance_of(theta1.field, theta2.field) if tolerance is None else tolerance
    check_points(arch, theta1, theta2, error, tolerance)
    arrangement = normal_arrangement(arch) if isinstance(arch, Network) else None
    if arrangement is not None:
        options = {"seed": seed, "error": error, "tolerance": given, "progress": progress}
        return equivalence_in_normal_form(arrangement, theta1, theta2, options)
    one, two = theta1, theta2
    if type(one) is not type(two):
        coarser = common_coordinates(one, two)[0]
        one, two = verbs.convert(one, coarser), verbs.convert(two, coarser)
    found = equivalence_of_points(arch, one, two, check_seed(seed), error, given, tolerance, progress)
    return found if found.compared is not None else found.about(arch, theta1, theta2)


def equivalence_of_points(
    arch: Architecture,
    one: Any,
    two: Any,
    seed: int,
    error: float,
    given: float | None,
    tolerance: float,
    progress: Progress | None,
) -> Equivalence:
    """Return the answer for two points in the same coordinates."""
    if one.field.characteristic and not arch.algebraic:
        return equivalence_of_formal_points(arch, one, two)
    large = isinstance(arch, Network) and isinstance(one.field, Reals) and arch.parameters > MOST_PARAMETERS
    if large and given is not None:
        was = f"{given:g}, of a network with more than {MOST_PARAMETERS} parameters"
        raise InvalidArgument("tolerance", was, "not given: there the precision of the weights bounds each tensor")
    existence = [verbs.has_function(arch, theta, seed=seed) for theta in (one, two)]
    for number, answer in enumerate(existence, start=1):
        answer.check(f"theta{number}")
    if one == two:
        found = same_parameters(arch, one, two)
    elif isinstance(arch, Network) and large:
        found = equivalence_of_weights(arch, one, two, seed)
    elif isinstance(one.field, Reals):
        found = equivalence_over_reals(arch, one, two, seed, tolerance, progress)
    else:
        found = exact_equivalence(arch, one, two, seed, error, tolerance, progress)
    if found.equal:
        check_existence(all(existence))
    return found


def normal_arrangement(arch: Network) -> Arrangement | None:
    """Return a network in normal form, or the one of HMK that it is; None if it is neither."""
    named = named_attention(arch) if arch.parameters <= MOST_PARAMETERS else None
    return arrangement_of(arch) or named


def equivalence_in_normal_form(arrangement: Arrangement, one: Any, two: Any, options: dict[str, Any]) -> Equivalence:
    """Return the answer of the network in normal form, whose tensors are parts of those of the network."""
    points = arrangement.forth(one), arrangement.forth(two)
    found: Equivalence = same_function(arrangement.network, *points, **options)
    element = found.element
    if element is not None and found.coordinates is Weights:
        element = arranged_element(arrangement, element)
    return replace(found, element=element).about(arrangement.arch, one, two)


def equivalence_of_formal_points(arch: Architecture, one: Any, two: Any) -> Equivalence:
    """Return the answer that two points over GF(p) are equal, whatever the functions are that have no values there;
    raise `InvalidArgument` if nothing says so.
    """
    formed = equivalence_of_forms(arch, one, two)
    if formed is None:
        check_values_exist(arch, "theta1", one)
        raise AssertionError("a network that is not algebraic has no values over GF(p)")
    return with_element(formed, arch, one, two, 0.0)


def with_element(formed: Equivalence, arch: Architecture, one: Any, two: Any, tolerance: float) -> Equivalence:
    """Return an answer with the group element that carries one point to the other, if one is found."""
    found = None if one == two else equivalence_in_orbit(arch, one, two, tolerance=tolerance)
    return formed if found is None else replace(found, status=formed.status, reason=f"{formed.reason}; {found.reason}")


def what_limits(arch: Architecture, one: Parameters, two: Parameters, seed: int, tolerance: float) -> str:
    """Return what has to be added where no symmetry was found: symmetries of composed networks that are not looked for,
    and the operations behind which values agree without a rule that says why.
    """
    missing = said_of_missing(arch, one) if isinstance(arch, Network) and isinstance(one, Weights) else ""
    return missing + said_of_limits(arch, one, two, seed, tolerance)


def report(progress: Progress | None, done: int) -> None:
    """Report how many of the two steps that may be taken are done."""
    if progress is not None:
        progress(done, 2)


def exact_equivalence(
    arch: Architecture, one: Any, two: Any, seed: int, error: float, tolerance: float, progress: Progress | None
) -> Equivalence:
    """Look for an input at which the values differ, then for a group element, and then compare the virtual forms."""
    missed = 1.0
    if arch.algebraic:
        separated_or_missed = separating_input(arch, one, two, seed, error)
        if isinstance(separated_or_missed, np.ndarray):
            return difference_at(separated_or_missed)
        missed = separated_or_missed
    else:
        separated = separated_by_balls(arch, one, two, seed, tolerance)
        if isinstance(separated, Equivalence):
            return separated
    report(progress, 1)
    found: Equivalence | None = equivalence_in_orbit(arch, one, two, tolerance=tolerance)
    if found is None:
        found = equivalence_of_forms(arch, one, two)
    if found is not None:
        return found
    report(progress, 2)
    if missed == 0 and arch.vocabulary is not None:
        reason = "the functions agree at all sequences of tokens"
        return Equivalence(True, "proven", None, None, None, None, None, reason)
    if not arch.algebraic:
        raise EquivalenceUndecided(
            "no symmetry was found between the weights, and the values at the inputs that were tried are too close to "
            f"tell them apart{what_limits(arch, one, two, seed, tolerance)}"
        )
    check_missed(one.field, missed, error)
    reason = "the functions agree at random inputs, but no symmetry known here carries one point to the other"
    reason += what_limits(arch, one, two, seed, tolerance)
    return Equivalence(True, "probable", None, None, None, missed, None, reason)


def equivalence_of_weights(arch: Network, one: Weights, two: Weights, seed: int) -> Equivalence:
    """Compare floats of a network of any size, up to rounding of their sources."""
    few = arch
    if arch.tokens > MOST_TOKENS and arch.vocabulary is not None and not is_split(arch):
        few = replace(arch, tokens=FEW)
    found, network = compare_tokens(few, one, two, min(arch.tokens, tokens_to_reach(arch.layers)), seed)
    return equivalence_of_comparison(found, network, one, two)


def is_split(arch: Network) -> bool:
    """Return whether a network takes tokens by their places, so that it may not read a few of them."""
    return any(isinstance(node.layer, EncoderDecoder | SelectTokens) for node in layout(arch.layers).walk())


def same_parameters(arch: Architecture, one: Parameters, two: Parameters) -> Equivalence:
    """Return the answer of two points that have equal entries: the identity carries one to the other."""
    reason = "the parameters are the same"
    found = Equivalence(True, "proven", ProductElement(()), type(one), None, None, None, reason)
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
        element, coordinates = (None, None) if found.copy else (found.element, Weights)
        told = Equivalence(
            True, "numerical", element, coordinates, None, None, found.difference, found.reason, None, found
        )
    else:
        X = found.separating_input
        told = Equivalence(False, "numerical", None, None, X, None, found.difference, found.reason, None, found)
    return told.about(arch, one, two)


def separated_by_balls(
    arch: Architecture,
    one: Parameters,
    two: Parameters,
    seed: int,
    tolerance: float,
    sizes: tuple[float, ...] = SIZES,
) -> Equivalence | bool:
    """Return the answer that two points are different functions, if values that balls enclose prove it; for floats only
    if they differ by more than the tolerance and rounding. If not, return whether values differ at all for certain.
    """
    inputs, turns = sized_inputs(arch, seed, sizes)
    differences = Differences.unknown(arch, inputs, turns)
    places, enough, formed = np.arange(len(inputs)), 0.0, asks_for_forms(arch, one)
    if not one.field.exact:
        first, enough = [0] if formed else [], clear_difference(tolerance)
        places = np.union1d(first, suspects(arch, one, two, differences, tolerance)).astype(np.int64)
    for some in (places[:1], places[1:]):  # the first one tells most apart
        enclose(arch, (one, two), differences, some, PART * tolerance, enough, in_floats=not formed)
        for number in some:
            X, low = inputs[number], differences.relative[0][number]
            clear = low > enough
            if clear.any() and (one.field.exact or exceeds_rounding(arch, one, two, X, seed, clear)):
                return enclosed_difference(public_input(arch, Elements(Reals(), X[None])), float(low.max()))
    return bool((differences.low > 0).any())


def equivalence_over_reals(
    arch: Architecture, one: Any, two: Any, seed: int, tolerance: float, progress: Progress | None
) -> Equivalence:
    """Compare floats: values that balls enclose may refute; then they may have one virtual form, as what they exactly
    are, or an element is found up to rounding, or values at large inputs refute,
    or they have one virtual form within rounding.
    """
    separated = separated_by_balls(arch, one, two, seed, tolerance)
    if isinstance(separated, Equivalence):
        return separated
    report(progress, 1)
    formed = None if separated else equivalence_of_forms(arch, one, two)  # values that differ have no one form
    if formed is not None:
        return with_element(formed, arch, one, two, tolerance)
    found: Equivalence | None = equivalence_in_orbit(arch, one, two, tolerance=tolerance)
    if found is None:
        apart = separated_by_balls(arch, one, two, seed, tolerance, LARGE)
        found = apart if isinstance(apart, Equivalence) else None
    if found is None:
        found = equivalence_within_rounding(arch, one, two, seed, tolerance)
    if found is not None:
        return found
    raise EquivalenceUndecided(
        f"the values at random inputs agree within the tolerance {tolerance:.3g} or nearly, but no symmetry was found "
        "that carries one point to the other, so that they may differ by less"
        f"{what_limits(arch, one, two, seed, tolerance)}; {OTHER_TOLERANCE}"
    )
