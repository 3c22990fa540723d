"""Whether two sets of weights are one function of a network: by values at random inputs, and by a group element that
carries one to the other, found space by space.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.architectures.base import check_fits, draw_inputs
from algatt.errors import DivisionByZero, EquivalenceUndecided, InvalidArgument, NoValue
from algatt.fields import Balls, Elements, Field, PrimeField, Rationals, Reals
from algatt.fields.real import tolerance_of
from algatt.geometry.dimensions.bounds import Progress, known_degree
from algatt.geometry.equality.carrying import relative_difference
from algatt.geometry.equality.compared_values import MOST_INPUTS
from algatt.geometry.equality.enclosed_values import enclosed_differences, exceeds_rounding
from algatt.geometry.equality.equivalence import Equivalence
from algatt.geometry.equality.networks import element_between
from algatt.geometry.equality.source_rounding import OTHER_TOLERANCE, clear_difference
from algatt.geometry.equality.steps import Steps
from algatt.parameters import Weights
from algatt.randomness import check_seed
from algatt.symmetry import GroupElement

__all__: list[str] = []

ENCLOSED_INPUTS = 4
"""At so many random inputs, and as many small ones, values are enclosed by balls."""

SMALLER = 0.125
"""What the small inputs are multiplied by: where exponentials and norms are far from their limits."""

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
    tolerance = tolerance_of(theta1.field, theta2.field) if tolerance is None else tolerance
    check_weights(arch, theta1, theta2, error, tolerance)
    seed, steps = check_seed(seed), Steps(progress, 2)
    if isinstance(theta1.field, Reals):
        return equivalence_over_reals(arch, theta1, theta2, seed, tolerance, steps)
    return exact_equivalence(arch, theta1, theta2, seed, error, tolerance, steps)


def check_weights(arch: Network, theta1: Weights, theta2: Weights, error: object, tolerance: object) -> None:
    """Raise `InvalidArgument` unless two points can be compared, and `UndefinedFunction` if one has no function."""
    for theta in (theta1, theta2):
        check_fits(arch, theta)
    if theta1.field != theta2.field:
        raise InvalidArgument("theta2", f"over {theta2.field}", f"over {theta1.field}, as theta1 is")
    if not isinstance(theta1.field, PrimeField | Rationals | Reals):
        raise InvalidArgument("theta1", f"over {theta1.field}", "over a PrimeField, Rationals() or Reals()")
    for name, value in (("error", error), ("tolerance", tolerance)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
            raise InvalidArgument(name, repr(value), "a number between 0 and 1")
    if arch.algebraic:
        for number, theta in enumerate((theta1, theta2), start=1):
            verbs.has_function(arch, theta).check(f"theta{number}")


def exact_equivalence(
    arch: Network, one: Weights, two: Weights, seed: int, error: float, tolerance: float, steps: Steps
) -> Equivalence:
    """Look for an input at which the values differ, and then for a group element."""
    missed = 1.0
    if arch.algebraic:
        separated_or_missed = separating_input(arch, one, two, seed, error)
        if isinstance(separated_or_missed, np.ndarray):
            reason = "the functions differ at an input"
            return Equivalence(False, "proven", None, None, separated_or_missed, None, None, reason)
        missed = separated_or_missed
    elif isinstance(one.field, Rationals):
        separated = separated_by_balls(arch, over_balls(one), over_balls(two), seed, tolerance)
        if separated is not None:
            return separated
    steps()
    element = element_between(arch, one, two)
    if element is not None and verbs.act(element, one) == two:
        return Equivalence(True, "proven", element, Weights, None, None, None, reason_of(arch, one.field))
    steps()
    if not arch.algebraic:
        raise EquivalenceUndecided(undecided_without_values(arch, one.field))
    if missed > error:
        raise EquivalenceUndecided(
            "no input that was tried separates the functions, and no symmetry was found between the weights; "
            f"over {one.field} random inputs miss a difference with a probability of up to {missed:.2g}"
        )
    reason = "the functions agree at random inputs, but no symmetry known here carries one point to the other"
    return Equivalence(True, "probable", None, None, None, missed, None, reason)


def reason_of(arch: Network, field: Field) -> str:
    """Return what it proves that an element carries one point to another."""
    if arch.algebraic or not isinstance(field, PrimeField):
        return CARRIES
    return (
        f"{CARRIES}; the network has no values over {field}: there are real weights of one function that these are the "
        "residues of"
    )


def undecided_without_values(arch: Network, field: Field) -> str:
    """Say why nothing is decided where no symmetry was found."""
    if isinstance(field, PrimeField):
        return (
            f"no symmetry was found between the weights, and over {field} the network has no values that could tell "
            "them apart; compare over Reals() or Rationals()"
        )
    return (
        "no symmetry was found between the weights, and the values at the inputs that were tried are too close to tell "
        "them apart"
    )


def separating_input(arch: Network, one: Weights, two: Weights, seed: int, error: float) -> np.ndarray | float:
    """Return an input at which the values differ, or else a bound on the probability of missing one, by the lemma of
    Schwartz and Zippel.

    With numerators of degree n and denominators of degree e in the inputs the difference has a numerator of degree n +
    e, and that inputs are drawn again where there is no value adds at most the degrees of what is divided by. Inputs
    over Q are random integers. Where networks read tokens, or rotate by random points of circles, nothing is bounded.
    """
    field = one.field
    order = field.drawn if isinstance(field, Rationals) else field.p if isinstance(field, PrimeField) else math.inf
    degree = known_degree(arch) if arch.vocabulary is None else None
    missed_by_one = 1.0 if degree is None else min(1.0, 2 * degree.inputs / order)
    missed = 1.0
    for start in range(MOST_INPUTS):
        X = Elements(field, draw_inputs(arch, field, seed, start, 1))
        with contextlib.suppress(DivisionByZero):
            if np.any(verbs.evaluate(arch, one, X).raw != verbs.evaluate(arch, two, X).raw):
                return public_input(arch, X)
            missed *= missed_by_one
        if missed <= error:
            break
    return missed


def public_input(arch: Network, X: Elements) -> np.ndarray:
    """Return the input of a batch of one as `algatt.evaluate` takes it: for networks that read tokens their numbers."""
    if arch.vocabulary is not None:
        numbers: np.ndarray = np.argmax(X.raw[0] != 0, axis=0)
        return numbers
    public: np.ndarray = Elements(X.field, X.raw[0]).public()
    return public


def over_balls(theta: Weights) -> Weights:
    """Return real or rational weights as balls."""
    field = Balls()
    arrays = []
    for element in theta.elements:
        raw = element.raw
        if isinstance(element.field, Rationals):
            raw = np.array([field.compute(enclosed, entry) for entry in raw.ravel()], dtype=object).reshape(raw.shape)
        arrays.append(Elements(field, verbs.encode(field, raw)))
    return theta.replaced(arrays)


def enclosed(number: Any) -> Any:
    """Return a ball around a rational number of FLINT."""
    import flint

    return flint.arb(number)


def small_and_large_inputs(arch: Network, seed: int) -> Iterator[np.ndarray]:
    """Iterate over real inputs, every other one small; tokens as they are."""
    for X in draw_inputs(arch, Reals(), seed, 0, ENCLOSED_INPUTS):
        yield X
        if arch.vocabulary is None:
            yield X * SMALLER


def separated_by_balls(
    arch: Any,
    one: Weights,
    two: Weights,
    seed: int,
    tolerance: float,
    floats: tuple[Weights, Weights] | None = None,
) -> Equivalence | None:
    """Return the answer that two points are different functions, if values that balls enclose prove it; for floats only
    if they differ by more than the tolerance and rounding.
    """
    for X in small_and_large_inputs(arch, seed):
        with contextlib.suppress(NoValue):
            low, _ = enclosed_differences(arch, (one, two), X[None], tolerance)
            if low[0] > (0 if floats is None else clear_difference(tolerance)) and (
                floats is None or exceeds_rounding(arch, *floats, X, seed)
            ):
                reason = f"the values at an input differ by {low[0]:.3g} of their size, as enclosures by balls prove"
                separating = public_input(arch, Elements(Reals(), X[None]))
                return Equivalence(False, "proven", None, None, separating, None, float(low[0]), reason)
    return None


def equivalence_over_reals(
    arch: Network, one: Weights, two: Weights, seed: int, tolerance: float, steps: Steps
) -> Equivalence:
    """Compare floats: values that balls enclose may refute; then an element is found by least squares."""
    separated = separated_by_balls(arch, over_balls(one), over_balls(two), seed, tolerance, (one, two))
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
        f"that carries one point to the other, so that they may differ by less; {OTHER_TOLERANCE}"
    )


def difference_of(element: GroupElement, one: Weights, two: Weights) -> float:
    """Return how far an element carries one point from another, relative to the tensors."""
    return relative_difference(verbs.act(element, one), two)
