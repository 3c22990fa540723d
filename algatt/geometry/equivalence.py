"""Whether two sets of weights are one function: a group element that carries one to the other, or an input where they differ."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning, Normalized
from algatt.architectures.base import Architecture, check_fits, draw_inputs
from algatt.errors import EquivalenceUndecided, InvalidArgument
from algatt.fields import Elements, PrimeField, Reals
from algatt.geometry.carrying import candidates, carrying_element, improved
from algatt.geometry.rounding import absolute, check_float_sizes
from algatt.linalg.row_form import row_form
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights
from algatt.randomness import check_seed
from algatt.symmetry import GroupElement, LinearElement, ProductElement, TranslationElement

__all__ = ["BAND", "MOST_INPUTS", "ComparedValues", "Equivalence", "Pairs", "check_points", "element_in_tower", "pairs_in_tower"]

MOST_INPUTS = 64
"""At most so many random inputs are tried to separate two functions."""

TOWER: tuple[type[Parameters], ...] = (Weights, AttentionMatrix, VirtualWeights)

SMALLEST = float(np.finfo(np.float64).tiny)
"""The smallest normal float, put where a size is zero."""

BAND = 1e3
"""Float values that differ by more than the tolerance but by less than this many times the tolerance decide nothing."""


@dataclass(frozen=True, eq=False)
class Equivalence:
    """Whether two sets of parameters define one function, with the evidence.

    Parameters
    ----------
    equal : bool
        The decision.
    status : str
        ``proven``; ``probable`` (equal at random inputs, see `error`); or ``numerical`` (over the reals, but for values that balls tell apart).
    element : GroupElement or None
        If equal and in one orbit: the g with ``act(g, theta1) == theta2`` in the coordinates `coordinates`. For the zero function it may be missing.
    coordinates : type or None
        The finest coordinate system, at or below those of the parameters, in which one orbit holds both.
    separating_input : array or None
        If not equal: an input of shape (d_0, t) at which the functions differ.
    error : float or None
        For a probable answer: a bound on the probability that two different functions agree at all the random inputs.
    difference : float or None
        Over the reals: the largest relative difference of the values that were compared, or of the parameters that `element` carries onto each other.
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
    tolerance: float = 1e-8,
) -> Equivalence:
    check_points(arch, theta1, theta2, error, tolerance)
    seed = check_seed(seed)
    pairs = pairs_in_tower(theta1, theta2)
    if isinstance(theta1.field, Reals):
        return numerical_equivalence(arch, theta1, theta2, pairs, seed, tolerance)
    separated = separating_input(arch, *pairs[0][1:], seed, error)
    if isinstance(separated, np.ndarray):
        return Equivalence(False, "proven", None, None, separated, None, None, "the functions differ at an input")
    found = element_in_tower(arch, pairs, tolerance)
    if found is not None:
        return found
    reason = identity_of_virtual_weights(arch, *pairs[-1][1:])
    if reason is not None:
        return Equivalence(True, "proven", None, None, None, None, None, reason)
    if separated > error:
        raise EquivalenceUndecided(
            f"no input that was tried separates the functions, and no symmetry was found between the weights; over {theta1.field} random inputs "
            f"miss a difference with a probability of up to {separated:.2g}"
        )
    reason = "the functions agree at random inputs, but no gauge, rescaling or swap carries one point to the other"
    return Equivalence(True, "probable", None, None, None, separated, None, reason)


Pairs = list[tuple[type[Parameters], Any, Any]]


def pairs_in_tower(theta1: Parameters, theta2: Parameters) -> Pairs:
    """Return both points in the finest coordinates that both have, and in all coarser ones."""
    common = TOWER[max(TOWER.index(type(theta1)), TOWER.index(type(theta2))) :]
    return [(coordinates, verbs.convert(theta1, coordinates), verbs.convert(theta2, coordinates)) for coordinates in common]


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
    """Return an input at which the values over GF(p) differ, or else the probability of missing one: the degree 3^l over p, for each input."""
    field = theta1.field
    order = field.p if isinstance(field, PrimeField) else math.inf
    missed_by_one = min(1.0, 3**arch.layers / order)
    inputs = MOST_INPUTS if missed_by_one >= 1 else min(MOST_INPUTS, math.ceil(math.log(error) / math.log(missed_by_one)))
    for start in range(inputs):
        X = Elements(field, draw_inputs(arch, field, seed, start, 1))
        one, two = verbs.evaluate(arch, theta1, X), verbs.evaluate(arch, theta2, X)
        if (one.raw != two.raw).any():
            return Elements(field, X.raw[0]).public()
    return float(missed_by_one**inputs)


