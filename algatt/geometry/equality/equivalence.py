"""Whether two sets of weights are one function: a group element that carries one to the other, or an input where they
differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning, Normalized
from algatt.architectures.base import Architecture, check_fits, draw_inputs
from algatt.display import html_of
from algatt.errors import EquivalenceUndecided, InvalidArgument
from algatt.fields import Elements, PrimeField, Reals
from algatt.fields.real import tolerance_of
from algatt.geometry.dimensions.bounds import Progress
from algatt.geometry.equality.carrying import candidates, carrying_element, carrying_steps, improved
from algatt.geometry.equality.compared_values import MOST_INPUTS, ComparedValues, compared_values
from algatt.geometry.equality.enclosed_values import compared_by_balls
from algatt.geometry.equality.rounding import check_float_sizes
from algatt.geometry.equality.source_rounding import OTHER_TOLERANCE
from algatt.geometry.equality.steps import Steps
from algatt.linalg.row_form import row_form
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights
from algatt.randomness import check_seed
from algatt.symmetry import GroupElement, LinearElement, ProductElement, TranslationElement

__all__ = [
    "Equivalence",
    "check_points",
    "common_coordinates",
    "element_in_tower",
    "enclosed_difference",
    "steps_in_tower",
]

TOWER: tuple[type[Parameters], ...] = (Weights, AttentionMatrix, VirtualWeights)


@dataclass(frozen=True, eq=False)
class Equivalence:
    """Whether two sets of parameters define one function, with the evidence.

    Parameters
    ----------
    equal : bool
        The decision.
    status : str
        ``proven``; ``probable`` (equal at random inputs, see `error`); or ``numerical`` (over the reals, but for values
        that balls tell apart).
    element : GroupElement or None
        If equal and in one orbit: the g with ``act(g, theta1) == theta2`` in the coordinates `coordinates`. For the
        zero function it may be missing.
    coordinates : type or None
        The finest coordinate system, at or below those of the parameters, in which one orbit holds both.
    separating_input : array or None
        If not equal: an input of shape (d_0, t) at which the functions differ; None if only a theorem tells them apart.
    error : float or None
        For a probable answer: a bound on the probability that two different functions agree at all the random inputs.
    difference : float or None
        Over the reals: the largest relative difference of the values that were compared, or of the parameters that
        `element` carries onto each other.
    reason : str
        The evidence in words.
    """

    equal: bool
    status: str
    element: GroupElement | None
    coordinates: type[Parameters] | None
    separating_input: Any
    error: float | None
    difference: float | None
    reason: str

    def __bool__(self) -> bool:
        return self.equal

    def _repr_html_(self) -> str:
        return html_of(verbs.summarize(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain values for JSON; group elements by their matrices."""
        return {
            "equal": self.equal,
            "status": self.status,
            "reason": self.reason,
            "coordinates": None if self.coordinates is None else self.coordinates.__name__,
            "element": None if self.element is None else described(self.element),
            "separating_input": None if self.separating_input is None else self.separating_input.tolist(),
            "error": self.error,
            "difference": self.difference,
        }


def described(element: GroupElement) -> dict[str, Any]:
    """Return a group element as plain values: the name of its class, and its factors, matrices or arrays."""
    name = type(element).__name__
    if isinstance(element, ProductElement):
        return {"name": name, "factors": [described(factor) for factor in element.factors]}
    if isinstance(element, LinearElement):
        return {"name": name, "matrices": [matrix.public().tolist() for matrix in element.matrices]}
    if isinstance(element, TranslationElement):
        return {"name": name, "arrays": [array.public().tolist() for array in element.arrays]}
    return {"name": name}


