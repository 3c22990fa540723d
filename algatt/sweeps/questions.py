"""The questions that a sweep asks of each architecture, by name; and any function of an architecture."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import InvalidArgument, RankUndecided
from algatt.fields import Balls, PrimeField, Reals
from algatt.geometry.dimensions.dimension import dimension as dimension_of
from algatt.parameters import Weights
from algatt.plain import plain
from algatt.sweeps.answer import Answer

Question = Callable[..., Any]
"""A function of an architecture and, as ``seed``, of what names the random points."""


def dimension(arch: Architecture, *, seed: int = 0) -> Answer:
    """The dimension of the space of functions, by `algatt.dimension`."""
    return answer_of_report(dimension_of(arch, seed=seed))


def redundant(arch: Architecture, *, seed: int = 0) -> Answer:
    """How many parameters the symmetries make redundant at a generic point: parameters minus the upper bound."""
    report = dimension_of(arch, seed=seed)
    if report.upper is None or report.lower is None:
        return Answer(None, "numerical")
    families = {family.name: family.removes for family in report.symmetries if family.basis != "ambient"}
    if len(families) < len(report.symmetries):  # what the ambient space removes is no symmetry, and proves no rank
        rank = sum(families.values())
        return Answer(rank, "probable", rank, report.parameters - report.lower, {"families": families})
    # the ranks of tangents modulo p are at most the true ones; where the bounds of the dimension meet they are these
    most = report.parameters - report.lower
    return Answer(report.parameters - report.upper, report.status, upper=most, evidence={"families": families})


def kernel(arch: Architecture, *, seed: int = 0) -> Answer:
    """How large the part of the Jacobian's kernel is that no symmetry explains, by `algatt.unexplained_kernel`."""
    theta = verbs.sample(arch, Weights, field=exact_field(arch), seed=seed)
    found = verbs.unexplained_kernel(arch, theta)
    return Answer(found.dimension, found.status, evidence={"kernel": found.kernel, "explained": found.explained})


def orbit(arch: Architecture, *, seed: int = 0) -> Answer:
    """The dimension of the orbit of a random point under the symmetries."""
    theta = verbs.sample(arch, Weights, field=PrimeField(), seed=seed)
    # a rank modulo p is at most the one over the rationals
    found = verbs.orbit_dimension(arch, theta)
    return Answer(found, "probable", lower=found)


def fiber(arch: Architecture, *, seed: int = 0) -> Answer:
    """The dimension of the fibre through a random point, by `algatt.fiber`."""
    theta = verbs.sample(arch, Weights, field=exact_field(arch), seed=seed)
    found = verbs.fiber(arch, theta)
    return Answer(found.dimension, "probable", evidence={"case": plain(found.case), "fiber": found.status})


def floats(arch: Architecture, *, seed: int = 0) -> Answer:
    """What double precision says of the dimension; no value where it has no gap."""
    try:
        return answer_of_report(dimension_of(arch, seed=seed, field=Reals()))
    except RankUndecided as error:
        return Answer(None, "numerical", evidence={"undecided": str(error)})


def answer_of_report(report: Any) -> Answer:
    """Return what a `DimensionReport` says."""
    evidence = {"field": str(report.field), "seed": report.seed, "samples": report.samples}
    evidence |= {"error": report.error, "gap": report.gap, "formula": report.formula, "conjecture": report.conjecture}
    evidence["unexplained"] = report.unexplained
    kept = {name: value for name, value in evidence.items() if value is not None}
    return Answer(report.value, report.status, report.lower, report.upper, plain(kept))


def exact_field(arch: Architecture) -> Any:
    """Return the prime field of an algebraic architecture, and balls of the others."""
    return PrimeField() if arch.algebraic else Balls()


QUESTIONS: dict[str, Question] = {
    "dimension": dimension,
    "redundant": redundant,
    "unexplained_kernel": kernel,
    "orbit": orbit,
    "fiber": fiber,
    "floats": floats,
}
"""The questions that have names."""


def name_of(question: str | Question) -> str:
    """Return what a question is called in the record.

    Raises
    ------
    InvalidArgument
        If there is no question of that name, or a function has no name, as a lambda has none.
    """
    if isinstance(question, str):
        if question not in QUESTIONS:
            raise InvalidArgument("question", repr(question), f"one of {', '.join(QUESTIONS)}, or a function")
        return question
    if question in (dimension_of, *QUESTIONS.values()):
        return "dimension" if question is dimension_of else next(n for n, q in QUESTIONS.items() if q is question)
    named = question.func if isinstance(question, partial) else question
    name = getattr(named, "__qualname__", "")
    if not callable(question) or not name or "<" in name or isinstance(question, partial):
        raise InvalidArgument("question", repr(question), "a function of a module, which has a name")
    return f"{question.__module__}.{name}"


def ask(question: str | Question, arch: Architecture, seed: int) -> Answer:
    """Ask a question.

    Raises
    ------
    InvalidArgument
        If a function of one's own returns neither an integer nor an `Answer`.
    AlgattError
        What the question raises.
    """
    function = QUESTIONS[question] if isinstance(question, str) else question
    if function is dimension_of:
        function = dimension
    given = function(arch, seed=seed)
    if isinstance(given, Answer):
        return given
    if hasattr(given, "__index__"):
        return Answer(int(given), "numerical")
    raise InvalidArgument(
        "question", f"{name_of(question)}, with a {type(given).__name__}", "a function with an integer or an Answer"
    )
