"""The fibres of networks with normalised scores: HMK Theorem 3.9 for one layer, and what is derived here for several
and for other scores.

If neither S nor its derivative vanishes at 0, the function determines the virtual weights (see the page on Conjecture
3.10 for the hypotheses).
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Normalized
from algatt.architectures.base import check_fits
from algatt.errors import DivisionByZero
from algatt.fields import Dual, DualArray, Elements, Field, PrimeField
from algatt.geometry.equality.rounding import check_float_sizes
from algatt.geometry.fibres.factorizations import random_factorization
from algatt.geometry.fibres.fiber import Fiber, UnknownFiber, moved_by_gauges
from algatt.geometry.fibres.fiber_ranks import Ranks, attention_ranks, failing_gauge
from algatt.geometry.fibres.injective_scores import name_of_theorem_3_9, theorem_3_9_holds
from algatt.layers import Score
from algatt.linalg.row_form import row_form
from algatt.parameters import Parameters, Weights
from algatt.randomness import check_seed

__all__ = ["GaugeFiber", "QueryFiber", "ScoreRescalingFiber", "UnseenFiber", "sensitive_over"]


@dataclass(frozen=True, eq=False, repr=False)
class FactoredFiber(Fiber, ABC):
    """Points that differ by attention matrices A' and by the gauges: on `Weights` all factorizations of each A' belong
    to them.
    """

    arch: Normalized

    @property
    def theorem(self) -> str | None:
        return name_of_theorem_3_9(self.arch.score, holds=theorem_3_9_holds(self.arch, self.theta.field))

    @property
    def matrices(self) -> int:
        """The dimension of the set of the A'."""
        return 0

    @property
    def dimension(self) -> int:
        """That of the attention matrices, the squares of the interior widths, and what the factorizations add."""
        return self.matrices + self.gauges + sum(factorization.dimension for factorization in self.factorizations)

    @property
    def components(self) -> int:
        """The number for the factorizations; the attention matrices are an irreducible set."""
        return int(np.prod([factorization.components for factorization in self.factorizations], dtype=int))

    @property
    def projective_cardinality(self) -> int | None:
        return 1 if self.finite_up_to_scale else None

    def sample(self, seed: int = 0) -> Any:
        return self.refactor(moved_by_gauges(self.arch, self.theta, check_seed(seed)), seed)


class GaugeFiber(FactoredFiber):
    """The fibre where the function determines the virtual weights: a single point there, and one orbit of the gauges in
    finer coordinates.
    """

    @property
    def case(self) -> str:
        return "a single point" if self.finite_up_to_scale else "one orbit of the gauges"

    @property
    def theorem(self) -> str | None:
        if self.arch.layers == 1:
            return super().theorem
        lemma = "" if self.finite_up_to_scale else ", and HMK Lemma 3.5"
        return f"derived, as HMK Conjecture 3.10 asks{lemma}"


class ScoreRescalingFiber(FactoredFiber):
    """The fibre of one layer with a homogeneous score, V != 0 and an A of rank two or more that is not skew-symmetric:
    all (s A, V) with s != 0.
    """

    @property
    def case(self) -> str:
        return "the multiples of one attention matrix"

    @property
    def theorem(self) -> str | None:
        return "derived, as HMK Theorem 3.9, for homogeneous scores"

    @property
    def matrices(self) -> int:
        return 1


class QueryFiber(ScoreRescalingFiber):
    """The fibre of one layer with a homogeneous score, V != 0 and A = k q^T of rank one: all (k q'^T, V)
    with q' != 0.
    """

    @property
    def case(self) -> str:
        return "one key, any query"

    @property
    def matrices(self) -> int:
        """One for each entry of q'."""
        return self.arch.dims[0]

    @property
    def projective_cardinality(self) -> int | None:
        return 1 if not isinstance(self.theta, Weights) and self.arch.dims[0] == 1 else None

    def sample(self, seed: int = 0) -> Any:
        field = self.theta.field
        *before, V = self.theta.elements
        A = before[1].T @ before[0] if isinstance(self.theta, Weights) else before[0]
        query = verbs.draw_array(field, shape=(1, A.shape[1]), seed=check_seed(seed), label="fiber/query")
        if not query.any():
            query[0, 0] = 1
        matrix = row_form(A).basis @ Elements(field, query)
        if isinstance(self.theta, Weights):
            return Weights((*random_factorization(matrix, before[0].shape[0], seed, "fiber/query"), V))
        return type(self.theta)((matrix, V))


class UnseenFiber(FactoredFiber):
    """The fibre of one layer with V = 0, or with one token: V, and any attention matrix of rank at most a.

    Those at which there is no function are left out.
    """

    @property
    def theorem(self) -> str | None:
        return "HMK Theorem 3.9" if self.arch.tokens == 1 else super().theorem

    @property
    def case(self) -> str:
        return (
            "one token: the attention matrix is not seen"
            if self.arch.tokens == 1
            else "V = 0: the attention matrix is not seen"
        )

    @property
    def dimension(self) -> int:
        """That of all attention matrices, or of all keys and queries."""
        d, a = self.arch.dims[0], self.arch.ranks[0]
        alpha = min(a, d)
        return 2 * a * d if isinstance(self.theta, Weights) else alpha * (2 * d - alpha)

    @property
    def components(self) -> int:
        return 1

    @property
    def projective_cardinality(self) -> int | None:
        return None

    def sample(self, seed: int = 0) -> Any:
        drawn = verbs.sample(self.arch, Weights, field=self.theta.field, seed=check_seed(seed))
        point = type(self.theta)((*verbs.convert(drawn, self.coordinates).elements[:-1], self.theta.elements[-1]))
        return point if verbs.has_function(self.arch, point) else super().sample(seed)


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


@verbs.fiber.method
def fiber_of_normalized(arch: Normalized, theta: Parameters, *, gap: float | None = None) -> Fiber:
    check_fits(arch, theta)
    if theta.field.characteristic and not arch.algebraic:
        reason = f"values over {theta.field}, which the network does not have"
        return UnknownFiber(arch, theta, attention_ranks(arch, theta, gap), (reason,))
    existence = verbs.has_function(arch, theta)
    existence.check("theta")
    check_float_sizes(theta)
    ranks = attention_ranks(arch, theta, gap)
    virtual = Ranks.of(theta, gap)
    sensitive = sensitive_over(arch.score, theta.field)
    determined = sensitive or theorem_3_9_holds(arch, theta.field)
    if not existence:
        return UnknownFiber(arch, theta, ranks, ("a point with a value at some input, but none was found",))
    if arch.layers == 1:
        reasons = tuple(failing_in_one_layer(arch, theta.field, virtual, determined))
    else:
        reasons = (
            *failing_in_several(arch, theta.field, virtual, sensitive),
            *failing_gauge(arch, theta, gap),
        )
    if reasons:
        return UnknownFiber(arch, theta, ranks, reasons)
    if arch.tokens == 1 or virtual.L == 0:
        return UnseenFiber(arch, theta, ranks)
    if determined:
        return GaugeFiber(arch, theta, ranks)
    return (QueryFiber if virtual.M[0] == 1 else ScoreRescalingFiber)(arch, theta, ranks)


def failing_in_several(arch: Normalized, field: Field, virtual: Ranks, sensitive: bool) -> Iterator[str]:
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


def failing_in_one_layer(arch: Normalized, field: Field, virtual: Ranks, determined: bool) -> Iterator[str]:
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
