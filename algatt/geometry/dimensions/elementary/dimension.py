"""The dimension by ranks at places modulo p, where residues stand for exponentials, roots and gates."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.recording import program
from algatt.errors import ConditionFailed, InvalidArgument
from algatt.fields import Elementary, PrimeField
from algatt.fields.elementary import ELEMENTARY_PRIME
from algatt.geometry.dimensions.bounds import lower_bound, upper_bound
from algatt.geometry.dimensions.checkpoint import Checkpoint
from algatt.geometry.dimensions.dimension import checkpoint_of
from algatt.geometry.dimensions.elementary.patterns import float_weights_of_gates
from algatt.geometry.dimensions.elementary.places import check_symmetries_at_places, conditions_of
from algatt.geometry.dimensions.elementary.tokens import attempt_over_tokens
from algatt.geometry.dimensions.memory import check_dimension
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.regions import Regions, look_for_regions
from algatt.geometry.dimensions.report import Attempt, DimensionReport, attempt_of, report_of_attempt
from algatt.maps.elementary.reading import read
from algatt.parameters import Weights

__all__: list[str] = []

ELEMENTARY_ATTEMPTS = 3
"""So many points are tried over fields with exponentials, unless two of them say the same."""


@verbs.measure_over.method
def dimension_over_elementary(field: Elementary, question: Question) -> DimensionReport:
    """Bound the dimension from below by ranks at places modulo p, the conditions being checked at each.

    Where the bounds do not meet, no degrees are known that would bound the error.
    """
    if question.arch.algebraic:
        report: DimensionReport = verbs.measure_over(PrimeField(field.p), question)
        return report
    check_dimension(question, field)
    joint = has_joint_places(question)
    if joint and question.options.checkpoint is not None:
        should = "given for a network of vectors: the rows of inputs of tokens are few at a time"
        raise InvalidArgument("checkpoint", f"given for {question.arch}, which reads tokens", should)
    primes = (field.p, *(p for p in OTHER_PRIMES if p != field.p))
    with checkpoint_of(question, field) as checkpoint:

        def attempt(number: int, seed: int) -> Attempt:
            """Compute the bounds at one point."""
            of_number = Elementary(primes[number], field.seed)
            if joint:
                return attempt_over_tokens(question, of_number, seed)
            return attempt_over_elementary(question, of_number, seed, checkpoint)

        best, regions = best_attempt(question, attempt)
        return report_of_attempt(question, best, None if best.proven else 1.0, regions)


def has_joint_places(question: Question) -> bool:
    """Return whether a network reads tokens and has functions that are no gates."""
    return question.arch.vocabulary is not None and bool(set(question.reading.functions) - set(question.reading.gates))


@functools.lru_cache(maxsize=8)
def regions_by_gates(arch: Architecture, upper: int) -> Regions:
    """Return the regions around the real weights at which gates are decided."""
    return look_for_regions(arch, functools.partial(float_weights_of_gates, arch, read(program(arch))), upper)


def best_attempt(question: Question, attempt: Callable[[int, int], Attempt]) -> tuple[Attempt, Regions | None]:
    """Return the best of some attempts, and the regions that were looked at.

    The first one is at the given seed. If it is no proof and the network has gates, the others are in the regions with
    the greatest ranks in floating point, until one attains that rank; else at the following seeds, until two say the
    same.

    Raises
    ------
    ConditionFailed
        If all of them fail.
    """
    gates, seed = question.reading.gates, question.options.seed
    tried: list[Attempt] = []
    failed: ConditionFailed | None = None
    regions: Regions | None = None
    seeds = [seed + number for number in range(ELEMENTARY_ATTEMPTS)]
    for number in range(1 + len(OTHER_PRIMES)):
        if number == 1 and gates:
            prime = PrimeField(ELEMENTARY_PRIME)
            upper = upper_bound(question, prime, verbs.sample(question.arch, Weights, field=prime, seed=seed))
            regions = regions_by_gates(question.arch, upper.value)
            seeds = [seed, *regions.best] if regions.ranks else seeds
        if number == len(seeds):
            break
        try:
            tried.append(attempt(number, seeds[number]))
        except ConditionFailed as error:
            if not gates:
                raise
            failed = failed or error
        else:
            greatest = max(regions.ranks, default=None) if regions is not None else None
            if tried[-1].proven or enough(tried, greatest):
                break
    if failed is not None and not tried:
        raise failed
    return max(tried, key=lambda one: (one.lower.value, -one.upper.value)), regions


def enough(tried: Sequence[Attempt], greatest: int | None) -> bool:
    """Return whether another attempt is not worth it: the last one has the greatest rank of all regions, or where no
    regions are known two of them say the same.
    """
    if greatest is not None:
        return tried[-1].lower.value >= greatest
    return len({(one.lower.value, one.upper.value) for one in tried}) < len(tried)


OTHER_PRIMES = (8388571, 8388547, 8388539)
"""Further primes that are 3 modulo 4."""


def attempt_over_elementary(
    question: Question, field: Elementary, seed: int, checkpoint: Checkpoint | None = None
) -> Attempt:
    """Compute the bounds at one point over GF(p), with residues for exponentials, roots and gates."""
    prime = PrimeField(field.p)
    theta = verbs.sample(question.arch, Weights, field=prime, seed=seed)
    conditions = conditions_of(question, prime, theta, seed)
    check_symmetries_at_places(question, theta, seed)
    upper = upper_bound(question, prime, theta)
    lower = lower_bound(question, field, theta, seed, upper, checkpoint, conditions.gates)
    if question.arch.vocabulary is not None:  # each input has its own gates
        conditions = dataclasses.replace(conditions, gates=lower.inputs)
    return attempt_of(question, field, seed, dataclasses.replace(lower, conditions=conditions), upper)
