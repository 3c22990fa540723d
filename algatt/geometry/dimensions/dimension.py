"""The dimension of the neuromanifold, with what the answer is worth."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.arguments import proper_fraction
from algatt.display import html_of
from algatt.errors import ConditionFailed, InvalidArgument, RankUndecided
from algatt.fields import Balls, Elementary, Elements, Field, PrimeField, Reals
from algatt.geometry.dimensions.ambient import within_ambient_space
from algatt.geometry.dimensions.ball_bounds import ball_lower_bound
from algatt.geometry.dimensions.bounds import (
    FamilyRank,
    LowerBound,
    Progress,
    UpperBound,
    known_degree,
    lower_bound,
    upper_bound,
)
from algatt.geometry.dimensions.declared import check_symmetries, check_symmetries_by_balls, check_symmetries_over_prime
from algatt.geometry.dimensions.elementary.places import check_symmetries_at_places, conditions_of
from algatt.geometry.dimensions.formulas import Formula
from algatt.geometry.dimensions.memory import check_dimension
from algatt.geometry.dimensions.real_point import real_inputs, real_weights
from algatt.maps.degree import turns_by_circles
from algatt.maps.elementary.conditions import Conditions
from algatt.parameters import Weights
from algatt.plain import plain
from algatt.randomness import check_seed

__all__ = ["Attempt", "DimensionReport", "attempts", "bounds"]

FEWEST_ATTEMPTS = 3
"""So many points are tried before an answer is called probable: the first over the first prime, the others over other
primes.
"""

MOST_ATTEMPTS = 12


@dataclass(frozen=True)
class Attempt:
    """The two bounds at one point.

    Parameters
    ----------
    field : PrimeField or Balls
        Where the point lies.
    seed : int
        The seed that names weights and inputs.
    lower : LowerBound
        From the Jacobian.
    upper : UpperBound
        From the symmetries, or by the ambient space.
    """

    field: PrimeField | Balls
    seed: int
    lower: LowerBound
    upper: UpperBound

    @property
    def prime(self) -> PrimeField:
        """Where the symmetries are looked at: the default prime field for a point over balls."""
        return self.field if isinstance(self.field, PrimeField) else PrimeField()

    @property
    def proven(self) -> bool:
        """Whether the bounds meet."""
        return self.lower.value == self.upper.value


@dataclass(frozen=True)
class DimensionReport:
    """The dimension of a neuromanifold and the evidence for it.

    Parameters
    ----------
    architecture : Architecture
        The network.
    value : int
        The dimension.
    lower, upper : int or None
        Proven bounds; None for an answer in floating point.
    status : str
        ``proven`` (the bounds meet), ``probable`` (they do not; see `error`) or ``numerical`` (floating point; see
        `gap`; or balls of the highest precision, which do not tell more from zero than `lower`).
    parameters : int
        The number of parameters.
    symmetries : tuple of FamilyRank
        What each symmetry family removes.
    formulas : tuple of Formula
        The closed formulas for this architecture.
    samples : int
        The number of inputs used at the point that gave the lower bound.
    field : Field
        Where that point lies.
    seed : int
        The seed that names it.
    error : float or None
        For a probable answer: a bound on the probability that random points over GF(p) show a rank below the generic
        one there; 1 if no degrees are known, or if the network reads tokens and not all of its inputs
        could be used.
    gap : float or None
        At a real point: the ratio of the float singular values around the rank, which a numerical answer rests on and a
        proof does not.
    evidence : Attempt or None
        The two bounds at that point, with their minors; None for an answer in floating point.
    seconds : float
        Wall time.
    reason : str or None
        Why balls were taken for a network that is not algebraic; None if they were not, or were asked for.
    """

    architecture: Architecture
    value: int
    lower: int | None
    upper: int | None
    status: str
    parameters: int
    symmetries: tuple[FamilyRank, ...]
    formulas: tuple[Formula, ...]
    samples: int
    field: Field
    seed: int
    error: float | None
    gap: float | None
    evidence: Attempt | None = dataclasses.field(repr=False)
    seconds: float = dataclasses.field(compare=False)
    reason: str | None = None

    def __str__(self) -> str:
        return f"{self.value} ({self.status})"

    def _repr_html_(self) -> str:
        return html_of(verbs.summarize(self))

    @property
    def theorem(self) -> Formula | None:
        """The theorem that covers the architecture, or None where no hypotheses hold."""
        return next((formula for formula in self.formulas if formula.theorem), None)

    @property
    def formula(self) -> int | None:
        """The theorem's value, or None where its hypotheses fail."""
        return None if self.theorem is None else self.theorem.value

    @property
    def formula_source(self) -> str | None:
        """The theorem's number in the paper, or None."""
        return None if self.theorem is None else self.theorem.source

    @property
    def conditions(self) -> Conditions | None:
        """What was checked so that residues stand for exponentials, roots and gates; None if there are none."""
        return None if self.evidence is None else self.evidence.lower.conditions

    @property
    def conjecture(self) -> int | None:
        """The value of the derived formula, which is a conjecture, or None."""
        return next((formula.value for formula in self.formulas if not formula.theorem), None)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON."""
        return {
            "architecture": self.architecture.description(),
            "value": self.value,
            "status": self.status,
            "lower": self.lower,
            "upper": self.upper,
            "parameters": self.parameters,
            "symmetries": [
                {"name": family.name, "removes": family.removes, "basis": family.basis} for family in self.symmetries
            ],
            "formula": self.formula,
            "formula_source": self.formula_source,
            "conjecture": self.conjecture,
            "samples": self.samples,
            "field": str(self.field),
            "seed": self.seed,
            "error": self.error,
            "gap": plain(self.gap),
            "conditions": None if self.conditions is None else str(self.conditions),
            "reason": self.reason,
            "seconds": round(self.seconds, 3),
        }


def large_primes() -> Iterator[PrimeField]:
    """Iterate over the prime fields below 2^31, the largest first."""
    import flint

    p = 2**31 - 1
    while True:
        if flint.fmpz(p).is_prime():
            yield PrimeField(p)
        p -= 2


def has_rotations(field: PrimeField) -> bool:
    """Return whether a rotation by a float is one over GF(p): it is none for some primes, such as those of Mersenne."""
    try:
        verbs.circle_points(field, angles=(1.0,), positions=(1,))
    except InvalidArgument:
        return False
    return True


def attempts(arch: Architecture, field: PrimeField, seed: int, progress: Progress | None) -> Iterator[Attempt]:
    """Compute the bounds at one point after another: the given one first, then others over ever other primes."""
    given = field  # which the loop below changes
    turning = turns_by_circles(arch)
    others = (other for other in large_primes() if other != given and (not turning or has_rotations(other)))
    while True:
        theta = verbs.sample(arch, Weights, field=field, seed=seed)
        upper = upper_bound(arch, field, theta)
        yield attempt_of(arch, field, seed, lower_bound(arch, field, theta, seed, upper, progress), upper)
        field, seed = next(others), seed + 1


def attempt_by_balls(arch: Architecture, field: Balls, seed: int, progress: Progress | None) -> Attempt:
    """Compute the bounds at one point: from below over balls, from above modulo the default prime."""
    check_symmetries_by_balls(arch, field, seed)
    prime = PrimeField()  # as in `Attempt.prime`
    upper = upper_bound(arch, prime, verbs.sample(arch, Weights, field=prime, seed=seed))
    return attempt_of(arch, field, seed, ball_lower_bound(arch, field, seed, upper, progress), upper)


def attempt_of(
    arch: Architecture, field: PrimeField | Balls, seed: int, lower: LowerBound, upper: UpperBound
) -> Attempt:
    """Return the bounds at one point; where they do not meet, the upper one may be that by the ambient space."""
    return Attempt(field, seed, lower, upper if lower.value == upper.value else within_ambient_space(arch, upper))


def miss_probability(arch: Architecture, attempt: Attempt) -> float:
    """Bound the probability that the attempt's rank is below the generic one over its field (Schwartz-Zippel).

    Let R be the generic rank, at most the upper bound. Some minor of order R is a polynomial in the weights that is not
    zero for some inputs; at random weights it vanishes for all inputs with probability at most its degree over p, and
    an entry has one degree less in the weights than the network. Otherwise, as long as rows are missing, some linear
    combination of the entries of a row is a polynomial in a fresh input that is not zero, and the input misses it with
    probability at most its degree over p; this can happen at each input. Tokens are no such inputs: if all of them were
    used none is missed, and otherwise nothing is known.

    Without degrees there is no bound but 1.
    """
    degree = known_degree(arch)
    if degree is None or (arch.vocabulary is not None and not attempt.lower.complete):
        return 1.0
    of_weights = attempt.upper.value * (degree.weights - 1)
    of_inputs = 0 if attempt.lower.complete else attempt.lower.inputs * degree.inputs
    return min(1.0, (of_weights + of_inputs) / attempt.prime.p)


def bounds(
    arch: Architecture, field: PrimeField, seed: int, error: float, progress: Progress | None
) -> tuple[Attempt, float | None]:
    """Return the best attempt, and None if it is proven or the probability that all attempts missed a larger rank if
    not.
    """
    check_symmetries_over_prime(arch, seed)
    best: Attempt | None = None
    missed = 1.0
    for number, attempt in enumerate(attempts(arch, field, seed, progress), start=1):
        if best is None or (attempt.lower.value, -attempt.upper.value) > (best.lower.value, -best.upper.value):
            best = attempt
        if best.proven:
            return best, None
        missed *= miss_probability(arch, attempt)
        if (number >= FEWEST_ATTEMPTS and missed <= error) or number >= MOST_ATTEMPTS:
            return best, missed
    raise AssertionError("attempts() never ends")


@verbs.dimension.method
def dimension_of_architecture(
    arch: Architecture,
    *,
    seed: int = 0,
    field: Field | None = None,
    error: float = 1e-6,
    gap: float = 1e3,
    progress: Progress | None = None,
) -> DimensionReport:
    seed = check_seed(seed)
    error = proper_fraction("error", error, "a probability between 0 and 1")
    options: dict[str, Any] = {"seed": seed, "error": error, "gap": gap, "progress": progress}
    if field is not None:
        report: DimensionReport = verbs.measure_over(field, arch, **options)
    elif arch.algebraic:
        report = verbs.measure_over(PrimeField(), arch, **options)
    else:
        report = dimension_over_elementary_or_balls(arch, options)
    return report


def dimension_over_elementary_or_balls(arch: Architecture, options: dict[str, Any]) -> DimensionReport:
    """Return the dimension over GF(p) with exponentials; over balls where residues cannot stand for the functions of
    the network, with the reason.
    """
    report: DimensionReport
    try:
        report = verbs.measure_over(Elementary(), arch, **options)
    except ConditionFailed as failed:
        report = verbs.measure_over(Balls(), arch, **options)
        report = dataclasses.replace(report, reason=f"over balls, since {failed}")
    return report


@verbs.measure_over.method
def dimension_over_prime_field(
    field: PrimeField, arch: Architecture, *, seed: int, error: float, gap: float, progress: Progress | None
) -> DimensionReport:
    began = time.perf_counter()
    if not arch.algebraic:
        raise InvalidArgument("field", f"{field}, over which {arch} has no values", "Balls() for a proof, or Reals()")
    check_dimension(arch, field)
    return report_of_attempt(arch, *bounds(arch, field, seed, error, progress), began)


ELEMENTARY_ATTEMPTS = 3
"""So many points are tried over fields with exponentials, unless two of them say the same."""


@verbs.measure_over.method
def dimension_over_elementary(
    field: Elementary, arch: Architecture, *, seed: int, error: float, gap: float, progress: Progress | None
) -> DimensionReport:
    """Bound the dimension from below by ranks at places modulo p, the conditions being checked at each.

    Where the bounds do not meet, no degrees are known that would bound the error.
    """
    began = time.perf_counter()
    if arch.algebraic:
        report: DimensionReport = verbs.measure_over(
            PrimeField(field.p), arch, seed=seed, error=error, gap=gap, progress=progress
        )
        return report
    check_dimension(arch, field)
    tried = []
    fields = (PrimeField(field.p), *(PrimeField(p) for p in OTHER_PRIMES if p != field.p))
    for number in range(ELEMENTARY_ATTEMPTS):
        attempt = attempt_over_elementary(arch, Elementary(fields[number].p, field.seed), seed + number, progress)
        if attempt.proven:
            return report_of_attempt(arch, attempt, None, began)
        tried.append(attempt)
        if len({(one.lower.value, one.upper.value) for one in tried}) < number + 1:
            break  # two points say the same
    best = max(tried, key=lambda attempt: (attempt.lower.value, -attempt.upper.value))
    return report_of_attempt(arch, best, 1.0, began)


OTHER_PRIMES = (8388571, 8388547, 8388539)
"""Further primes that are 3 modulo 4."""


def attempt_over_elementary(arch: Architecture, field: Elementary, seed: int, progress: Progress | None) -> Attempt:
    """Compute the bounds at one point over GF(p), with residues for exponentials, roots and gates."""
    prime = PrimeField(field.p)
    theta = verbs.sample(arch, Weights, field=prime, seed=seed)
    conditions = conditions_of(arch, prime, theta, seed)
    check_symmetries_at_places(arch, theta, seed)
    upper = upper_bound(arch, prime, theta)
    lower = lower_bound(arch, field, theta, seed, upper, progress)
    if arch.vocabulary is not None:  # each input has its own gates
        conditions = dataclasses.replace(conditions, gates=lower.inputs)
    return attempt_of(arch, field, seed, dataclasses.replace(lower, conditions=conditions), upper)


@verbs.measure_over.method
def dimension_over_balls(
    field: Balls, arch: Architecture, *, seed: int, error: float, gap: float, progress: Progress | None
) -> DimensionReport:
    began = time.perf_counter()
    check_dimension(arch, field)
    return report_of_attempt(arch, attempt_by_balls(arch, field, seed, progress), None, began)


@verbs.measure_over.method
def dimension_over_nothing_else(
    field: object, arch: Architecture, *, seed: int, error: float, gap: float, progress: Progress | None
) -> DimensionReport:
    raise InvalidArgument("field", repr(field), "a PrimeField, Balls() or Reals()")


def report_of_attempt(arch: Architecture, best: Attempt, missed: float | None, began: float) -> DimensionReport:
    """Return the report of the best attempt; `missed` bounds the error over prime fields."""
    return DimensionReport(
        architecture=arch,
        value=best.lower.value,
        lower=best.lower.value,
        upper=best.upper.value,
        status="proven" if best.proven else "numerical" if missed is None else "probable",
        parameters=arch.parameters,
        symmetries=best.upper.families,
        formulas=verbs.formulas(arch),
        samples=best.lower.inputs,
        field=best.field,
        seed=best.seed,
        error=missed,
        gap=best.lower.gap,
        evidence=best,
        seconds=time.perf_counter() - began,
    )


@verbs.measure_over.method
def dimension_over_reals(
    field: Reals, arch: Architecture, *, seed: int, error: float, gap: float, progress: Progress | None
) -> DimensionReport:
    """Decide the rank of a float Jacobian by its gap, with inputs added until one more changes nothing.

    Every row is divided by its largest entry: this changes no rank, and deep networks have rows of very different size.
    Even a wide gap may be at the wrong place. So the answer is refused unless it is the proven upper bound, or the rank
    at a point over a prime field. A rank that balls prove at the same point does not do: where scores are large,
    derivatives are too small for balls and floats alike.
    """
    began = time.perf_counter()
    check_dimension(arch, field)
    check_symmetries(arch, seed)
    theta = real_weights(arch, seed)
    inputs = -(-arch.parameters // arch.outputs)
    previous = -1
    while True:
        X = real_inputs(arch, seed, 0, inputs)
        with np.errstate(over="ignore", invalid="ignore"):
            matrix = verbs.jacobian(arch, theta, X).raw
        if not np.isfinite(matrix).all():
            raise RankUndecided((), math.nan, gap, "the Jacobian is too large for float64")
        largest = np.abs(matrix).max(axis=1, keepdims=True)
        verdict = verbs.rank(Elements(field, matrix / np.maximum(largest, np.finfo(np.float64).tiny)), gap=gap)
        if verdict.rank == previous:
            break
        previous = verdict.rank
        inputs += 1
    exact = (
        next(attempts(arch, PrimeField(), seed, None))
        if arch.algebraic
        else attempt_by_balls(arch, Balls(), seed, None)
    )
    low, high = exact.lower.value, exact.upper.value
    if verdict.rank != high and not (verdict.rank == low and arch.algebraic):
        reason = f"the gap says {verdict.rank}, but the proven bounds are {low} and {high}"
        if low <= verdict.rank < high:
            reason += ": what is missing may be smaller than rounding"
        raise RankUndecided((), verdict.gap, gap, reason)
    return DimensionReport(
        architecture=arch,
        value=verdict.rank,
        lower=None,
        upper=None,
        status="numerical",
        parameters=arch.parameters,
        symmetries=(),
        formulas=verbs.formulas(arch),
        samples=inputs,
        field=field,
        seed=seed,
        error=None,
        gap=verdict.gap,
        evidence=None,
        seconds=time.perf_counter() - began,
    )
