"""The dimension of a transformer by the sum of what its parts show, near weights at which its blocks stand side by
side.
"""

from __future__ import annotations

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.errors import InvalidArgument
from algatt.fields import FloatBalls, Reals
from algatt.geometry.dimensions.bounds import Attempt, upper_bound_by_symbols
from algatt.geometry.dimensions.dimension import report_of_attempt
from algatt.geometry.dimensions.evidence import LowerBound, Parts, UpperBound
from algatt.geometry.dimensions.question import Question, SideBySide
from algatt.geometry.dimensions.report import DimensionReport
from algatt.geometry.dimensions.side_by_side.encoder import model_of
from algatt.geometry.dimensions.side_by_side.hypotheses import check_hypotheses
from algatt.geometry.dimensions.side_by_side.parts import parts_of
from algatt.geometry.dimensions.side_by_side.transformer import NotCovered

__all__ = ["NotCovered", "parts_shown", "report_by_ranks", "report_side_by_side"]


@verbs.measure_at.method
def dimension_of_no_transformer(points: SideBySide, arch: Architecture, question: Question) -> DimensionReport:
    raise refused(f"for {arch}, which is no network of layers")


@verbs.measure_at.method
def dimension_side_by_side(points: SideBySide, arch: Network, question: Question) -> DimensionReport:
    """Answer by the theorem, or say why it does not apply."""
    try:
        return report_side_by_side(arch, question)
    except NotCovered as reason:
        raise refused(str(reason)) from None


def report_side_by_side(arch: Network, question: Question) -> DimensionReport:
    """Compare the sum of what the parts show with what the symmetries, counted with sizes as symbols, leave.

    Raises
    ------
    NotCovered
        If the theorem does not apply, or the two differ.
    """
    check_options(question)
    return report_of_parts(question, Reals(), parts_shown(arch), 0, upper_bound_by_symbols(arch))


def report_by_ranks(arch: Network, question: Question) -> DimensionReport:
    """Compare the sum of ranks near weights at which blocks stand side by side with what the symmetries leave.

    Raises
    ------
    NotCovered
        If there are no such weights, or the two differ.
    """
    from algatt.geometry.dimensions.side_by_side.ranks import parts_by_ranks

    check_options(question)
    if arch.vocabulary is None and question.is_long:
        raise NotCovered("for a network of vectors, of which there are copies")
    upper = upper_bound_by_symbols(arch)
    found = parts_by_ranks(arch, question.options.seed, upper.value, question.options.progress)
    return report_of_parts(question, FloatBalls(), *found, upper)


def check_options(question: Question) -> None:
    """Check that neither a field nor a checkpoint is asked for."""
    if question.options.field is not None:
        raise NotCovered(f"with {question.options.field}")
    if question.options.checkpoint is not None:
        raise NotCovered("with a checkpoint")


def report_of_parts(
    question: Question, field: Reals | FloatBalls, parts: Parts, inputs: int, upper: UpperBound
) -> DimensionReport:
    """Return the report of the sum of parts, if it is as large as symmetries allow."""
    arch = question.arch
    if parts.value > upper.value:
        raise AssertionError(f"the parts of {arch} show {parts.value} dimensions, and symmetries leave {upper.value}")
    if parts.value < upper.value:
        raise NotCovered(f"for {arch}, whose parts show {parts.value} dimensions, while symmetries leave {upper.value}")
    attempt = Attempt(field, question.options.seed, LowerBound(parts.value, inputs, parts), upper)
    return report_of_attempt(question, attempt, None)


def parts_shown(arch: Network) -> Parts:
    """Return what the parts of a transformer show by the theorem.

    Raises
    ------
    NotCovered
        If it does not apply.
    """
    model = model_of(arch)
    check_hypotheses(model)
    return parts_of(model)


def refused(reason: str) -> InvalidArgument:
    """Return the error that says where blocks are not looked at side by side."""
    should = "given for a transformer that reads tokens, of the kinds and sizes in docs/theory/side_by_side.md"
    return InvalidArgument("points", f"{SideBySide()} {reason}", should)
