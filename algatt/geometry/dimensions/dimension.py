"""The dimension of the neuromanifold over prime fields, balls and floats."""

from __future__ import annotations

import dataclasses
import functools
import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.base import NetworkLike, as_architecture
from algatt.architectures.network import turns_by_circles
from algatt.errors import ConditionFailed, InvalidArgument, NoValue, RankUndecided
from algatt.fields import Balls, Elementary, Elements, Field, PrimeField, Reals
from algatt.geometry.dimensions.bounds import Attempt, attempt_of, lower_bound, upper_bound
from algatt.geometry.dimensions.checkpoint import EliminationFile
from algatt.geometry.dimensions.declared import check_symmetries, check_symmetries_over_prime
from algatt.geometry.dimensions.question import (
    AutoPoints,
    Options,
    Points,
    Progress,
    Question,
    RandomPoints,
    check_modular_options,
)
from algatt.geometry.dimensions.report import DimensionReport
from algatt.linalg import Engine
from algatt.linalg.arithmetic import FLOAT32_PRIME
from algatt.memory import check_memory
from algatt.parameters import Weights

if TYPE_CHECKING:
    from algatt.geometry.dimensions.regions import Regions

FEWEST_ATTEMPTS = 3
"""So many points are tried before an answer is called probable: the first over the first prime, the others over other
primes.
"""

MOST_ATTEMPTS = 12

MANY_SYMMETRIES = 2**20
"""Minimum number of parameters for which symmetries are counted before they are solved for."""

MANY_SIDE_BY_SIDE = 2**11
"""Minimum number of parameters for which blocks are looked at side by side."""

SMALL = 2**10
"""Maximum number of parameters, scores and numbers of an input for which nobody asks how much memory there is."""

MOST_BY_BALLS = 2**12
"""Networks with more parameters are computed over balls only if that is asked for: it takes hours."""

OF_POLYNOMIALS = {"tensor", "input", "constant", "add", "negate", "multiply", "product", "transpose", "take"}
OF_POLYNOMIALS |= {"concatenate", "column_products"}
"""Operations that have values in every ring, so that no point is left out for a small prime."""


@functools.cache
def small_field() -> PrimeField:
    """Return the largest prime field in which the products of an elimination are those of float32, at twice the rate;
    whether it is one takes flint, which is not imported before it is needed.
    """
    return PrimeField(FLOAT32_PRIME)


def first_prime(question: Question) -> PrimeField:
    """Return the field of the first point, for a network that is algebraic: a small one if the elimination is long and
    the network is a polynomial with integer coefficients, else the default.

    A rank modulo any prime is a lower bound. Modulo a small one it falls short a little more often; then the default
    prime follows.
    """
    if not question.is_long or question.arch.vocabulary is not None:
        return PrimeField()
    constants = (one.argument for one in question.program.instructions if one.operation == "constant")
    whole = question.operations <= OF_POLYNOMIALS and all(entry.denominator == 1 for one in constants for entry in one)
    return small_field() if whole else PrimeField()


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


def attempts(question: Question, field: PrimeField, checkpoint: EliminationFile | None = None) -> Iterator[Attempt]:
    """Compute the bounds at one point after another: the given one first, then others over ever other primes."""
    given, seed = field, question.options.seed  # the loop below changes both
    turning = turns_by_circles(question.arch)
    following = chain((PrimeField(),) if given == small_field() else (), large_primes())
    others = (other for other in following if other != given and (not turning or has_rotations(other)))
    while True:
        theta = verbs.sample(question.arch, Weights, field=field, seed=seed)
        likely = question.likely_symmetries
        upper = upper_bound(question, field, theta, likely)
        lower = lower_bound(question, field, theta, seed, upper, checkpoint)
        if lower.value < upper.value and question.symmetries is not likely:
            check_symmetries_over_prime(question, question.options.seed)
            upper = upper_bound(question, field, theta)
        yield attempt_of(question, field, seed, lower, upper)
        field, seed = next(others), seed + 1


