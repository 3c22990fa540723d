"""Proven bounds on the dimension at one point over GF(p).

The rank of the Jacobian modulo p at any point is at most the generic rank over Q: a minor that does not vanish modulo p
does not vanish. The rank of the symmetries' tangents modulo p at any point is at most the generic dimension of the
orbits, and the Jacobian vanishes along them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count as count_from
from typing import cast

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs, draw_tokens
from algatt.errors import DivisionByZero, NoValue, SymmetryError
from algatt.fields import Balls, Elements, Field, FloatBalls, PrimeField, Rationals, Reals
from algatt.geometry.dimensions.checkpoint import EliminationFile, Saved
from algatt.geometry.dimensions.evidence import FamilyRank, LowerBound, Minor, UpperBound
from algatt.geometry.dimensions.question import Question
from algatt.linalg import RowSpace
from algatt.linalg.arithmetic import LARGE, Arithmetic, bytes_of_entry
from algatt.linalg.elimination import Begun
from algatt.linalg.engines import Engine, room_of
from algatt.maps.gradient import gradients
from algatt.parameters import Weights
from algatt.symmetry.base import Symmetry, combine_tangents, tangents_in_turn

MOST_POLES = 1000
"""So many random inputs in a row at which a denominator vanishes are no accident."""

FRESH = 16
"""So many inputs with all of their rows have to add nothing, where gates may close at most inputs."""

BLOCK = 2**22
"""About this many entries of rows are computed before they are written into the matrix that is eliminated."""

PARTS = 8
"""Where more than one row is taken of an input, at most one in so many of those that it has."""

PARAMETERS = 256
"""For each of so many parameters one more row may be taken of an input."""

LEAST_BATCH = 2**25
"""A matrix of so many entries is eliminated at once, however little memory there is."""

WITNESSES = 8
"""So many random combinations of all entries of the value are looked at to find a false symmetry, each at an input of
its own.
"""

TANGENTS = 256
"""So many tangents are computed at a time."""


@dataclass(frozen=True)
class Attempt:
    """The two bounds at one point.

    Parameters
    ----------
    field : PrimeField or Balls or FloatBalls or Reals
        Where the point lies.
    seed : int
        The seed that names weights and inputs.
    lower : LowerBound
        From the Jacobian.
    upper : UpperBound
        From the symmetries, or by the ambient space.
    """

    field: PrimeField | Balls | FloatBalls | Reals
    seed: int
    lower: LowerBound
    upper: UpperBound

    @property
    def prime(self) -> PrimeField:
        """Where the symmetries are looked at: the default prime field for a point over balls."""
        return self.field if isinstance(self.field, PrimeField) else PrimeField()

    @property
    def proven(self) -> bool:
        """Whether the bounds meet."""
        return self.lower.value == self.upper.value


def random_cotangents(arch: Architecture, field: Field, seed: int) -> Elements:
    """Return random coefficients of all entries of the value, a matrix of them for each witness."""
    shape = (WITNESSES, *arch.output_shape)
    return Elements(field, verbs.draw_array(field, shape=shape, seed=seed, label="cotangents"))


def false_symmetry(name: str) -> SymmetryError:
    """Return the error that names a family along whose tangents the function changes."""
    return SymmetryError(
        f"the {name} symmetry changes the function to first order, so it is no symmetry; see the methods of members"
    )


def check_along_symmetries(families: Iterable[Symmetry], rows: Elements, theta: Weights, seed: int) -> None:
    """Raise `SymmetryError` unless rows of the Jacobian vanish along a random direction of each family."""
    for family in families:
        if (rows @ combine_tangents(family, theta, seed, TANGENTS)).raw.any():
            raise false_symmetry(family.name)


def upper_bound(
    question: Question, field: PrimeField, theta: Weights, families: tuple[Symmetry, ...] | None = None
) -> UpperBound:
    """Bound the dimension from above by the symmetries at a point over GF(p), and by what only chooses; or by some."""
    parameters = question.parameters
    space = RowSpace(field, parameters, engine=question.options.engine)
    found = []
    for family in question.symmetries if families is None else families:
        count, rows = tangents_in_turn(family, theta, max(1, BLOCK // parameters))
        gained = space.add_blocks(rows, count, np.arange(parameters))
        found.append(FamilyRank(family.name, gained, family.basis))
    minor = Minor(space.pivot_rows, space.pivot_columns, space.determinant)
    return UpperBound(parameters - space.rank, tuple(found), minor)


def upper_bound_by_symbols(arch: Architecture) -> UpperBound:
    """Return the number of parameters less what the symmetries remove at least."""
    found = verbs.symbolic_symmetries(arch)
    parts = ((found.spaces, "equivariant"), (found.quotients, "quotient"))
    families = tuple(FamilyRank(one.name, one.total, basis) for some, basis in parts for one in some)
    removed = arch.parameters - found.upper
    if sum(family.removes for family in families) != removed:  # some move along each other
        families = (FamilyRank("all symmetries", removed, "equivariant"),)
    return UpperBound(found.upper, families, Minor((), (), 1))


def inputs_with_values(arch: Architecture, theta: Weights, seed: int, start: int = 0) -> Iterator[tuple[int, Elements]]:
    """Iterate over the inputs from `start` on at which no denominator vanishes: their numbers, and each as a batch of
    one.
    """
    poles = 0
    for number in count_from(start):
        X = Elements(theta.field, draw_inputs(arch, theta.field, seed, number, 1))
        try:
            verbs.evaluate(arch, theta, X)
        except NoValue:
            poles += 1
            if poles == MOST_POLES:
                raise DivisionByZero(
                    f"a denominator vanishes at each of {poles} random inputs over {theta.field}; take a larger field"
                ) from None
            continue
        poles = 0
        yield number, X


@verbs.gradients_where_defined.method
def gradients_over_prime_field(
    field: PrimeField, arch: Architecture, theta: Weights, seed: int, numbers: np.ndarray, outputs: np.ndarray
) -> tuple[np.ndarray, Elements]:
    start = int(numbers[0])
    if np.array_equal(numbers, np.arange(start, start + len(numbers))):
        inputs = draw_inputs(arch, field, seed, start, len(numbers))
    else:
        inputs = np.concatenate([draw_inputs(arch, field, seed, int(number), 1) for number in numbers])
    try:
        rows = gradients(arch, theta, Elements(field, inputs), outputs=outputs)
    except NoValue:
        if len(numbers) == 1:
            return numbers[:0], Elements(field, np.zeros((0, arch.parameters), dtype=inputs.dtype))
        half = len(numbers) // 2
        parts = [
            verbs.gradients_where_defined(field, arch, theta, seed, numbers[part], outputs[part])
            for part in (slice(half), slice(half, None))
        ]
        return np.concatenate([part for part, _ in parts]), Elements(
            field, np.concatenate([rows.raw for _, rows in parts])
        )
    return numbers * arch.outputs + outputs, rows


def turns(arch: Architecture, numbers: np.ndarray) -> np.ndarray:
    """Return the entry of the value that is looked at for each number of an input: first all rows of the first token,
    then those of the next.
    """
    rows, tokens = arch.output_shape
    return numbers % rows * tokens + numbers // rows % tokens


def rows_of_an_input(question: Question) -> int:
    """Return how many rows of the Jacobian are taken of an input: one, or a few where inputs of a large network need
    roots, which take longer to draw than rows to compute.
    """
    arch = question.arch
    if "sqrt" not in question.operations or arch.vocabulary is not None or question.has_gates:
        return 1
    return max(1, min(arch.outputs // PARTS, question.parameters // PARAMETERS))


@verbs.jacobian_where_defined.method
def jacobian_over_exact_fields(
    field: PrimeField | Rationals, arch: Architecture, theta: Weights, seed: int, start: int
) -> tuple[int, Elements]:
    number, X = next(inputs_with_values(arch, theta, seed, start))
    return number, verbs.jacobian(arch, theta, X)


def rows_at_a_time(field: PrimeField, rows: int, columns: int, engine: Engine) -> int:
    """Return how many of some rows are eliminated at once: all of a small matrix, else as many as half of the free
    memory holds, or all of them if the system does not say how much there is.

    In batches less is held in the end, since an echelon form has only the columns that had no pivot before.
    """
    room = None if rows * columns <= LEAST_BATCH else room_of(engine)
    if room is None:
        return max(1, rows)
    entries = max(LEAST_BATCH, room // 2 // bytes_of_entry(field, LARGE))
    return min(max(1, entries // max(1, columns)), rows)


def lower_bound(
    question: Question,
    field: PrimeField,
    theta: Weights,
    seed: int,
    upper: UpperBound,
    checkpoint: EliminationFile | None = None,
    patterns: int = 0,
) -> LowerBound:
    """Bound the dimension from below by the Jacobian at a point over GF(p) and inputs drawn from the seed.

    The rows of one input depend on each other, those of different inputs as little as they can: so every input gives
    one row, or a few, and the rows of the value take turns. When they add nothing any more, all rows of one fresh input
    are tried: if they add nothing either, the rank is that of all inputs together.

    The Jacobian vanishes along the tangents of the symmetries. So the columns in which these have their minor are
    combinations of the others, and the rank is that of the others alone.

    Tokens are no variables: one fresh input of them may add nothing although others do. So all of them are tried in the
    end, or, where these are too many, more at a time. Inputs take turns with their patterns of gates, too: of each of
    so many patterns one fresh input has to add nothing, one after the other.
    """
    arch, progress = question.arch, question.options.progress
    columns = np.setdiff1d(np.arange(arch.parameters), cast(Minor, upper.minor).columns)
    space = RowSpace(PrimeField(field.p), len(columns), engine=question.options.engine)
    outputs_of_one, each = arch.outputs, rows_of_an_input(question)
    several = max(upper.value, 4 * (arch.vocabulary or 0))  # as many inputs as there are at least
    largest = rows_at_a_time(field, several, len(columns), space.engine)
    origins: list[int] = []  # for each row that was added, its number in the Jacobian of all inputs
    inputs = 0
    first = min(several, largest)
    idle, patience = 0, max(FRESH, patterns) if not arch.algebraic and question.has_gates else 1
    saturated = complete = False

    def add(numbers: np.ndarray, outputs: np.ndarray) -> int:
        """Add one row for each number of an input, which are computed in blocks."""
        step = max(1, BLOCK // arch.parameters)

        def block(some: slice) -> np.ndarray:
            of_jacobian, rows = verbs.gradients_where_defined(field, arch, theta, seed, numbers[some], outputs[some])
            origins.extend(of_jacobian.tolist())
            return cast(np.ndarray, rows.raw)

        blocks = (block(slice(start, start + step)) for start in range(0, len(numbers), step))
        return space.add_blocks(blocks, len(numbers), columns, follow)

    def follow(calculus: Arithmetic, begun: Begun, work: np.ndarray) -> None:
        """Tell of the progress, and save what was done."""
        if progress is not None and begun.rank:
            progress(space.rank + begun.rank, upper.value)
        if checkpoint is None or space.rows or field.dtype is object:
            return
        if checkpoint.is_due(begun, len(work)):
            checkpoint.save(field, seed, Saved(-(-first // each), origins, begun, calculus.fetch(work)))

    def again(rows: list[int]) -> np.ndarray:
        """Compute rows of the Jacobian once more."""
        numbers, outputs = np.divmod(np.array(rows), outputs_of_one)
        found = verbs.gradients_where_defined(field, arch, theta, seed, numbers, outputs)[1]
        return np.ascontiguousarray(found.raw[:, columns])

    saved = None if checkpoint is None else checkpoint.load(field, seed, columns, again)
    if saved is not None:
        origins += saved.origins
        space.resume(saved.work, saved.begun, follow)
        inputs = saved.inputs
        del saved

    while space.rank < upper.value and not saturated:
        gained = 0
        if not idle:  # else ever the same patterns of gates would have all of their rows looked at
            count = min(max(upper.value - space.rank, 4 * (arch.vocabulary or 0)), largest)
            taken = inputs * each + np.arange(count)
            gained = add(taken // each, turns(arch, taken))
            inputs += -(-count // each)
        sequences = None if gained else all_inputs(arch, seed)
        if sequences is not None:
            numbers, outputs = (
                part.ravel() for part in np.meshgrid(sequences, np.arange(outputs_of_one), indexing="ij")
            )
            for start in range(0, len(numbers), largest):
                add(numbers[start : start + largest], outputs[start : start + largest])
            inputs = max(inputs, int(sequences[-1]) + 1)
            saturated = complete = True
        elif not gained:
            number, rows = verbs.jacobian_where_defined(field, arch, theta, seed, inputs)
            idle = 0 if space.add_blocks((rows.raw,), len(rows.raw), columns) else idle + 1
            saturated = idle >= patience
            origins += range(number * outputs_of_one, (number + 1) * outputs_of_one)
            inputs = number + 1
        if progress is not None:
            progress(space.rank, upper.value)
    minor = Minor(
        rows=tuple(origins[row] for row in space.pivot_rows),
        columns=tuple(int(columns[column]) for column in space.pivot_columns),
        determinant=space.determinant,
    )
    return LowerBound(space.rank, inputs, minor, complete=complete)


MOST_SEQUENCES = 1024
"""Networks that read at most so many different sequences of tokens are looked at for all of them."""


def all_inputs(arch: Architecture, seed: int) -> np.ndarray | None:
    """Return the number of an input of the seed for each sequence of tokens.

    None if these are too many, or if the network reads vectors, perhaps beside tokens.
    """
    count = arch.sequences
    if count is None or count > MOST_SEQUENCES:
        return None
    first: dict[tuple[int, ...], int] = {}
    start = 0
    while len(first) < count:
        for number, tokens in enumerate(draw_tokens(arch, seed, start, count).tolist(), start=start):
            first.setdefault(tuple(tokens), number)
        start += count
    return np.array(sorted(first.values()))


def attempt_of(
    question: Question, field: PrimeField | Balls | FloatBalls, seed: int, lower: LowerBound, upper: UpperBound
) -> Attempt:
    """Return the bounds at one point; where they do not meet, the upper one may be that by the ambient space."""
    if lower.value == upper.value:
        return Attempt(field, seed, lower, upper)
    from algatt.geometry.dimensions.ambient import within_ambient_space

    return Attempt(field, seed, lower, within_ambient_space(question.arch, upper))
