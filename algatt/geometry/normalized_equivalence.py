"""Whether two sets of weights are one function of a network with normalised scores.

Equal virtual weights are equal functions, and for many scores there are no others (HMK Theorem 3.9, and what is derived for Conjecture 3.10). Two
points are called different for their values at an input alone, and equal where it is proven, or probable over a large prime field.
"""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Normalized
from algatt.architectures.base import draw_inputs
from algatt.errors import DivisionByZero, EquivalenceUndecided, InvalidArgument, RankUndecided, ScoreOverflow
from algatt.fields import Balls, Elements, PrimeField, Reals
from algatt.fields.ball import midpoints
from algatt.geometry.bounds import known_degree
from algatt.geometry.carrying import carried, carrying_element
from algatt.geometry.equivalence import BAND, MOST_INPUTS, ComparedValues, Equivalence, check_points, element_in_tower, pairs_in_tower
from algatt.linalg.row_form import row_form
from algatt.maps.existence import check_values_exist
from algatt.parameters import Parameters, VirtualWeights
from algatt.randomness import check_seed

__all__ = ["BITS", "input_scale", "over_balls"]

BITS = (128, 512, 2048)
"""Precisions that are tried until the values are known to a small part of the tolerance."""

ENCLOSED = 16
"""So many inputs are evaluated over balls, at each of two sizes."""


@verbs.same_function.method
def same_function_of_normalized(
    arch: Normalized,
    theta1: Parameters,
    theta2: Parameters,
    *,
    seed: int = 0,
    error: float = 1e-9,
    tolerance: float = 1e-8,
) -> Equivalence:
    check_points(arch, theta1, theta2, error, tolerance)
    check_values_exist(arch, "theta1", theta1)
    seed = check_seed(seed)
    have_functions = True
    for argument, theta in (("theta1", theta1), ("theta2", theta2)):
        existence = verbs.has_function(arch, theta, seed=seed)
        existence.check(argument)
        have_functions = have_functions and existence.exists
    pairs = pairs_in_tower(theta1, theta2)
    exact = isinstance(theta1.field, PrimeField)
    compared = separating_input(arch, *pairs[0][1:], seed, error) if exact else compared_by_balls(arch, theta1, theta2, seed, tolerance)
    if isinstance(compared, np.ndarray):
        return Equivalence(False, "proven", None, None, compared, None, None, "the functions differ at an input")
    if isinstance(compared, ComparedValues) and compared.differ:
        reason = f"the values at an input differ by {compared.difference:.3g} of their size, as enclosures by balls prove"
        return Equivalence(False, "proven", None, None, compared.separating_input, None, compared.difference, reason)
    if not have_functions:
        raise EquivalenceUndecided("no input was found at which the network has a value, and none is excluded")
    found = element_in_tower(arch, pairs, tolerance) or equivalence_of_what_is_seen(arch, *pairs[-1][1:], tolerance)
    if found is not None:
        return found
    if isinstance(compared, ComparedValues):
        raise EquivalenceUndecided(undecided_values(compared, tolerance))
    if compared > error:
        raise EquivalenceUndecided(
            f"no input that was tried separates the functions, and no symmetry was found between the weights; over {theta1.field} random inputs "
            f"miss a difference with a probability of up to {compared:.2g}"
        )
    reason = "the functions agree at random inputs, but no symmetry known here carries one point to the other"
    return Equivalence(True, "probable", None, None, None, compared, None, reason)


def undecided_values(values: ComparedValues, tolerance: float) -> str:
    """Say why values over the reals decide nothing."""
    if values.agree:
        return (
            f"the values at random inputs agree within the tolerance {tolerance:.3g}, but no gauge was found that carries one point to the other, "
            "so that they may differ by less"
        )
    return (
        f"the values differ by {values.difference:.3g} of their size at most, which is neither within the tolerance {tolerance:.3g} nor clearly more"
    )


def separating_input(arch: Normalized, theta1: Parameters, theta2: Parameters, seed: int, error: float) -> np.ndarray | float:
    """Return an input at which the values over GF(p) differ, or else a bound on the probability of missing one.

    With numerators of degree n and denominators of degree e in the inputs, the difference at one token has a numerator of degree n + e. That an
    input is drawn again unless the 2 t denominators of both values do not vanish adds at most their degrees, 2 t e in all. The sum is at most 2 t
    times n + 2 e, and this is at most `verbs.degree`.
    """
    field = theta1.field
    order = field.p if isinstance(field, PrimeField) else math.inf
    degree = known_degree(arch)
    missed_by_one = 1.0 if degree is None else min(1.0, 2 * arch.tokens * degree.inputs / order)
    missed = 1.0
    for start in range(MOST_INPUTS):
        X = Elements(field, draw_inputs(arch, field, seed, start, 1))
        with contextlib.suppress(DivisionByZero):
            one, two = verbs.evaluate(arch, theta1, X), verbs.evaluate(arch, theta2, X)
            if (one.raw != two.raw).any():
                separating: np.ndarray = Elements(field, X.raw[0]).public()
                return separating
            missed *= missed_by_one
        if missed <= error:
            break
    return missed