def miss_probability(question: Question, attempt: Attempt) -> float:
    """Bound the probability that the attempt's rank is below the generic one over its field (Schwartz-Zippel).

    Let R be the generic rank, at most the upper bound. Some minor of order R is a polynomial in the weights that is not
    zero for some inputs; at random weights it vanishes for all inputs with probability at most its degree over p, and
    an entry has one degree less in the weights than the network. Otherwise, as long as rows are missing, some linear
    combination of the entries of a row is a polynomial in a fresh input that is not zero, and the input misses it with
    probability at most its degree over p; this can happen at each input. Tokens are no such inputs: if all of them were
    used none is missed, and otherwise nothing is known.

    Without degrees there is no bound but 1.
    """
    degree = question.degree
    if degree is None or (question.arch.vocabulary is not None and not attempt.lower.complete):
        return 1.0
    of_weights = attempt.upper.value * (degree.weights - 1)
    of_inputs = 0 if attempt.lower.complete else attempt.lower.inputs * degree.inputs
    return min(1.0, (of_weights + of_inputs) / attempt.prime.p)


def bounds(
    question: Question, field: PrimeField, checkpoint: EliminationFile | None = None
) -> tuple[Attempt, float | None]:
    """Return the best attempt, and None if it is proven or the probability that all attempts missed a larger rank if
    not.
    """
    check_symmetries_over_prime(question, question.options.seed, question.likely_symmetries)
    best: Attempt | None = None
    missed = 1.0
    for number, attempt in enumerate(attempts(question, field, checkpoint), start=1):
        if best is None or (attempt.lower.value, -attempt.upper.value) > (best.lower.value, -best.upper.value):
            best = attempt
        if best.proven:
            return best, None
        missed *= miss_probability(question, attempt)
        if number >= FEWEST_ATTEMPTS:
            error = doubt(question, best.lower.value, missed)
            if error <= question.options.error or number >= MOST_ATTEMPTS:
                return best, missed
    raise AssertionError("attempts() never ends")


def dimension(
    arch: NetworkLike,
    *,
    seed: int = 0,
    field: Field | None = None,
    error: float = 1e-9,
    gap: float = 1e3,
    progress: Progress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    points: Points | None = None,
    engine: Engine | None = None,
) -> DimensionReport:
    """Compute the dimension of the neuromanifold: the generic rank of the Jacobian of theta -> phi_theta (HMK Eq 5).

    The rank of the Jacobian at any point over GF(p) is a lower bound over Q, the number of parameters less the rank of
    the symmetries' tangents is an upper bound. Where they meet the dimension is `proven`; otherwise it is `probable`
    and the report has an error bound. It has a second upper bound then, which is no proof, the rank of what the
    function sees of the weights; by it `unexplained` is the number of directions that no symmetry explains.

    Exponentials, roots and gates, as of softmax, norms and ReLU, get residues of their own over GF(p), `Elementary`,
    after conditions have been checked, which the report names; the rank is then a lower bound all the same, but without
    a proof the error is 1, or that of the second upper bound. Where a condition does not hold, and for networks that
    read tokens and have exponentials or roots, the report has the `reason`, and the lower bound is a minor of the
    Jacobian at a real point whose enclosure by balls excludes zero; where it falls short with the highest precision,
    2048 bits, the answer is `numerical`, between two proven bounds.

    Parameters
    ----------
    arch : Architecture
        The network.
    seed : int, optional
        Names the first point; further ones take the seeds after it.
    field : Field, optional
        The first field; other primes follow if it falls short. Unless given it is ``PrimeField()`` for networks that
        are algebraic, and ``Elementary()`` for others. For polynomials with integer coefficients and at least 8192
        parameters, at random points, it is ``PrimeField(503)``, where the elimination takes about half of the time,
        before ``PrimeField()``. ``Balls()`` may be given for all; its precision is the first, doubled while it falls
        short. ``Reals()`` gives a `numerical` answer.
    error : float, optional
        Where there is no proof: points are tried until the probability that all of them missed a larger rank modulo
        their primes is at most this, or twelve were tried. The report has the probability that was reached.
    gap : float, optional
        Over the reals: the ratio between neighbouring singular values that decides.
    progress : callable, optional
        Called as ``progress(rank, upper)`` while the rank grows; over balls with the number of rows that are enclosed
        at the present precision; for the second upper bound with the number of directions in which it was
        differentiated, and all of them.
    checkpoint : path, optional
        A file to which the elimination modulo a prime is saved from time to time, and from which it goes on if it is
        there already; removed in the end. It is as large as the matrix, 4 bytes for an entry.
    points : Points, optional
        Where the Jacobian is looked at: `algatt.geometry.RandomPoints` or `algatt.geometry.Copies`; unless given
        `algatt.geometry.AutoPoints`, which takes copies for large networks of lightning or normalised attention, where
        a proof takes seconds, and random points for all others.
    engine : Engine, optional
        Where eliminations modulo a prime are done: `algatt.linalg.Blas`, or `algatt.linalg.Gpu` on a device; unless
        given `algatt.linalg.Auto`, which takes a device for matrices of at least 10,000 columns if there is one with
        room for twice as many rows as columns.

    Returns
    -------
    DimensionReport

    Raises
    ------
    InvalidArgument
        If `seed` or `error` is out of range, or the architecture has no values over `field`, or there are no points of
        this kind for it, or no such device.
    MissingExtra
        If the engine needs a package that is not installed.
    SymmetryError
        If a symmetry that the architecture declares changes its function.
    RankUndecided
        Over the reals, if the singular values have no gap, or one that is not where the symmetries or the rank over a
        prime field say.
    DivisionByZero
        If a denominator vanishes at all of many random inputs over a small field.
    NotEnoughMemory
        Before any work, if what is held at one time is more than the memory that there is.
    """
    return dimension_of(
        Question(as_architecture(arch), Options(seed, field, error, gap, progress, checkpoint, points, engine))
    )


