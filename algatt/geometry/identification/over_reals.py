"""Parameters from values over the reals: a network whose values agree, or bounds that leave room for none, or neither.

A network is found by least squares and Newton steps, however small the tolerance makes its parameters' regions;
values at fresh inputs accept it. It is refused for bounds alone, which hold for all values within the tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.architectures.base import draw_inputs
from algatt.errors import EquivalenceUndecided, InvalidArgument, NoNormalForm
from algatt.fields import Elements
from algatt.geometry.equality.network_equivalence import same_function
from algatt.geometry.identification.fitting import Sample, near_weights, polish
from algatt.geometry.identification.identification import (
    Identification,
    NotIdentified,
    coordinates_of,
    difference_from,
    zero,
)
from algatt.geometry.identification.near_factors import NearFactors, NearForms, near_factors
from algatt.geometry.identification.near_first_layer import near_first_layer
from algatt.geometry.identification.near_second_layer import near_second_layer
from algatt.geometry.identification.noise import OWN, ROUNDING, SLACK, Noise, Region, relative_to_growth
from algatt.geometry.identification.quadratic_forms import Oracle, forms_of_values, values_for_forms
from algatt.parameters import Parameters, VirtualWeights, Weights

FLOAT_INPUTS = 16
"""So many fresh inputs are compared."""

EFFORTS = (1, 4)
"""Multiples of the least numbers of inputs for two layers that are tried."""

STEP = 2.0**-26
"""Inputs are multiplied by 1 + this and 1 - this: between, a smooth function has the mean value, up to rounding."""

SIZES = (1e-150, 1e150)
"""Values at inputs of norm one are within these, as their squares are computed."""


def identify_over_reals(oracle: Oracle, arch: Lightning, seed: int, tolerance: float) -> Identification:
    """Identify a network over the reals; raise `NotIdentified` if that fails."""
    degree = 3**arch.layers
    X = Elements(oracle.field, draw_inputs(arch, oracle.field, seed, 0, FLOAT_INPUTS))
    values = oracle.values(arch, X).raw
    factor = unit_factor(relative_to_growth(X.raw, values, degree))
    beside = [oracle.values(arch, X * (1 + step)).raw for step in (STEP, -STEP)]
    noise = Noise.of(degree, tolerance, X.raw, factor * values, factor * (beside[0] + beside[1]) / 2)
    scaled = Oracle(lambda inputs: factor * oracle.values(arch, Elements.of(oracle.field, inputs)).raw, oracle.field)
    fresh = Fresh(arch, X, factor * values, noise, tolerance)
    accepted = (one_layer if arch.layers == 1 else two_layers)(scaled, arch, seed, fresh)
    first, *others = (theta.replace([*theta.elements[:-1], theta.elements[-1] * (1 / factor)]) for theta in accepted)
    reason = f"the values agree at {FLOAT_INPUTS} fresh random inputs"
    if not first.elements[-1].raw.any():
        reason += "; the zero function, whose fibre is all parameters with a factor zero"
    difference = fresh.difference(accepted[0])
    return Identification(first, tuple(others), "numerical", None, difference, oracle.evaluations, reason)


def unit_factor(values: np.ndarray) -> float:
    """Return the power of two that brings values to size one: the function is linear in L."""
    size = float(np.abs(values).max())
    if size and not SIZES[0] <= size <= SIZES[1]:
        should = f"one with values of sizes from {SIZES[0]:.0e} to {SIZES[1]:.0e}; rescale them"
        raise InvalidArgument("oracle", f"a function whose values at inputs of norm one have size {size:.3g}", should)
    return float(2.0 ** -np.rint(np.log2(size))) if size else 1.0


@dataclass(frozen=True, eq=False)
class Fresh:
    """Values at inputs that no network was fitted to.

    Parameters
    ----------
    arch : Lightning
        The network.
    inputs : Elements
        Shape (count, d_0, t).
    values : array
        Shape (count, d_l, t).
    noise : Noise
        How far they may be from those of a network.
    tolerance : float
        How near to those of a network they count as equal.
    """

    arch: Lightning
    inputs: Elements
    values: np.ndarray
    noise: Noise
    tolerance: float

    def difference(self, theta: Parameters) -> float:
        """Return the relative difference of the values, each divided by a power of the input's norm."""
        X, degree = self.inputs.raw, self.noise.degree
        differences = verbs.evaluate(self.arch, theta, self.inputs).raw - self.values
        off = np.linalg.norm(relative_to_growth(X, differences, degree))
        size = np.linalg.norm(relative_to_growth(X, self.values, degree))
        return float(off / size) if size else (0.0 if off == 0 else math.inf)

    def contradicts(self, forms: NearForms) -> bool:
        r"""Return whether the values of one layer with given forms are others, whatever the errors are.

        Entry (m, i) is :math:`\sum_k x_{k,i} \sum_j x_j^T S_{k,m} x_j`, and an error e of S changes each form by at
        most :math:`e |x_j|^2`.
        """
        X = self.inputs.raw
        d, e = self.arch.dims
        sums = (X @ np.swapaxes(X, 1, 2)).reshape(len(X), -1) @ forms.matrices.reshape(d * e, -1).T
        off = np.linalg.norm(np.swapaxes(sums.reshape(-1, d, e), 1, 2) @ X - self.values, axis=(1, 2))
        spread = np.linalg.norm(forms.errors.T @ np.abs(X), axis=(1, 2)) * (X**2).sum(axis=(1, 2))
        return bool((off > SLACK * (spread + self.noise.bounds(X, self.values))).any())