@verbs.same_function.method
def same_function_of_lightning(
    arch: Lightning,
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
    systems = common_coordinates(theta1, theta2)
    steps = Steps(progress, 1 + steps_in_tower(arch, systems))
    if isinstance(theta1.field, Reals):
        return numerical_equivalence(arch, theta1, theta2, seed, tolerance, steps)
    one, two = verbs.convert(theta1, systems[0]), verbs.convert(theta2, systems[0])
    separated = separating_input(arch, one, two, seed, error)
    if isinstance(separated, np.ndarray):
        return Equivalence(False, "proven", None, None, separated, None, None, "the functions differ at an input")
    steps()
    found = element_in_tower(arch, one, two, tolerance, steps)
    if found is not None:
        return found
    reason = identity_of_virtual_weights(arch, verbs.convert(one, VirtualWeights), verbs.convert(two, VirtualWeights))
    if reason is not None:
        return Equivalence(True, "proven", None, None, None, None, None, reason)
    if separated > error:
        raise EquivalenceUndecided(
            f"no input that was tried separates the functions, and no symmetry was found between the weights; over "
            f"{theta1.field} random inputs "
            f"miss a difference with a probability of up to {separated:.2g}"
        )
    reason = "the functions agree at random inputs, but no gauge, rescaling or swap carries one point to the other"
    return Equivalence(True, "probable", None, None, None, separated, None, reason)


def common_coordinates(theta1: Parameters, theta2: Parameters) -> tuple[type[Parameters], ...]:
    """Return the finest coordinates in which both points can be written, and all coarser ones."""
    return TOWER[max(TOWER.index(type(theta1)), TOWER.index(type(theta2))) :]


def check_points(arch: Architecture, theta1: Parameters, theta2: Parameters, error: float, tolerance: float) -> None:
    """Raise `InvalidArgument` unless two points can be compared."""
    check_fits(arch, theta1)
    check_fits(arch, theta2)
    if theta1.field != theta2.field:
        raise InvalidArgument("theta2", f"over {theta2.field}", f"over {theta1.field}, as theta1 is")
    if not isinstance(theta1.field, PrimeField | Reals):
        raise InvalidArgument("theta1", f"over {theta1.field}", "over a PrimeField or Reals()")
    for name, value in (("error", error), ("tolerance", tolerance)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
            raise InvalidArgument(name, repr(value), "a number between 0 and 1")
    for theta in (theta1, theta2):
        check_float_sizes(theta)


def separating_input(arch: Lightning, theta1: Parameters, theta2: Parameters, seed: int, error: float) -> Any:
    """Return an input at which the values over GF(p) differ, or else the probability of missing one: the degree 3^l
    over p, for each input.
    """
    field = theta1.field
    order = field.p if isinstance(field, PrimeField) else math.inf
    missed_by_one = min(1.0, 3**arch.layers / order)
    inputs = (
        MOST_INPUTS if missed_by_one >= 1 else min(MOST_INPUTS, math.ceil(math.log(error) / math.log(missed_by_one)))
    )
    for start in range(inputs):
        X = Elements(field, draw_inputs(arch, field, seed, start, 1))
        one, two = verbs.evaluate(arch, theta1, X), verbs.evaluate(arch, theta2, X)
        if (one.raw != two.raw).any():
            return Elements(field, X.raw[0]).public()
    return float(missed_by_one**inputs)


def steps_in_tower(arch: Lightning | Normalized, systems: Sequence[type[Parameters]]) -> int:
    """Return the number of steps of `element_in_tower`: those of `carrying_element`, and one to check the element."""
    return sum(1 + carrying_steps(arch, coordinates) for coordinates in systems)


def element_in_tower(
    arch: Lightning | Normalized,
    one: Any,
    two: Any,
    tolerance: float,
    steps: Steps,
) -> Equivalence | None:
    """Look for a group element in the coordinates of two points, then in coarser ones."""
    finest = type(one)
    exact = isinstance(one.field, PrimeField)
    for coordinates in common_coordinates(one, two):
        one, two = verbs.convert(one, coordinates), verbs.convert(two, coordinates)
        for candidate in candidates(arch, one, two, steps):
            element, difference = improved(arch, candidate, one, two)
            steps()
            if difference == 0 if exact else difference <= tolerance:
                reason = f"a group element carries the first {coordinates.__name__} to the second"
                if coordinates is not finest and exact:
                    reason += f"; as {finest.__name__} they are in no common orbit of the gauges and rescalings"
                elif coordinates is not finest:
                    reason += f"; none was found for {finest.__name__}"
                status = "proven" if exact else "numerical"
                return Equivalence(
                    True, status, element, coordinates, None, None, None if exact else difference, reason
                )
    return None


def identity_of_virtual_weights(arch: Lightning, one: VirtualWeights, two: VirtualWeights) -> str | None:
    """Say why two functions over GF(p) are equal although the torus does not connect their virtual weights, or return
    None.
    """
    if is_zero(one) and is_zero(two):
        return "both are the zero function"
    if one.field == PrimeField(2):
        return None  # symmetric parts are no halves there
    seen_one, seen_two = symmetrised(arch, one), symmetrised(arch, two)
    if is_zero(seen_one) and is_zero(seen_two):
        return (
            "the tokens are parallel, so only the symmetric parts of some M_i matter, and with these both are the "
            "zero function"
        )
    element = carrying_element(arch, seen_one, seen_two, Steps(None, 0))
    if element is not None and verbs.act(element, seen_one) == seen_two:
        return (
            "the tokens are parallel, so only the symmetric parts of some M_i matter, and these are in one orbit "
            "of "
            "the torus"
        )
    return None


def is_zero(theta: VirtualWeights) -> bool:
    """Return whether a factor of the function is zero."""
    return any(not element.raw.any() for element in theta.elements)


def symmetrised(arch: Lightning, theta: VirtualWeights) -> VirtualWeights:
    """Return the virtual weights with M_i + M_i^T instead of M_i where all tokens are parallel: if there is one, or
    after an M_j of rank one.
    """
    parallel = arch.tokens == 1
    arrays = []
    for M in theta.M_elements:
        arrays.append(M + M.T if parallel else M + M)
        parallel = parallel or row_form(M).rank <= 1
    return VirtualWeights((*arrays, theta.L_elements))


def numerical_equivalence(
    arch: Lightning,
    one: Parameters,
    two: Parameters,
    seed: int,
    tolerance: float,
    steps: Steps,
) -> Equivalence:
    """Compare float parameters: values at random inputs first, which may refute a small difference; then by an element.

    What floats do not decide, since values of deep networks are small beside what is rounded in them, balls may.
    """
    values = compared_values(arch, one, two, seed, tolerance)
    if values.differ:
        reason = (
            f"the values at an input differ by {values.difference:.3g} of their size, clearly more than rounding "
            f"accounts for"
        )
        return Equivalence(False, "numerical", None, None, values.separating_input, None, values.difference, reason)
    steps()
    finest = common_coordinates(one, two)[0]
    found = element_in_tower(arch, verbs.convert(one, finest), verbs.convert(two, finest), tolerance, steps)
    if found is not None:
        return found
    if values.agree:
        reason = (
            "the values agree at random inputs, but no gauge, rescaling or swap was found that carries one point "
            "to the other"
        )
        return Equivalence(True, "numerical", None, None, None, None, values.difference, reason)
    enclosed = compared_by_balls(arch, one, two, seed, tolerance, steps)
    if enclosed.differ:
        return enclosed_difference(enclosed)
    raise EquivalenceUndecided(
        f"the values differ by {values.difference:.3g} of their size at most, which is neither within the tolerance "
        f"{tolerance:.3g} nor clearly more "
        f"than rounding; {OTHER_TOLERANCE}, or compare over a PrimeField instead"
    )


def enclosed_difference(values: ComparedValues) -> Equivalence:
    """Return the answer that two functions differ, as enclosures prove."""
    reason = f"the values at an input differ by {values.difference:.3g} of their size, as enclosures by balls prove"
    return Equivalence(False, "proven", None, None, values.separating_input, None, values.difference, reason)
