"""The dimension at points with structure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress

from algatt import verbs
from algatt.architectures import Architecture, Lightning, Network, Normalized
from algatt.errors import ConditionFailed, InvalidArgument
from algatt.fields import Elementary, Field, PrimeField
from algatt.geometry.dimensions.bounds import Attempt
from algatt.geometry.dimensions.dimension import OF_POLYNOMIALS, report_of_attempt
from algatt.geometry.dimensions.question import AutoPoints, Copies, Question, RandomPoints
from algatt.geometry.dimensions.report import DimensionReport
from algatt.geometry.dimensions.structure.cut import Cut, cut_attention, cut_blocks, part_sizes
from algatt.geometry.dimensions.structure.pieces import attempt_by_pieces
from algatt.symmetry.named.spaces import NamedSpaces

LEAST_COPIES = 7
"""With fewer copies two of them and the hub have more than a seventh of all parameters."""

MOST_TRIED = 3
"""So many numbers of copies are tried."""

OF_COPIES = OF_POLYNOMIALS | {"reciprocal", "exp"}
"""Operations without gates and roots, whose conditions are looked at elsewhere than at the weights."""


def counts_of(arch: Lightning | Normalized) -> list[int]:
    """Return some numbers of copies to try, the largest first, each at most half of the one before.

    Each copy is at least two coordinates wide where the network is narrowest, but for its last width. Numbers are
    preferred for which the hub has the sizes of its spaces in the order in which the network has them: a hub with more
    queries than coordinates, in a network with fewer, has fewer directions.
    """
    numbers = range(min(arch.dims[:-1]) // 2 - 1, LEAST_COPIES - 1, -1)
    return halving(count for count in numbers if keeps_order(arch, count)) or halving(iter(numbers))


def halving(numbers: Iterator[int]) -> list[int]:
    """Return the first of decreasing numbers, the first that is at most half of it, and so on, a few of them."""
    found: list[int] = []
    for number in numbers:
        if not found or 2 * number <= found[-1]:
            found.append(number)
            if len(found) == MOST_TRIED:
                break
    return found


def keeps_order(arch: Lightning | Normalized, copies: int) -> bool:
    """Return whether the spaces of the hub are ordered by their sizes as those of the whole network."""
    hubs = [part_sizes(size, copies)[0] for size in sorted({*arch.dims, *arch.ranks})]
    return hubs == sorted(hubs)


def obstacle(question: Question) -> str | None:
    """Say why a dimension cannot be looked for at copies, or return None."""
    arch, field = question.arch, question.options.field
    if not question.operations <= OF_COPIES:
        return f"for {arch}, which has gates or roots"
    if not isinstance(field, PrimeField | Elementary | None) or (isinstance(field, PrimeField) and not arch.algebraic):
        return f"with {field}"
    return None if question.options.checkpoint is None else "with a checkpoint"


@verbs.measure_at.method
def dimension_at_no_copies(points: Copies, arch: Architecture, question: Question) -> DimensionReport:
    raise refused(points, f"for {arch}")


@verbs.measure_at.method
def dimension_of_attention_at_copies(
    points: Copies, arch: Lightning | Normalized, question: Question
) -> DimensionReport:
    """Try numbers of copies until the bounds meet; where they do not, the answer is probable, with the error 1."""
    reason = obstacle(question)
    if reason is not None:
        raise refused(points, reason)
    counts = counts_of(arch) if points.count is None else [points.count]
    if not counts:
        raise InvalidArgument(
            "points", f"{points} for {arch}", f"Copies(n): no width may be below {2 * LEAST_COPIES + 2}"
        )
    return report_of_best(question, [cut_attention(arch, count) for count in counts])


def report_of_best(question: Question, cuts: Sequence[Cut]) -> DimensionReport:
    """Return the report of the first cut with a proof, else that of the best one."""
    tried, where = list[Attempt](), field_of_pieces(question.arch, question.options.field)
    for cut in cuts:
        attempt = attempt_by_pieces(question, cut, where)
        if attempt.proven:
            return report_of_attempt(question, attempt, None)
        tried.append(attempt)
    best = max(tried, key=lambda attempt: (attempt.lower.value, -attempt.upper.value))
    return report_of_attempt(question, best, 1.0)


@verbs.measure_at.method
def dimension_of_blocks_at_copies(points: Copies, arch: Network, question: Question) -> DimensionReport:
    """Try copies two and four coordinates wide, or as many copies as are asked for."""
    reason = obstacle_of_blocks(arch, question)
    if reason is not None:
        raise refused(points, reason)
    cuts = cuts_of(arch) if points.count is None else cuts_of(arch, points.count, [room(arch) // points.count])
    if not cuts:
        should = f"Copies(n) with n from 1 to {room(arch)}: the hub is as wide as a head"
        raise InvalidArgument("points", f"{points} for {arch}", should)
    return report_of_best(question, cuts)


def obstacle_of_blocks(arch: Network, question: Question) -> str | None:
    """Say why a dimension cannot be looked for at copies, or return None."""
    field = question.options.field
    reason = "is algebraic" if arch.algebraic else why_no_parts(arch, question)
    if reason is not None:
        return f"for a network that {reason}"
    if not isinstance(field, Elementary | None):
        return f"with {field}"
    return None if question.options.checkpoint is None else "with a checkpoint"


def why_no_parts(net: Network, question: Question) -> str | None:
    """Say why a network cannot be cut, or return None."""
    if net.vocabulary is not None or net.width is None:
        return "reads tokens"
    if question.has_gates:
        return "has gates"
    sizes = sizes_beside(net)[1]
    reason = Cut(net, 1, {size: (size - 1, 1) for size in sizes}).obstacle()
    return reason and f"has {reason}"


def sizes_beside(net: Network) -> tuple[list[int], list[int]]:
    """Return the sizes of axes of tensors beside that of the stream: smaller ones, which are in the hub, and others,
    which are cut as the stream is.
    """
    width = net.input_shape[0]
    shapes = [shape for shape in verbs.coordinates(net).values() if width in shape]
    sizes = sorted({width, *(size for shape in shapes for size in shape)})
    return sizes[: sizes.index(width)], sizes[sizes.index(width) :]


def room(arch: Network) -> int:
    """Return how much of the stream may be in copies: the hub is as wide as the widest queries, keys and values."""
    return arch.input_shape[0] - max([2, *sizes_beside(arch)[0]])


def cuts_of(arch: Network, count: int | None = None, widths: Sequence[int] = (2, 4)) -> list[Cut]:
    """Return some cuts to try, with copies of some widths, those with the smallest pieces first."""
    counts = [count or room(arch) // max(one, 1) for one in widths]
    return [
        cut_blocks(arch, n, one, sizes_beside(arch)[1])
        for one, n in zip(widths, counts, strict=True)
        if one and n >= (count or 2)
    ]


@verbs.measure_at.method
def dimension_of_blocks_at_copies_or_random_points(
    points: AutoPoints, arch: Network, question: Question
) -> DimensionReport:
    return at_copies_or_random_points(question, obstacle_of_blocks(arch, question) is None and pays(arch))


def at_copies_or_random_points(question: Question, tried: bool) -> DimensionReport:
    """Return the report at copies if these are tried and prove the dimension, else that at random points."""
    report: DimensionReport
    if tried:
        with suppress(ConditionFailed):
            report = verbs.measure_at(Copies(), question.arch, question)
            if report.status == "proven":
                return report
    report = verbs.measure_at(RandomPoints(), question.arch, question)
    return report


def pays(arch: Network) -> bool:
    """Return whether the largest piece has at most half of the parameters."""
    cuts = cuts_of(arch)
    return (
        bool(cuts)
        and 2 * sum(math.prod(cuts[0].shape(shape, 2)) for shape in cuts[0].tensors.values()) <= arch.parameters
    )


def refused(points: Copies, reason: str) -> InvalidArgument:
    """Return the error that says where there are no copies."""
    should = (
        "given for Lightning or Normalized without gates and roots, or for networks of vectors whose coordinates are "
        "zero where those of inputs are, modulo a prime and without a checkpoint"
    )
    return InvalidArgument("points", f"{points} {reason}", should)


def field_of_pieces(arch: Architecture, field: Field | None) -> PrimeField | Elementary:
    """Return the field over which the pieces are looked at."""
    if not arch.algebraic:
        return field if isinstance(field, Elementary) else Elementary()
    return PrimeField(field.p) if isinstance(field, PrimeField | Elementary) else PrimeField()


@verbs.measure_at.method
def dimension_at_any_points(points: AutoPoints, arch: Architecture, question: Question) -> DimensionReport:
    return at_copies_or_random_points(question, False)


@verbs.measure_at.method
def dimension_of_attention_at_copies_or_random_points(
    points: AutoPoints, arch: Lightning | Normalized, question: Question
) -> DimensionReport:
    return at_copies_or_random_points(question, obstacle(question) is None and fits_pieces(arch))


def fits_pieces(arch: Lightning | Normalized) -> bool:
    """Return whether bounds by pieces may meet: pieces are small, and they see all symmetries that are known."""
    return bool(counts_of(arch)) and all(isinstance(one, NamedSpaces) for one in verbs.symmetries(arch))
