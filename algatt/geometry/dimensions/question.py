"""A question for a dimension: the network with what is computed of it once, and the options, which travel together."""

from __future__ import annotations

import dataclasses
import os
import time
from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from algatt import verbs
from algatt.architectures import Network
from algatt.architectures.base import Architecture, as_architecture
from algatt.architectures.network import degree as degree_of
from algatt.architectures.network import program as program_of
from algatt.architectures.network import turns_by_circles
from algatt.arguments import check_above_one, instance, proper_fraction, whole
from algatt.errors import InvalidArgument
from algatt.fields import Degree, Field, Positive, PrimeField
from algatt.geometry.dimensions.real_point import GATES
from algatt.linalg import Auto, Engine
from algatt.linalg.engines import checked_engine, engine_of_rows
from algatt.programs import Program
from algatt.programs.interpret import function_of
from algatt.randomness import check_seed
from algatt.symmetry.base import Symmetry, frequent_symmetries
from algatt.symmetry.quotients.members import symmetries_to_first_order

if TYPE_CHECKING:
    from algatt.geometry.dimensions.witness import Witness
    from algatt.maps.elementary.reading import ChoosingProgram


class Points(ABC):
    """A choice of weights and inputs at which a dimension is bounded."""


@dataclass(frozen=True)
class AutoPoints(Points):
    """`Copies` for networks with at least 8192 parameters, modulo a prime and without a checkpoint, where the pieces
    are small; `RandomPoints` for all others, and where the bounds by pieces do not meet.

    Of lightning and normalised attention all widths but the last have to be at least 16. Other networks of vectors are
    taken whose coordinates are zero where those of inputs are, as with `RMSNorm`, without gates and biases of the
    stream. The largest piece has at most half of the parameters.
    Transformers with at least 2048 parameters that read tokens are looked at with `SideBySide` blocks where the theorem
    has their kinds and sizes, else by ranks near such weights, as are those that read vectors, below 8192 parameters.
    """


@dataclass(frozen=True)
class RandomPoints(Points):
    """Random weights and inputs, of which nothing is zero."""


@dataclass(frozen=True)
class Copies(Points):
    r"""Block-diagonal weights: a hub, and `count` copies of one small network beside it; inputs are zero but in the hub
    and in one or two copies.

    Of lightning and normalised attention all widths and ranks are cut alike, into ``count + 1`` parts, and the hub has
    what is left over. Of other networks the stream is cut, and the axes of tensors that are as long or longer, as
    neurons are, while the hub has all heads. At inputs of some copies the network is that of the hub and these copies
    alone, so the Jacobian is block triangular, with three different diagonal blocks however large the network is:

    .. math:: \operatorname{rank} J \ge r_{\text{hub, copy}} + (n - 1) r_{\text{copy}} + \binom n 2 r_{\text{pair}}.

    Parameters
    ----------
    count : int, optional
        The number n of copies. Unless given, several are tried, the largest first, until the bounds meet.
    """

    count: int | None = None

    def __post_init__(self) -> None:
        if self.count is not None:
            object.__setattr__(self, "count", whole("count", self.count))


@dataclass(frozen=True)
class SideBySide(Points):
    r"""Weights near which every block writes little, so that all blocks read the same stream and stand side by side.

    By a theorem (docs/theory/side_by_side.md) the dimension of a transformer that reads tokens is at least the sum of
    what its parts show there: nothing is eliminated, and sizes do not matter. The theorem has causal `Heads`,
    `Feedforward` and `Experts` behind `RMSNorm` or `LayerNorm`, with an `Unembedding` that is tied or not, and encoders
    as BERT; it asks for sequences of seven tokens, a wide stream and many tokens.
    """


Progress = Callable[[int, int], object]
"""Callback progress(done, total)."""

POINTS = "AutoPoints(), RandomPoints(), SideBySide() or Copies()"

MANY_PARAMETERS = 2**13
"""Minimum number of parameters for which the elimination is most of the work."""


@dataclass(frozen=True)
class Options:
    """The options of `algatt.dimension`, where they are described; they are checked here, before any work.

    Parameters
    ----------
    seed : int
        Names the first point.
    field : Field or None
        The first field.
    error : float
        The probability of an error that ends the search for a proof.
    gap : float
        The ratio of singular values that decides in floating point.
    progress : callable or None
        Callback progress(done, total).
    checkpoint : path or None
        The file of the elimination.
    points : Points or None
        Where the Jacobian is looked at.
    engine : Engine or None
        Where eliminations modulo a prime are done.
    """

    seed: int = 0
    field: Field | None = None
    error: float = 1e-9
    gap: float = 1e3
    progress: Progress | None = None
    checkpoint: str | os.PathLike[str] | None = None
    points: Points | None = None
    engine: Engine | None = None

    def __post_init__(self) -> None:
        checked: dict[str, Any] = {
            "seed": check_seed(self.seed),
            "error": proper_fraction("error", self.error, "a probability between 0 and 1"),
            "engine": checked_engine(self.engine),
            "points": AutoPoints() if self.points is None else instance("points", self.points, Points, POINTS),
        }
        check_above_one("gap", self.gap)
        if not isinstance(checked["engine"], Auto):
            engine_of_rows(checked["engine"], PrimeField(), 1)
        if self.progress is not None and not callable(self.progress):
            raise InvalidArgument("progress", repr(self.progress), "a callable progress(done, total)")
        for name, value in checked.items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True, eq=False)