def dimension_of(question: Question) -> DimensionReport:
    """Return the answer to a question, by the theorem about blocks side by side if it applies, since that traces
    nothing, or of the network in normal form.
    """
    many = isinstance(question.options.points, AutoPoints) and question.parameters >= MANY_SIDE_BY_SIDE
    if isinstance(question.arch, Network) and many:
        from algatt.geometry.dimensions.side_by_side.dimension import NotCovered, report_by_ranks, report_side_by_side

        for report_of in (report_side_by_side, report_by_ranks):
            with suppress(NotCovered):
                return report_of(question.arch, question)
    if isinstance(question.arch, Network):
        from algatt.architectures.network import arrangement_of

        arrangement = arrangement_of(question.arch)
        if arrangement is not None:
            return dataclasses.replace(dimension_of(question.about(arrangement.network)), architecture=question.arch)
    report: DimensionReport = verbs.measure_at(question.points, question.arch, question)
    return report


@verbs.measure_at.method
def dimension_at_random_points(points: RandomPoints, arch: Architecture, question: Question) -> DimensionReport:
    if question.parameters >= MANY_SYMMETRIES:
        check_large(question)
    field = question.options.field
    if field is None and question.has_constant_functions:
        from algatt.geometry.dimensions.at_real_points import dimension_of_token_reader

        return dimension_of_token_reader(question)
    if question.options.checkpoint is None and field is None and not arch.algebraic:
        return dimension_over_elementary_or_balls(question)
    if field is None:
        field = first_prime(question) if arch.algebraic else Elementary()
    report: DimensionReport = verbs.measure_over(field, question)
    return report


def check_large(question: Question) -> None:
    """Raise `NotEnoughMemory` if the Jacobian of a network of many parameters cannot be eliminated, before symmetries
    are solved for: what those leave that are counted with sizes as symbols stands for the rank.
    """
    what = "the elimination of the Jacobian"
    if isinstance(question.arch, Network):
        from algatt.geometry.dimensions.side_by_side.dimension import NotCovered, parts_shown

        try:
            parts_shown(question.arch)
        except NotCovered as reason:
            what = f"{what}, which no theorem replaces {reason},"
    check_memory(2.0 * verbs.symbolic_symmetries(question.arch).upper ** 2, what)


def check_fits_memory(question: Question, field: Field) -> None:
    """Raise `NotEnoughMemory` if the dimension cannot be computed over a field; that of a small network always can."""
    arch = question.arch
    if max(question.parameters, arch.scores, math.prod(arch.input_shape)) > SMALL:
        from algatt.geometry.dimensions.memory import check_dimension

        check_dimension(question, field)


@contextmanager
def checkpoint_of(question: Question, field: Field) -> Iterator[EliminationFile | None]:
    """Open the file of the elimination over a field, if one is given, and remove it when the question is answered."""
    path = question.options.checkpoint
    if path is None:
        yield None
        return
    computation = {"network": question.arch.description(), "field": repr(field), "seed": question.options.seed}
    checkpoint = EliminationFile(path, computation)
    yield checkpoint
    checkpoint.remove()