def compared_by_balls(arch: Normalized, one: Parameters, two: Parameters, seed: int, tolerance: float) -> ComparedValues:
    """Compare values of the real parameters exactly as they were given, by enclosures, at inputs of size one and where scores have size one.

    The latter because softmax of large scores only tells which one is the largest.
    """
    drawn = draw_inputs(arch, Reals(), seed, 0, ENCLOSED)
    inputs = np.concatenate([drawn, drawn * min(1.0, input_scale(one), input_scale(two))])
    pairs = [(X, bounds) for X in inputs if (bounds := enclosed_difference(arch, one, two, X, tolerance)) is not None]
    if not pairs:
        raise EquivalenceUndecided("the network has no values at the inputs that were tried: a denominator vanishes, or scores overflow")
    low, high = (np.array([bounds[k] for _, bounds in pairs]) for k in range(2))
    worst = int(np.argmax(low))
    return ComparedValues(
        agree=bool((high <= tolerance).all()),
        differ=bool(low[worst] > BAND * tolerance),
        difference=float(low[worst]),
        separating_input=pairs[worst][0],
    )


def input_scale(theta: Parameters) -> float:
    """Return the power of two by which inputs of size one are multiplied so that the largest scores have about size one."""
    sizes = [float(np.linalg.norm(M.raw, 2)) for M in verbs.convert(theta, VirtualWeights).M_elements]
    return float(2.0 ** np.rint(-np.log2(max(sizes)) / 2)) if max(sizes) > 0 else 1.0


def enclosed_difference(arch: Normalized, one: Parameters, two: Parameters, X: np.ndarray, tolerance: float) -> tuple[float, float] | None:
    """Return bounds of the largest difference of two values beside the larger of them; None where there are no values."""
    low, high = 0.0, math.inf
    for bits in BITS:
        field = Balls(bits)
        try:
            values = [verbs.evaluate(arch, over_balls(theta, field), Elements(field, verbs.encode(field, X[None]))) for theta in (one, two)]
        except (DivisionByZero, ScoreOverflow):
            continue
        off = (values[0] - values[1]).raw
        scale = max(float(np.abs(midpoints(value.raw)).max()) for value in values)
        if scale == 0:
            scale = 1.0
        low = max(float(entry.abs_lower()) for entry in off.flat) / scale
        high = max(float(entry.abs_upper()) for entry in off.flat) / scale
        if high - low <= 1e-3 * tolerance:
            break
    return None if math.isinf(high) else (low, high)


def over_balls(theta: Any, field: Balls) -> Any:
    """Return real parameters as balls of radius zero."""
    return theta.replaced([Elements(field, verbs.encode(field, element.raw)) for element in theta.elements])


def equivalence_of_what_is_seen(arch: Normalized, one: VirtualWeights, two: VirtualWeights, tolerance: float) -> Equivalence | None:
    """Compare what is left of virtual weights without scores that the function does not see; over the reals within the tolerance."""
    try:
        seen_one, seen_two = seen(arch, one), seen(arch, two)
    except RankUndecided:
        return None
    element = carrying_element(arch, seen_one, seen_two)
    exact = isinstance(one.field, PrimeField)
    difference = math.inf if element is None else carried(element, seen_one, seen_two)[1]
    if difference > (0 if exact else tolerance):
        return None
    if not one.L_elements.raw.any():
        reason = "both are the zero function, as L = 0"
    elif arch.tokens == 1:
        reason = "with one token all weights are one, and the function is X -> L X"
    else:
        reason = "a layer of rank one with a homogeneous score sees no query, and no later layer sees scores; what is seen is in one orbit"
    return Equivalence(True, "proven" if exact else "numerical", None, None, None, None, None if exact else difference, reason)


def seen(arch: Normalized, theta: VirtualWeights) -> VirtualWeights:
    """Return the virtual weights with zeros for the scores that the function does not see: only the key of the first M_i = k q^T is kept."""
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
