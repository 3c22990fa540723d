"""The fibres of networks with normalised scores: HMK Theorem 3.9 for one layer, and what is derived here for several
and for other scores.

If neither S nor its derivative vanishes at 0, the function determines the virtual weights (see the page on Conjecture
3.10 for the hypotheses).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from algatt import verbs
from algatt.architectures import Normalized
from algatt.architectures.base import check_fits
from algatt.errors import DivisionByZero
from algatt.fields import Dual, DualArray, Elements, Field, PrimeField
from algatt.geometry.fibres.attention_point import AttentionPoint, WeightRanks
from algatt.geometry.fibres.factorizations import random_factorization
from algatt.geometry.fibres.fiber import Fiber
from algatt.geometry.fibres.injective_scores import name_of_theorem_3_9, theorem_3_9_holds
from algatt.layers import Score
from algatt.linalg.row_form import row_form
from algatt.parameters import Parameters, Weights


@verbs.fiber.method
def fiber_of_normalized(arch: Normalized, theta: Parameters, *, gap: float | None = None) -> Fiber:
    check_fits(arch, theta)
    if theta.field.characteristic and not arch.algebraic:
        reason = f"values over {theta.field}, which the network does not have"
        return AttentionPoint.of(arch, theta, gap).unknown(reason)
    existence = verbs.has_function(arch, theta)
    existence.check("theta")
    point = AttentionPoint.of(arch, theta, gap)
    virtual = point.ranks
    sensitive = sensitive_over(arch.score, theta.field)
    determined = sensitive or theorem_3_9_holds(arch, theta.field)
    if not existence:
        return point.unknown("a point with a value at some input, but none was found")
    if arch.layers == 1:
        reasons = tuple(failing_in_one_layer(arch, theta.field, virtual, determined))
    else:
        reasons = (*failing_in_several(arch, theta.field, virtual, sensitive), *point.failing_gauge())
    if reasons:
        return point.unknown(*reasons)
    if arch.tokens == 1 or virtual.L == 0:
        return fiber_of_unseen_scores(arch, point)
    if determined:
        return fiber_of_gauges(arch, point)
    if virtual.M[0] == 1:
        return fiber_of_one_key(point)
    return point.fiber("the multiples of one attention matrix", HOMOGENEOUS, point.orbit, matrices=1, points=1)


HOMOGENEOUS = "derived, as HMK Theorem 3.9, for homogeneous scores"
"""What describes one layer with a homogeneous score S, V != 0 and an A that is not skew-symmetric: the fibre is all
(s A, V) with s != 0 if rk A >= 2, all (k q'^T, V) with q' != 0 if A = k q^T.
"""


def theorem_of_one_layer(arch: Normalized, point: AttentionPoint) -> str:
    """Return the name of the theorem about one layer."""
    return name_of_theorem_3_9(arch.score, holds=theorem_3_9_holds(arch, point.theta.field))


def fiber_of_gauges(arch: Normalized, point: AttentionPoint) -> Fiber:
    """Return the fibre where the function determines the virtual weights: a single point there, and one orbit of the
    gauges in finer coordinates.
    """
    if arch.layers == 1:
        theorem = theorem_of_one_layer(arch, point)
    else:
        lemma = "" if point.finite_up_to_scale else ", and HMK Lemma 3.5"
        theorem = f"derived, as HMK Conjecture 3.10 asks{lemma}"
    case = "a single point" if point.finite_up_to_scale else "one orbit of the gauges"
    return point.fiber(case, theorem, point.orbit, points=1)


def fiber_of_one_key(point: AttentionPoint) -> Fiber:
    """Return the fibre of one layer with a homogeneous score and A = k q^T: one dimension for each entry of q'."""
    d = point.arch.dims[0]

    def draw(seed: int) -> Any:
        theta = point.theta
        *before, V = theta.elements
        A = before[1].T @ before[0] if isinstance(theta, Weights) else before[0]
        query = verbs.draw_array(theta.field, shape=(1, A.shape[1]), seed=seed, label="fiber/query")
        if not query.any():
            query[0, 0] = 1
        matrix = row_form(A).basis @ Elements(theta.field, query)
        if isinstance(theta, Weights):
            return Weights((*random_factorization(matrix, before[0].shape[0], seed, "fiber/query"), V))
        return type(theta)((matrix, V))

    return point.fiber("one key, any query", HOMOGENEOUS, draw, matrices=d, points=1 if d == 1 else None)


def fiber_of_unseen_scores(arch: Normalized, point: AttentionPoint) -> Fiber:
    """Return the fibre of one layer with V = 0, or with one token: V, and any attention matrix of rank at most a, but
    for those at which there is no function.
    """
    theta = point.theta
    d, a = arch.dims[0], arch.ranks[0]
    alpha = min(a, d)
    dimension = 2 * a * d if isinstance(theta, Weights) else alpha * (2 * d - alpha)

    def draw(seed: int) -> Any:
        drawn = verbs.sample(arch, Weights, field=theta.field, seed=seed)
        other = type(theta)((*verbs.convert(drawn, type(theta)).elements[:-1], theta.elements[-1]))
        return other if verbs.has_function(arch, other) else point.orbit(seed)

    case, theorem = "V = 0: the attention matrix is not seen", theorem_of_one_layer(arch, point)
    if arch.tokens == 1:
        case, theorem = "one token: the attention matrix is not seen", "HMK Theorem 3.9"
    return Fiber(arch, theta, case, draw, theorem, dimension, 1)


def sensitive_over(score: Score, field: Field) -> bool:
    """Return whether neither the score nor its derivative vanishes at 0, over GF(p) modulo p too."""
    if not score.sensitive:
        return False
    if not isinstance(field, PrimeField):
        return True
    zero, one = (Elements.of(field, [[value]]).raw for value in (0, 1))
    try:
        value = verbs.activate(score, Elements(Dual(field), DualArray(zero, one[None]))).raw
    except DivisionByZero:
        return False
    return bool(value.value.any()) and value.tangent is not None and bool(value.tangent.any())


def failing_in_several(arch: Normalized, field: Field, virtual: WeightRanks, sensitive: bool) -> Iterator[str]:
    """Iterate over the hypotheses that fail, of those under which several layers determine their virtual weights
    (derived).
    """
    if field.characteristic in (2, 3) or field.vanishes(arch.tokens):
        yield f"a characteristic other than 2 and 3 that does not divide t, but the field is {field}"
    if arch.tokens == 1:
        yield "t >= 2: with one token no score is seen"
    if not sensitive:
        yield f"S(0) != 0 and S'(0) != 0, but the score is {arch.score!r}"
    if virtual.L == 0:
        yield "L != 0"
    for i, rank in enumerate(virtual.symmetric[:-1], start=1):
        if rank == 0:
            yield f"M_{i} is not skew-symmetric"


def failing_in_one_layer(arch: Normalized, field: Field, virtual: WeightRanks, determined: bool) -> Iterator[str]:
    """Iterate over the hypotheses that fail, of HMK Theorem 3.9 and of what is derived for other scores."""
    divides = field.characteristic == 2 or field.vanishes(arch.tokens)
    if divides and not (determined and arch.tokens == 1):
        yield f"a characteristic other than 2 that does not divide t, but the field is {field}"
    if determined:
        return
    if virtual.symmetric[0] == 0:
        yield "S(0) != 0, or an A that is not skew-symmetric"
    if arch.tokens > 1 and virtual.L > 0 and not arch.score.homogeneous:
        real = "" if field.characteristic else ", or one that declares that it is injective and positive"
        yield f"S(0) != 0 and S'(0) != 0, or a homogeneous score{real}, but it is {arch.score!r}"