def element_in_tower(arch: Lightning | Normalized, pairs: Pairs, tolerance: float) -> Equivalence | None:
    """Look for a group element in the finest coordinates, then in coarser ones."""
    for coordinates, one, two in pairs:
        for candidate in candidates(arch, one, two):
            element, difference = improved(arch, candidate, one, two)
            exact = isinstance(one.field, PrimeField)
            if difference == 0 if exact else difference <= tolerance:
                reason = f"a group element carries the first {coordinates.__name__} to the second"
                if coordinates is not pairs[0][0]:
                    finest = pairs[0][0].__name__
                    reason += f"; as {finest} they are in no common orbit of the gauges and rescalings" if exact else f"; none was found for {finest}"
                status = "proven" if exact else "numerical"
                return Equivalence(True, status, element, coordinates, None, None, None if exact else difference, reason)
    return None


def identity_of_virtual_weights(arch: Lightning, one: VirtualWeights, two: VirtualWeights) -> str | None:
    """Say why two functions over GF(p) are equal although the torus does not connect their virtual weights, or return None."""
    if is_zero(one) and is_zero(two):
        return "both are the zero function"
    if one.field == PrimeField(2):
        return None  # symmetric parts are no halves there
    seen_one, seen_two = symmetrised(arch, one), symmetrised(arch, two)
    if is_zero(seen_one) and is_zero(seen_two):
        return "the tokens are parallel, so only the symmetric parts of some M_i matter, and with these both are the zero function"
    element = carrying_element(arch, seen_one, seen_two)
    if element is not None and verbs.act(element, seen_one) == seen_two:
        return "the tokens are parallel, so only the symmetric parts of some M_i matter, and these are in one orbit of the torus"
    return None


def is_zero(theta: VirtualWeights) -> bool:
    """Say whether a factor of the function is zero."""
    return any(not element.raw.any() for element in theta.elements)


def symmetrised(arch: Lightning, theta: VirtualWeights) -> VirtualWeights:
    """Return the virtual weights with M_i + M_i^T instead of M_i where all tokens are parallel: if there is one, or after an M_j of rank one."""
    parallel = arch.tokens == 1
    arrays = []
    for M in theta.M_elements:
        arrays.append(M + M.T if parallel else M + M)
        parallel = parallel or row_form(M).rank <= 1
    return VirtualWeights((*arrays, theta.L_elements))


def numerical_equivalence(arch: Lightning, one: Parameters, two: Parameters, pairs: Pairs, seed: int, tolerance: float) -> Equivalence:
    """Compare float parameters: first the values at random inputs, which may refute a small difference of parameters; then look for an element."""
    values = compared_values(arch, one, two, seed, tolerance)
    if values.differ:
        reason = f"the values at an input differ by {values.difference:.3g} of their size, clearly more than rounding accounts for"
        return Equivalence(False, "numerical", None, None, values.separating_input, None, values.difference, reason)
    found = element_in_tower(arch, pairs, tolerance)
    if found is not None:
        return found
    if values.agree:
        reason = "the values agree at random inputs, but no gauge, rescaling or swap was found that carries one point to the other"
        return Equivalence(True, "numerical", None, None, None, None, values.difference, reason)
    raise EquivalenceUndecided(
        f"the values differ by {values.difference:.3g} of their size at most, which is neither within the tolerance {tolerance:.3g} nor clearly more "
        "than rounding; compare over a PrimeField instead"
    )


@dataclass(frozen=True, eq=False)
class ComparedValues:
    """What float values at random inputs say.

    Parameters
    ----------
    agree, differ : bool
        Within the tolerance, and rounding too; or more apart than the tolerance by far, and than rounding. Neither, if they do not decide.
    difference : float
        The largest difference, relative to the values at the same input.
    separating_input : array
        The input at which the difference exceeds rounding most.
    """

    agree: bool
    differ: bool
    difference: float
    separating_input: np.ndarray


def compared_values(arch: Lightning, one: Parameters, two: Parameters, seed: int, tolerance: float) -> ComparedValues:
    """Compare the values of the parameters as they were given: a conversion would add its own rounding."""
    X = Elements(one.field, draw_inputs(arch, one.field, seed, 0, MOST_INPUTS))
    with np.errstate(over="ignore", invalid="ignore"):
        values = [verbs.evaluate(arch, theta, X).raw for theta in (one, two)]
        sizes = [verbs.evaluate(arch, absolute(theta), Elements(X.field, np.abs(X.raw))).raw for theta in (one, two)]
        off = np.abs(values[0] - values[1]).max(axis=(1, 2))
        scale = np.maximum(np.abs(values[0]).max(axis=(1, 2)), np.abs(values[1]).max(axis=(1, 2)))
        rounding = np.maximum(1e2 * np.finfo(np.float64).eps * np.maximum(sizes[0], sizes[1]).max(axis=(1, 2)), SMALLEST)
    if not (np.isfinite(scale).all() and np.isfinite(rounding).all()):
        raise EquivalenceUndecided("the values are too large for float64; compare over a PrimeField instead")
    worst = int(np.argmax(off / rounding))
    return ComparedValues(
        agree=bool((off <= tolerance * scale).all() and (rounding <= np.maximum(tolerance * scale, SMALLEST)).all()),
        differ=bool(off[worst] > rounding[worst] and off[worst] > BAND * tolerance * scale[worst]),
        difference=float(np.max(off / np.maximum(scale, SMALLEST))),
        separating_input=X.raw[worst],
    )
