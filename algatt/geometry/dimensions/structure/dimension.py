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
from algatt.geometry.dimensions.dimension import report_of_attempt
from algatt.geometry.dimensions.question import AutoPoints, Copies, Question, RandomPoints
from algatt.geometry.dimensions.report import DimensionReport
from algatt.geometry.dimensions.structure.cut import Cut, cut_attention, cut_blocks, part_sizes
from algatt.geometry.dimensions.structure.pieces import attempt_by_pieces

LEAST_COPIES = 7
"""With fewer copies two of them and the hub have more than a seventh of all parameters."""

MOST_TRIED = 3
"""So many numbers of copies are tried."""


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
    """Say why a dimension cannot be looked for at copies, whatever a network is cut into, or return None."""
    arch, field = question.arch, question.options.field
    if arch.vocabulary is not None or (isinstance(arch, Network) and arch.width is None):
        return "for a network that reads tokens"
    if question.has_gates:
        return "for a network that has gates"
    if not isinstance(field, PrimeField | Elementary | None) or (isinstance(field, PrimeField) and not arch.algebraic):
        return f"with {field}"
    return None if question.options.checkpoint is None else "with a checkpoint"


@verbs.measure_at.method
def dimension_at_no_copies(points: Copies, arch: Architecture, question: Question) -> DimensionReport:
    raise refused(points, f"for {arch}")


@verbs.measure_at.method
def dimension_at_copies(points: Copies, arch: Lightning | Normalized | Network, question: Question) -> DimensionReport:
    """Try numbers of copies until the bounds meet; where they do not, the answer is probable, with the error 1."""
    reason = obstacle(question)
    cuts = [] if reason is not None else cuts_of(arch, points.count)
    if reason is None and not cuts:
        narrow = f"no width may be below {2 * LEAST_COPIES + 2}, and the hub is as wide as a head"
        raise InvalidArgument("points", f"{points} for {arch}", f"Copies(n) with n from 1 to {room(arch)}: {narrow}")
    found = reason or cuts[0].obstacle()
    if found is not None:
        raise refused(points, reason or f"for a network that has {found}")
    return report_of_best(question, cuts)


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


def sizes_beside(net: Network) -> tuple[list[int], list[int]]:
    """Return the sizes of axes of tensors beside that of the stream: smaller ones, which are in the hub, and others,
    which are cut as the stream is.
    """
    width = net.input_shape[0]
    shapes = [shape for shape in verbs.coordinates(net).values() if width in shape]
    sizes = sorted({width, *(size for shape in shapes for size in shape)})
    return sizes[: sizes.index(width)], sizes[sizes.index(width) :]


def room(arch: Lightning | Normalized | Network) -> int:
    """Return how much of the stream may be in copies: the hub is as wide as the widest queries, keys and values."""
    if isinstance(arch, Network):
        return arch.input_shape[0] - max([2, *sizes_beside(arch)[0]])
    return min(arch.dims[:-1]) - 1


def cuts_of(arch: Lightning | Normalized | Network, count: int | None = None) -> list[Cut]:
    """Return some cuts to try, of networks of layers with copies two and four coordinates wide; or with so many."""
    if not isinstance(arch, Network):
        return [cut_attention(arch, one) for one in (counts_of(arch) if count is None else [count])]
    widths = (2, 4) if count is None else (room(arch) // count,)
    counts = [(count or room(arch) // max(one, 1), one) for one in widths]
    return [cut_blocks(arch, n, one, sizes_beside(arch)[1]) for n, one in counts if one and n >= (count or 2)]


@verbs.measure_at.method
def dimension_at_any_points(points: AutoPoints, arch: Architecture, question: Question) -> DimensionReport:
    report: DimensionReport = verbs.measure_at(RandomPoints(), question.arch, question)
    return report


@verbs.measure_at.method
def dimension_at_copies_or_random_points(
    points: AutoPoints, arch: Lightning | Normalized | Network, question: Question
) -> DimensionReport:
    cuts = [] if obstacle(question) is not None else cuts_of(arch)
    if cuts and pays(cuts[0]) and cuts[0].obstacle() is None:
        with suppress(ConditionFailed):
            report = report_of_best(question, cuts)
            if report.status == "proven":
                return report
    return dimension_at_any_points(points, arch, question)


def pays(cut: Cut) -> bool:
    """Return whether the largest piece has at most half of the parameters."""
    return 2 * sum(math.prod(cut.shape(shape, 2)) for shape in cut.tensors.values()) <= cut.arch.parameters


def refused(points: Copies, reason: str) -> InvalidArgument:
    """Return the error that says where there are no copies."""
    should = (
        "given for networks without gates that read vectors, whose coordinates are zero where those of inputs are, "
        "modulo a prime and without a checkpoint"
    )
    return InvalidArgument("points", f"{points} {reason}", should)


def field_of_pieces(arch: Architecture, field: Field | None) -> PrimeField | Elementary:
    """Return the field over which the pieces are looked at."""
    if not arch.algebraic:
        return field if isinstance(field, Elementary) else Elementary()
    return PrimeField(field.p) if isinstance(field, PrimeField | Elementary) else PrimeField()