def one_layer(oracle: Oracle, arch: Lightning, seed: int, fresh: Fresh) -> list[Parameters]:
    """Return the members that agree of one layer, through its quadratic forms (HMK Prop A.5)."""
    inputs, values = values_for_forms(oracle, arch)
    if not values.raw.any():
        return zero_function(fresh)
    forms = near_forms(arch, inputs.raw, values, fresh.noise)
    factors = near_factors(forms, ("A", "V"))
    rank = min(certain_rank(each.A, float(np.linalg.norm(each.A_errors))) for each in factors)
    if rank > arch.ranks[0]:
        raise NotIdentified(f"the only attention matrix that fits has rank {rank}, more than a_1 = {arch.ranks[0]}")
    starts = [[VirtualWeights.of([A], V, field=oracle.field) for A, V in each.starts] for each in factors]
    accepted, nearest = agreeing(oracle, arch, starts, seed, EFFORTS[0], fresh)
    if accepted:
        return normal_forms(accepted, fresh)
    if fresh.contradicts(forms):
        raise difference_from(arch, False, nearest)
    raise open_question(fresh, nearest)


def near_forms(arch: Lightning, inputs: np.ndarray, values: Elements, noise: Noise) -> NearForms:
    """Return the forms that values give, with bounds of their errors: sums of at most four values, up to signs."""
    d, e = arch.dims
    upper = forms_of_values(arch, values).elements.raw
    at_zero, at_units, at_sums = np.split(noise.bounds(inputs, values.raw).reshape(d, -1), [1, d + 1], axis=1)
    first, second = np.triu_indices(d, 1)
    mixed = at_sums + at_units[:, first] + at_units[:, second] + at_zero  # of twice the entry beside the diagonal
    errors = np.sqrt(((at_units + at_zero) ** 2).sum(axis=1) + (mixed**2).sum(axis=1) / 2)
    return NearForms((upper + np.swapaxes(upper, 2, 3)) / 2, np.repeat(errors[:, None], e, axis=1))


def two_layers(oracle: Oracle, arch: Lightning, seed: int, fresh: Fresh) -> list[Parameters]:
    """Return the members that agree of two layers, asking for more values if few leave the question open."""
    *first, last = EFFORTS
    for effort in first:
        try:
            return two_layers_with_effort(oracle, arch, seed, effort, fresh)
        except NotIdentified as refusal:
            if not refusal.undecided:
                raise
    return two_layers_with_effort(oracle, arch, seed, last, fresh)


def two_layers_with_effort(oracle: Oracle, arch: Lightning, seed: int, effort: int, fresh: Fresh) -> list[Parameters]:
    """Return the members that agree of two layers: M_1 from linear parts in one token, then the second layer."""
    M1 = near_first_layer(oracle, arch, seed, effort, fresh.noise)
    if M1 is None:
        return zero_function(fresh)
    check_excess([excess("M_1", certain_rank(M1.center, M1.radius), arch.ranks[0])])
    M1, forms = near_second_layer(oracle, arch, M1, seed, effort, fresh.noise)
    factors = near_factors(forms, ("M_2", "L"))
    check_excess(excess_of_second_layer(arch, M1, each) for each in factors)
    starts = [[VirtualWeights.of([M1.center, M2], L, field=oracle.field) for M2, L in each.starts] for each in factors]
    accepted, nearest = agreeing(oracle, arch, starts, seed, effort, fresh)
    if accepted:
        return normal_forms(accepted, fresh)
    if not math.isfinite(M1.radius):
        parts = "the linear parts of the values in one token"
        reason = f"M_1 is not determined within the tolerance by {parts}, as if its rank were one"
        raise NotIdentified(reason, undecided=True, difference=nearest)
    raise open_question(fresh, nearest)


