"""Whether two sets of weights are one function of a lightning network (HMK Theorems 3.2 and 3.7).

A group element carries one to the other, or there is an input where they differ.
"""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.errors import EquivalenceUndecided
from algatt.fields import Elements, Field, PrimeField, Reals
from algatt.fields.real import tolerance_of
from algatt.geometry.dimensions.question import Progress
from algatt.geometry.equality.carrying import carrying_element
from algatt.geometry.equality.compared_values import compared_values
from algatt.geometry.equality.enclosed_values import compared_by_balls, smaller_scale
from algatt.geometry.equality.equivalence import Equivalence, check_points, enclosed_difference
from algatt.geometry.equality.normal_form import Rescalings
from algatt.geometry.equality.one_form import equivalence_of_forms
from algatt.geometry.equality.separation import check_missed, choices, difference_at, separating_input
from algatt.geometry.equality.source_rounding import OTHER_TOLERANCE
from algatt.geometry.equality.steps import Steps
from algatt.geometry.equality.tower import common_coordinates, element_in_tower, steps_in_tower
from algatt.linalg.row_form import row_form
from algatt.parameters import Parameters, VirtualWeights
from algatt.randomness import check_seed
from algatt.symmetry import GroupElement, Rescaling, SwapElement

__all__: list[str] = []


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
    steps = Steps(progress, 1 + steps_in_tower(arch, common_coordinates(theta1, theta2)))
    if isinstance(theta1.field, Reals):
        found = numerical_equivalence(arch, theta1, theta2, seed, tolerance, steps)
    else:
        found = exact_equivalence(arch, theta1, theta2, seed, error, tolerance, steps)
    return found.about(arch, theta1, theta2)


def exact_equivalence(
    arch: Lightning,
    theta1: Parameters,
    theta2: Parameters,
    seed: int,
    error: float,
    tolerance: float,
    steps: Steps,
) -> Equivalence:
    """Look for an input at which the values differ, and then for a group element."""
    systems = common_coordinates(theta1, theta2)
    one, two = verbs.convert(theta1, systems[0]), verbs.convert(theta2, systems[0])
    missed_by_one = min(1.0, 3**arch.layers / choices(theta1.field))  # the degree of the values
    separated = separating_input(arch, one, two, seed, error, missed_by_one)
    if isinstance(separated, np.ndarray):
        return difference_at(separated)
    steps()
    found = element_in_tower(arch, one, two, tolerance, steps)
    if found is not None:
        return found
    reason = identity_of_virtual_weights(arch, verbs.convert(one, VirtualWeights), verbs.convert(two, VirtualWeights))
    if reason is not None:
        return Equivalence(True, "proven", None, None, None, None, None, reason)
    formed = equivalence_of_forms(arch, one, two)
    if formed is not None:
        return formed
    check_missed(theta1.field, separated, error)
    reason = "the functions agree at random inputs, but no gauge, rescaling or swap carries one point to the other"
    return Equivalence(True, "probable", None, None, None, separated, None, reason)


def torus_of_scales(field: Field, scales: list[Elements]) -> list[Elements]:
    r"""Return the numbers s_i of the rescaling that scales M_i by the given :math:`\lambda_i`: s_i = lambda_i (s_1 ...
    s_{i-1})^2.
    """
    product = Elements.of(field, [[1]])
    matrices: list[Elements] = []
    for scale in scales:
        matrices.append(scale * product * product)
        product = product * matrices[-1]
    return matrices


@verbs.rescalings.method
def rescalings_of_lightning(field: Field, arch: Lightning, *, scales: list[Elements]) -> Rescalings:
    matrices = torus_of_scales(field, scales)
    return Rescalings((Rescaling(arch).of(matrices),), tuple(matrices))


@verbs.swaps.method
def swaps_of_lightning(arch: Lightning) -> tuple[GroupElement, ...]:
    return (SwapElement(),)


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
            "the tokens are parallel, so only the symmetric parts of some M_i matter, and these are in one orbit of "
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
    enclosed = compared_by_balls(arch, one, two, seed, tolerance, steps, smaller_scale(one, two))
    if enclosed.differ:
        return enclosed_difference(enclosed.separating_input, enclosed.difference)
    raise EquivalenceUndecided(
        f"the values differ by {values.difference:.3g} of their size at most, which is neither within the tolerance "
        f"{tolerance:.3g} nor clearly more "
        f"than rounding; {OTHER_TOLERANCE}, or compare over a PrimeField instead"
    )