def dimension_over_elementary_or_balls(question: Question) -> DimensionReport:
    """Return the dimension of a network over GF(p) with exponentials, and where residues cannot stand for the functions
    of the network, in floats or over balls, with the reason.

    Raises
    ------
    InvalidArgument
        If they cannot, and the network is too large for balls.
    """
    from algatt.geometry.dimensions.at_real_points import dimension_in_floats, dimension_over_balls_since

    try:
        report: DimensionReport = verbs.measure_over(Elementary(), question)
    except ConditionFailed as failed:
        proven = dimension_in_floats(question)
        if proven is not None:
            return dataclasses.replace(proven, reason=f"in floats, since {failed}")
        if question.parameters > MOST_BY_BALLS:
            was = f"a network with {question.parameters} parameters for which residues do not do: {failed}"
            should = f"one with at most {MOST_BY_BALLS} parameters"
            raise InvalidArgument("arch", was, f"{should}; or give field=Balls(), which takes hours") from failed
        return dimension_over_balls_since(failed, question)
    greatest = max(() if report.regions is None else report.regions.ranks, default=0)
    if greatest <= report.value or question.parameters > MOST_BY_BALLS:
        return report
    seen = f"the rank of a region is {greatest} in floating point, and {report.value} behind gates that meet conditions"
    try:
        other = dimension_over_balls_since(seen, question)
    except NoValue:
        return report
    return other if other.value > report.value else report


def report_of_attempt(
    question: Question, best: Attempt, missed: float | None, regions: Regions | None = None
) -> DimensionReport:
    """Return the report of the best attempt; `missed` bounds the error of the lower bound over prime fields."""
    return DimensionReport(
        architecture=question.arch,
        value=best.lower.value,
        lower=best.lower.value,
        upper=best.upper.value,
        status="proven" if best.proven else "numerical" if missed is None else "probable",
        parameters=question.parameters,
        symmetries=best.upper.families,
        formulas=question.formulas,
        samples=best.lower.inputs,
        field=best.field,
        seed=best.seed,
        error=None if missed is None else doubt(question, best.lower.value, missed),
        gap=None,
        evidence=best,
        seconds=time.perf_counter() - question.began,
        regions=regions,
        witness=None if best.proven else question.witness,
        limited_by=() if best.proven else question.limits,
    )


def doubt(question: Question, lower: int, missed: float) -> float:
    """Return the probability that the dimension is larger than a lower bound, by the probability that a larger rank of
    the Jacobian was missed, and by the witness if it has that value: both have to be wrong.
    """
    witness = question.witness
    return min(missed, witness.error) if witness is not None and witness.value <= lower else missed


@verbs.measure_over.method
def dimension_over_prime_field(field: PrimeField, question: Question) -> DimensionReport:
    if not question.arch.algebraic:
        values = f"{field}, over which {question.arch} has no values"
        raise InvalidArgument("field", values, "Balls() for a proof, or Reals()")
    with checkpoint_of(question, field) as checkpoint:
        check_fits_memory(question, field)
        return report_of_attempt(question, *bounds(question, field, checkpoint))


@verbs.measure_over.method
def dimension_over_nothing_else(field: object, question: Question) -> DimensionReport:
    raise InvalidArgument("field", repr(field), "a PrimeField, Balls() or Reals()")


@verbs.measure_over.method
def dimension_over_reals(field: Reals, question: Question) -> DimensionReport:
    """Decide the rank of a float Jacobian by its gap, with inputs added until one more changes nothing.

    Every row is divided by its largest entry: this changes no rank, and deep networks have rows of very different size.
    Even a wide gap may be at the wrong place. So the answer is refused unless it is the proven upper bound, or the rank
    at a point over a prime field. A rank that balls prove at the same point does not do: where scores are large,
    derivatives are too small for balls and floats alike.
    """
    from algatt.geometry.dimensions.at_real_points import attempt_by_balls
    from algatt.geometry.dimensions.ball_bounds import numbers_with_values
    from algatt.geometry.dimensions.real_point import numbered_real_inputs, real_weights

    check_modular_options(question, field)
    check_fits_memory(question, field)
    arch, seed, gap = question.arch, question.options.seed, question.options.gap
    check_symmetries(question, seed)
    theta = real_weights(arch, seed)
    inputs = -(-arch.parameters // arch.outputs)
    previous = -1
    while True:
        X = numbered_real_inputs(arch, seed, numbers_with_values(arch, seed, inputs))
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
    quiet = question.with_options(progress=None)
    exact = next(attempts(quiet, PrimeField())) if arch.algebraic else attempt_by_balls(quiet, Balls(), seed)
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
        parameters=question.parameters,
        symmetries=(),
        formulas=question.formulas,
        samples=inputs,
        field=field,
        seed=seed,
        error=None,
        gap=verdict.gap,
        evidence=None,
        seconds=time.perf_counter() - question.began,
    )