def excess_of_second_layer(arch: Lightning, M1: Region, factors: NearFactors) -> str | None:
    """Say in words which rank of virtual weights is certainly too large for the architecture, or return None.

    M_2 = V_1^T A_2 V_1 and L = V_2 V_1 have such factors, V_1 having d_1 rows, if and only if the rows and columns of
    M_2 and the rows of L span at most d_1 dimensions; then A_2 can have the rank of M_2.
    """
    A, V = factors.A, factors.V
    A_error, V_error = float(np.linalg.norm(factors.A_errors)), float(np.linalg.norm(factors.V_errors))
    A_size, V_size = float(np.linalg.norm(A)), float(np.linalg.norm(V))
    through = np.concatenate([A / A_size, A.T / A_size, V / V_size])
    error = math.hypot(math.sqrt(2) * A_error / A_size, V_error / V_size)
    return (
        excess("M_1", certain_rank(M1.center, M1.radius), arch.ranks[0])
        or excess("M_2", certain_rank(A, A_error), arch.ranks[1])
        or excess("(M_2, M_2^T, L)", certain_rank(through, error), arch.dims[1])
    )


def excess(name: str, rank: int, most: int) -> str | None:
    """Say in words that a rank of virtual weights is too large, or return None."""
    return f"the only virtual weights that fit have {name} of rank {rank}, more than {most}" if rank > most else None


def certain_rank(matrix: np.ndarray, error: float) -> int:
    """Return the rank that all matrices within an error, in Frobenius norm, have at least (Weyl)."""
    return int((np.linalg.svd(matrix, compute_uv=False) > SLACK * error).sum())


def check_excess(reasons: Iterable[str | None]) -> None:
    """Raise `NotIdentified` if all that fit have a rank that is too large, with the reason of the first."""
    found = list(reasons)
    if all(found):
        raise NotIdentified(str(found[0]))


def agreeing(
    oracle: Oracle, arch: Lightning, starts: list[list[VirtualWeights]], seed: int, effort: int, fresh: Fresh
) -> tuple[list[Weights], float]:
    """Return weights that agree at fresh inputs, at most one for each list of starts, and the least difference."""
    sample = Sample.of(oracle, arch, seed, effort)
    best = []
    for group in starts:
        weights = [polish(sample, arch, near_weights(arch, polish(sample, arch, start))) for start in group]
        pairs = [(fresh.difference(theta), theta) for theta in weights]
        best.append(min(pairs, key=lambda pair: pair[0]))
    near = [theta for difference, theta in best if difference <= fresh.tolerance]
    return near, min(difference for difference, _ in best)


def open_question(fresh: Fresh, nearest: float) -> NotIdentified:
    """Return what to raise if nothing was found and nothing is excluded."""
    own, tolerance = fresh.noise.of_value / OWN, fresh.tolerance
    room = f"errors within the tolerance {tolerance:.3g} leave room for one"
    if own > max(tolerance, ROUNDING):
        room = f"they are rounded by {own:.1g} of their size, which leaves room for one"
    return NotIdentified(f"no network was found with these values, but {room}", undecided=True, difference=nearest)


def zero_function(fresh: Fresh) -> list[Parameters]:
    """Return the zero function, if all values that decide are zero and the fresh ones too."""
    theta = zero(fresh.arch, fresh.inputs.field)
    difference = fresh.difference(theta)
    if difference > 0:
        raise difference_from(fresh.arch, True, difference)
    return [theta]


def normal_forms(accepted: list[Weights], fresh: Fresh) -> list[Parameters]:
    """Return the normal forms of weights that agree; the points as they are where floats decide no normal form."""
    points = [verbs.convert(theta, coordinates_of(fresh.arch)) for theta in accepted]
    try:
        return distinct([verbs.canonical(fresh.arch, theta) for theta in points], math.sqrt(fresh.tolerance))
    except NoNormalForm:
        first, *others = points
        return [first, *(theta for theta in others if not is_known_equal(fresh.arch, first, theta))]


def is_known_equal(arch: Lightning, one: Parameters, two: Parameters) -> bool:
    """Return whether two points are found to be one function; points of which that is undecided stay two."""
    try:
        return bool(same_function(arch, one, two).equal)
    except EquivalenceUndecided:
        return False


def distinct(points: list[Parameters], tolerance: float) -> list[Parameters]:
    """Return one or two points without the second if it is the first: Newton steps can lead from one to the other."""
    first, *others = points
    pairs = ((theta, zip(theta.elements, first.elements, strict=True)) for theta in others)
    return [first, *(theta for theta, matrices in pairs if any(far(a.raw, b.raw, tolerance) for a, b in matrices))]


def far(one: np.ndarray, two: np.ndarray, tolerance: float) -> bool:
    """Return whether two arrays differ by more than the tolerance, relative to the second."""
    return bool(np.linalg.norm(one - two) > tolerance * np.linalg.norm(two))