class Question:
    """A network, the options, and what an answer needs of the network, each computed once, when it is first needed.

    Parameters
    ----------
    arch : Architecture
        The network.
    options : Options
        The options.
    began : float
        When the question was asked, in seconds of `time.perf_counter`.
    """

    arch: Architecture
    options: Options = dataclasses.field(default_factory=Options)
    began: float = dataclasses.field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        as_architecture(self.arch)

    def about(self, arch: Architecture) -> Question:
        """Return the same question about another network, such as a piece of this one."""
        return Question(arch, self.options, self.began)

    def with_options(self, **options: Any) -> Question:
        """Return the question about this network with some options changed."""
        return Question(self.arch, dataclasses.replace(self.options, **options), self.began)

    @cached_property
    def points(self) -> Points:
        """Where the Jacobian is looked at: of small networks at random points, unless others are asked for."""
        chosen = self.options.points or AutoPoints()
        return RandomPoints() if isinstance(chosen, AutoPoints) and not self.is_long else chosen

    @property
    def is_long(self) -> bool:
        """Whether the elimination is most of the work."""
        return self.parameters >= MANY_PARAMETERS

    @cached_property
    def program(self) -> Program:
        """The program of the network."""
        program: Program = program_of(self.arch)
        return program

    @cached_property
    def reading(self) -> ChoosingProgram:
        """The program with the places where a finite field has to choose, no exponents being tied."""
        from algatt.maps.elementary.reading import read

        return read(self.program)

    @cached_property
    def operations(self) -> frozenset[str]:
        """The operations of the program."""
        return frozenset(one.operation for one in self.program.instructions)

    @property
    def has_gates(self) -> bool:
        """Whether a part of the network is locally constant, so that derivatives vanish where gates are closed."""
        return not self.operations.isdisjoint(GATES)

    @property
    def has_regions(self) -> bool:
        """Whether the network may be another function of its weights on different open sets: it has gates, choices of
        the largest, or roots, which may be those of squares.
        """
        return not self.operations.isdisjoint({*GATES, "sqrt"})

    @cached_property
    def has_constant_functions(self) -> bool:
        """Whether the network reads tokens, so that all inputs are constants, and has functions that are no gates."""
        functions = (function_of(one) for one in self.program.instructions)
        return self.arch.vocabulary is not None and any(not isinstance(one, Positive | None) for one in functions)

    @cached_property
    def parameters(self) -> int:
        """The number of parameters."""
        return self.arch.parameters

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries of the network, and what is one to first order at almost all weights."""
        return symmetries_to_first_order(self.arch)

    @cached_property
    def likely_symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries that an upper bound is made of first: all, but where no weights are added, and nothing is
        centred, gated or chosen, those of the families that nearly all networks have, as others are seldom there.
        """
        numbers_alone = type(self.arch) is Network and self.arch.vocabulary is None and self.arch.source is None
        if numbers_alone and self.operations.isdisjoint({*GATES, "centre"}) and not adds_weights(self.program):
            return frequent_symmetries(self.arch)
        return self.symmetries

    @cached_property
    def witness(self) -> Witness | None:
        """The upper bound by what the function sees of the weights, which is no proof; asked for where the proven
        bounds do not meet.
        """
        from algatt.geometry.dimensions.witness import witness_of

        return witness_of(self.arch, self.symmetries, self.options.seed, self.options.progress)

    @cached_property
    def limits(self) -> tuple[str, ...]:
        """The operations at which directions end that no symmetry explains; asked for where the bounds do not meet."""
        from algatt.geometry.dimensions.limits import limits_of

        return limits_of(self.arch, self.symmetries, self.options.seed)

    @cached_property
    def formulas(self) -> tuple[Any, ...]:
        """The closed formulas for the dimension, theorems first."""
        formulas: tuple[Any, ...] = verbs.formulas(self.arch)
        return formulas

    @cached_property
    def assumed_sizes(self) -> tuple[int, int]:
        """The rank and the number of columns that memory is planned for: all likely families are taken to be
        independent, which they need not be, so neither number is a bound.
        """
        left = max(self.parameters - sum(family.dimension for family in self.likely_symmetries), 0)
        rank = next((formula.value for formula in self.formulas), left)
        return rank, max(left, rank)

    @cached_property
    def degree(self) -> Degree | None:
        """The degrees of the Jacobian for the Schwartz-Zippel lemma, or None."""
        return known_degree(self.arch)


def adds_weights(program: Program) -> bool:
    """Return whether a tensor, or what is made of tensors alone, is added to something."""
    varies, constant = list[bool](), list[bool]()
    for one in program.instructions:
        given = one.operands
        varies.append(one.operation == "input" or any(varies[operand] for operand in given))
        constant.append(one.operation not in ("input", "tensor") and all(constant[operand] for operand in given))
        if one.operation == "add" and not all(varies[operand] or constant[operand] for operand in given):
            return True
    return False


def known_degree(arch: Architecture) -> Degree | None:
    """Return the degrees of the Jacobian for the Schwartz-Zippel lemma, or None if there are none, or if they are not
    all that is random.
    """
    try:
        degree: Degree = degree_of(arch)
    except InvalidArgument:
        return None
    return None if turns_by_circles(arch) else degree


def check_modular_options(question: Question, field: Field) -> None:
    """Raise `InvalidArgument` if an engine or a checkpoint is given for what is no elimination modulo a prime."""
    should = "given for a computation modulo a prime"
    if question.options.checkpoint is not None:
        raise InvalidArgument("checkpoint", f"given with {field}", should)
    if not isinstance(question.options.engine, Auto):
        raise InvalidArgument("engine", f"{question.options.engine} with {field}", should)
