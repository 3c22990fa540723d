"""The dimension by ranks at places modulo p, where residues stand for exponentials, roots and gates."""

from __future__ import annotations

import dataclasses
import time

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import InvalidArgument
from algatt.fields import Elementary, PrimeField
from algatt.geometry.dimensions.bounds import Progress, lower_bound, upper_bound
from algatt.geometry.dimensions.checkpoint import Checkpoint
from algatt.geometry.dimensions.elementary.places import check_symmetries_at_places, conditions_of
from algatt.geometry.dimensions.elementary.tokens import attempt_over_tokens, has_joint_places
from algatt.geometry.dimensions.memory import check_dimension
from algatt.geometry.dimensions.report import Attempt, DimensionReport, attempt_of, report_of_attempt
from algatt.linalg import Engine
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
    tried = []
    fields = (PrimeField(field.p), *(PrimeField(p) for p in OTHER_PRIMES if p != field.p))
    if has_joint_places(arch) and checkpoint is not None:
        should = "given for a network of vectors: the rows of inputs of tokens are few at a time"
        raise InvalidArgument("checkpoint", f"given for {arch}, which reads tokens", should)
    for number in range(ELEMENTARY_ATTEMPTS):
        of_number = Elementary(fields[number].p, field.seed)
        if has_joint_places(arch):
            attempt = attempt_over_tokens(arch, of_number, seed + number, progress, engine)
        else:
            attempt = attempt_over_elementary(arch, of_number, seed + number, progress, checkpoint, engine)
        if attempt.proven:
            return report_of_attempt(arch, attempt, None, began)
        tried.append(attempt)
        if len({(one.lower.value, one.upper.value) for one in tried}) < number + 1:
            break  # two points say the same
    best = max(tried, key=lambda attempt: (attempt.lower.value, -attempt.upper.value))
    return report_of_attempt(arch, best, 1.0, began)


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
    lower = lower_bound(arch, field, theta, seed, upper, progress, checkpoint, engine)
    if arch.vocabulary is not None:  # each input has its own gates
        conditions = dataclasses.replace(conditions, gates=lower.inputs)
    return attempt_of(arch, field, seed, dataclasses.replace(lower, conditions=conditions), upper)
