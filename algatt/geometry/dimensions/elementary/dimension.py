"""The dimension by ranks at places modulo p, where residues stand for exponentials, roots and gates."""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Callable, Sequence

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import ConditionFailed, InvalidArgument
from algatt.fields import Elementary, PrimeField
from algatt.fields.elementary import ELEMENTARY_PRIME
from algatt.geometry.dimensions.bounds import Progress, lower_bound, upper_bound
from algatt.geometry.dimensions.checkpoint import Checkpoint
from algatt.geometry.dimensions.elementary.patterns import float_weights_of_gates
from algatt.geometry.dimensions.elementary.places import check_symmetries_at_places, conditions_of
from algatt.geometry.dimensions.elementary.tokens import attempt_over_tokens, has_joint_places
from algatt.geometry.dimensions.memory import check_dimension
from algatt.geometry.dimensions.regions import Regions, look_for_regions
from algatt.geometry.dimensions.report import Attempt, DimensionReport, attempt_of, report_of_attempt
from algatt.linalg import Engine
from algatt.maps.elementary.reading import read
from algatt.parameters import Weights

__all__: list[str] = []

ELEMENTARY_ATTEMPTS = 3
"""So many points are tried over fields with exponentials, unless two of them say the same."""


@verbs.measure_over.method
def dimension_over_elementary(
    field: Elementary,
    arch: Architecture,
    *,
    seed: int,
    error: float,
    gap: float,
    progress: Progress | None,
    engine: Engine | None,
    checkpoint: Checkpoint | None = None,
) -> DimensionReport:
    """Bound the dimension from below by ranks at places modulo p, the conditions being checked at each.

    Where the bounds do not meet, no degrees are known that would bound the error.
    """
    began = time.perf_counter()
    if arch.algebraic:
        report: DimensionReport = verbs.measure_over(
            PrimeField(field.p),
            arch,
            seed=seed,
            error=error,
            gap=gap,
            progress=progress,
            engine=engine,
            checkpoint=checkpoint,
        )
        return report
    check_dimension(arch, field, engine)
    fields = (PrimeField(field.p), *(PrimeField(p) for p in OTHER_PRIMES if p != field.p))
    if has_joint_places(arch) and checkpoint is not None:
        should = "given for a network of vectors: the rows of inputs of tokens are few at a time"
        raise InvalidArgument("checkpoint", f"given for {arch}, which reads tokens", should)

    def attempt(number: int, seed: int) -> Attempt:
        """Compute the bounds at one point."""
        of_number = Elementary(fields[number].p, field.seed)
        if has_joint_places(arch):
            return attempt_over_tokens(arch, of_number, seed, progress, engine)
        return attempt_over_elementary(arch, of_number, seed, progress, checkpoint, engine)

    best, regions = best_attempt(arch, seed, attempt)
    return report_of_attempt(arch, best, None if best.proven else 1.0, began, regions)


@functools.lru_cache(maxsize=8)
def regions_by_gates(arch: Architecture, upper: int) -> Regions:
    """Return the regions around the real weights at which gates are decided."""
    return look_for_regions(arch, functools.partial(float_weights_of_gates, arch, read(verbs.program(arch))), upper)


def best_attempt(
    arch: Architecture, seed: int, attempt: Callable[[int, int], Attempt]
) -> tuple[Attempt, Regions | None]:
    """Return the best of some attempts, and the regions that were looked at.

    The first one is at the given seed. If it is no proof and the network has gates, the others are in the regions with
    the greatest ranks in floating point, until one attains that rank; else at the following seeds, until two say the
    same.

    Raises
    ------
    ConditionFailed
        If all of them fail.
    """
    gates = read(verbs.program(arch)).gates
    tried: list[Attempt] = []
    failed: ConditionFailed | None = None
    regions: Regions | None = None
    seeds = [seed + number for number in range(ELEMENTARY_ATTEMPTS)]
    for number in range(1 + len(OTHER_PRIMES)):
        if number == 1 and gates:
            prime = PrimeField(ELEMENTARY_PRIME)
            upper = upper_bound(arch, prime, verbs.sample(arch, Weights, field=prime, seed=seed))
            regions = regions_by_gates(arch, upper.value)
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
    arch: Architecture,
    field: Elementary,
    seed: int,
    progress: Progress | None,
    checkpoint: Checkpoint | None = None,
    engine: Engine | None = None,
) -> Attempt:
    """Compute the bounds at one point over GF(p), with residues for exponentials, roots and gates."""
    prime = PrimeField(field.p)
    theta = verbs.sample(arch, Weights, field=prime, seed=seed)
    conditions = conditions_of(arch, prime, theta, seed)
    check_symmetries_at_places(arch, theta, seed)
    upper = upper_bound(arch, prime, theta, engine)
    lower = lower_bound(arch, field, theta, seed, upper, progress, checkpoint, engine, patterns=conditions.gates)
    if arch.vocabulary is not None:  # each input has its own gates
        conditions = dataclasses.replace(conditions, gates=lower.inputs)
    return attempt_of(arch, field, seed, dataclasses.replace(lower, conditions=conditions), upper)
