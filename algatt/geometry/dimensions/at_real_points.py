"""The dimension at real points: by floats whose rounding is bounded, and by balls of as many bits as it takes."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable

from algatt import verbs
from algatt.errors import MethodError, NotEnoughMemory, NoValue
from algatt.fields import Balls, FloatBalls, PrimeField
from algatt.geometry.dimensions.ball_bounds import ball_lower_bound, bound_in_floats
from algatt.geometry.dimensions.bounds import Attempt, attempt_of, upper_bound
from algatt.geometry.dimensions.declared import check_symmetries_by_balls
from algatt.geometry.dimensions.dimension import report_of_attempt
from algatt.geometry.dimensions.evidence import UpperBound
from algatt.geometry.dimensions.memory import check_dimension
from algatt.geometry.dimensions.question import Question, check_modular_options
from algatt.geometry.dimensions.regions import Regions, regions_of
from algatt.geometry.dimensions.report import DimensionReport
from algatt.linalg import Auto
from algatt.parameters import Weights

MOST_REGIONS = 3
"""So many regions with the greatest ranks are looked at."""

NEARLY = 0.95
"""From this share of a bound on that floats see, more bits may see all of it."""


def upper_bound_by_default(question: Question, seed: int) -> UpperBound:
    """Return the upper bound at random weights modulo the default prime, as in `Attempt.prime`."""
    prime = PrimeField()
    return upper_bound(question, prime, verbs.sample(question.arch, Weights, field=prime, seed=seed))


def attempt_by_balls(question: Question, field: Balls, seed: int) -> Attempt:
    """Compute the bounds at one point: from below over balls, from above modulo the default prime."""
    check_symmetries_by_balls(question, field, seed)
    upper = upper_bound_by_default(question, seed)
    return attempt_of(question, field, seed, ball_lower_bound(question, field, seed, upper), upper)


def attempt_in_floats(question: Question, seed: int) -> Attempt:
    """Compute the bounds at one point: from below by a minor as large as the rank that floats see.

    Raises
    ------
    NoValue
        If it is not proved to be regular.
    """
    upper = upper_bound_by_default(question, seed)
    field, lower = bound_in_floats(question, seed, upper)
    check_symmetries_by_balls(question, Balls(), seed)
    return attempt_of(question, field, seed, lower, upper)


def best_attempt(
    question: Question, attempt: Callable[[int], Attempt], done: Callable[[Attempt], bool]
) -> tuple[Attempt, Regions | None]:
    """Return the best attempt at real points, and the regions that were looked at: where the first is not enough, and
    the dimension may differ between regions, others follow in those with the greatest ranks, until one attains that
    rank.
    """
    tried: list[Attempt] = []
    failed: NoValue | None = None
    try:
        tried.append(attempt(question.options.seed))
    except NoValue as error:
        failed = error
    if (tried and done(tried[0])) or not question.has_regions:
        if failed is not None:
            raise failed
        return tried[0], None
    regions = regions_of(question.arch, upper_bound_by_default(question, question.options.seed).value)
    for other in regions.best[:MOST_REGIONS]:
        try:
            tried.append(attempt(other))
        except NoValue as error:
            failed = failed or error
        else:
            if tried[-1].lower.value >= max(regions.ranks):
                break
    if not tried and failed is not None:
        raise failed
    return max(tried, key=lambda one: (one.lower.value, -one.upper.value)), regions


def dimension_of_token_reader(question: Question) -> DimensionReport:
    """Return the dimension of a network that reads tokens and has exponentials or roots, by floats; over balls where
    these prove nothing.

    All inputs are constants then, so the exponents of different sequences depend on each other, and residues could not
    stand for exponentials without a look at all of them.
    """
    check_modular_options(question, FloatBalls())
    check_dimension(question, FloatBalls())

    def done(attempt: Attempt) -> bool:
        """Return whether no other point can have more, by the symmetries or but for an accident."""
        witness = None if attempt.proven else question.witness
        return attempt.proven or (witness is not None and witness.value <= attempt.lower.value)

    def attempt(seed: int) -> Attempt:
        """Compute the bounds at one point: with more bits where floats see nothing, or nearly all."""
        try:
            found = attempt_in_floats(question, seed)
        except NoValue:
            return attempt_by_balls(question, Balls(), seed)
        if done(found) or question.has_gates or found.lower.value < NEARLY * found.upper.value:
            return found
        return attempt_by_balls(question, Balls(), seed)

    best, regions = best_attempt(question, attempt, done)
    return report_of_attempt(question, best, None if best.proven else 1.0, regions)


def dimension_in_floats(question: Question) -> DimensionReport | None:
    """Return the dimension if a minor at a real point is proved to be regular by floats, and is as large as the
    symmetries allow; None otherwise, or if an engine for residues was asked for.
    """
    if not isinstance(question.options.engine, Auto):
        return None
    try:
        check_dimension(question, FloatBalls())
        attempt = attempt_in_floats(question, question.options.seed)
    except (NotEnoughMemory, NoValue, MethodError):  # residues need less
        return None
    return report_of_attempt(question, attempt, None) if attempt.proven else None


def dimension_over_balls_since(reason: object, question: Question) -> DimensionReport:
    """Return the dimension over balls, with the reason why these are taken."""
    report: DimensionReport = verbs.measure_over(Balls(), question.with_options(engine=Auto()))
    return dataclasses.replace(report, reason=f"over balls, since {reason}")


@verbs.measure_over.method
def dimension_over_balls(field: Balls, question: Question) -> DimensionReport:
    check_modular_options(question, field)
    check_dimension(question, field)
    attempt = functools.partial(attempt_by_balls, question, field)
    best, regions = best_attempt(question, attempt, lambda one: one.proven)
    return report_of_attempt(question, best, None, regions)
