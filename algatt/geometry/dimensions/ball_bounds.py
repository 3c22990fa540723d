"""Proven bounds on the dimension at one real point, where scores have no finite-field version: from below by balls,
from above by the symmetries.

The rank of the Jacobian of a real-analytic map at any point is at most the generic rank, and a minor whose enclosure
excludes zero does not vanish. The tangents of the symmetries are polynomials with integer coefficients in the weights,
so that their generic rank is bounded modulo p as before.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import DivisionByZero, DomainError, MethodError, NoValue
from algatt.fields import Balls, FloatBalls
from algatt.fields.ball import midpoints
from algatt.geometry.dimensions.bounds import MOST_POLES, all_inputs, turns
from algatt.geometry.dimensions.evidence import EnclosedMinor, LowerBound, UpperBound
from algatt.geometry.dimensions.question import Progress, Question
from algatt.geometry.dimensions.real_point import (
    RealBalls,
    ball_weights,
    numbered_inputs,
    numbered_real_inputs,
    real_weights,
    widened,
    with_enough_bits,
    with_more_bits,
)
from algatt.geometry.dimensions.regions import inputs_of, most_inputs
from algatt.linalg.rank import pivots_from_below
from algatt.maps.gradient import gradients

SPARE = 16
"""So many more inputs than rows are drawn, from which the rows are chosen; of tokens a quarter more."""

MOST_SPARE = 64
"""Where most rows add nothing, as behind gates or at repeated tokens, up to so many times as many are drawn."""


LARGE = 1e-7
"""A matrix with larger pivots, beside the largest one, is far from being singular."""


@dataclass(frozen=True)
class Choice:
    """Rows and columns of the Jacobian that are likely to make a minor.

    Parameters
    ----------
    inputs : ndarray
        The number of the input of each row.
    outputs : ndarray
        The entry of the value that is differentiated in each row.
    columns : ndarray
        Numbers of parameters.
    """

    inputs: np.ndarray
    outputs: np.ndarray
    columns: np.ndarray


def ball_lower_bound(question: Question, field: Balls, seed: int, upper: UpperBound) -> LowerBound:
    """Bound the dimension from below at a real point that the seed names.

    A minor as large as the upper bound is tried with twice as many bits each time. If no precision decides it, the
    bound is what an elimination with the highest precision proves. `progress` is told after every row at the present
    precision.
    """
    choice, _ = chosen(question, seed, upper.value)
    progress = question.options.progress
    while True:
        field, matrix = with_enough_bits(field, lambda field: rows_by_balls(question, field, seed, choice, progress))
        square = len(matrix) == matrix.shape[1]  # there may be fewer rows, of all inputs together
        regular = square and verbs.is_regular(field, matrix)
        longer = with_more_bits(field)
        if regular or not square or longer is None:
            break
        field = longer
    pivots = [(k, k) for k in range(upper.value)] if regular else pivots_from_below(field, matrix)
    rows, columns = (sorted(pivot[axis] for pivot in pivots) for axis in range(2))
    return bound_by_minor(question, field, choice, rows, columns)


def bound_by_minor(
    question: Question, field: RealBalls, choice: Choice, rows: Sequence[int], columns: Sequence[int]
) -> LowerBound:
    """Return what some of the rows and columns that were chosen prove."""
    numbers = choice.inputs * question.arch.outputs + choice.outputs
    minor = EnclosedMinor(
        rows=tuple(int(numbers[row]) for row in rows),
        columns=tuple(int(choice.columns[column]) for column in columns),
        bits=field.bits,
    )
    return LowerBound(len(minor.rows), int(choice.inputs.max(initial=-1)) + 1, minor)


def bound_in_floats(question: Question, seed: int, upper: UpperBound) -> tuple[RealBalls, LowerBound]:
    """Return a bound from below by a minor as large as the rank that floats see, with the balls that prove it: those of
    floats, or of Arb where floats round too much.

    Raises
    ------
    NoValue
        If neither proves it.
    """
    choice, rank = chosen(question, seed, upper.value)
    if rank < upper.value:
        choice = part_of_rank(question, seed, choice, rank)
    everything = range(rank)
    for field in (FloatBalls(), Balls()):
        with contextlib.suppress(NoValue):
            matrix = rows_by_balls(question, field, seed, choice, question.options.progress)
            if verbs.is_regular(field, matrix):
                return field, bound_by_minor(question, field, choice, everything, everything)
    raise NoValue(f"balls prove no minor of the Jacobian of {question.arch} at the weights of seed {seed}")


def part_of_rank(question: Question, seed: int, choice: Choice, rank: int) -> Choice:
    """Return rows and columns of a minor of a rank that floats see, out of those that were chosen."""
    import scipy.linalg

    rows = of_length_one(rows_of_floats(question, seed, choice.inputs, choice.outputs)[:, choice.columns])
    _, order = scipy.linalg.qr(rows.T, mode="r", pivoting=True, check_finite=False)
    kept = np.sort(order[:rank])
    _, order = scipy.linalg.qr(rows[kept], mode="r", pivoting=True, check_finite=False)
    return Choice(choice.inputs[kept], choice.outputs[kept], choice.columns[np.sort(order[:rank])])


def chosen(question: Question, seed: int, order: int) -> tuple[Choice, int]:
    """Choose rows and columns in floating point, by eliminations with pivoting, which keep the minor far from zero;
    return them with their rank as floats have it.

    The columns that the tangents of the symmetries give are combinations of the others, and dropped. For the rest all
    generic rows do. Where scores are too large for floats, the rows are computed over balls first. If rows are missing
    and may be rare, twice as many are drawn for as long as they add some, and until they are as many as the rank of a
    region is estimated from; and where few sequences of tokens can be read, all rows of all of them are looked at.
    """
    import scipy.linalg

    arch = question.arch
    theta = real_weights(arch, seed)
    no_tangent = np.zeros((1, arch.parameters))  # one at least, since LAPACK takes no matrix without rows
    tangents = np.concatenate([no_tangent, *(family.tangent_elements(theta).raw for family in question.symmetries)])
    _, _, pivots = scipy.linalg.qr(tangents, mode="economic", pivoting=True)
    columns = np.sort(pivots[arch.parameters - order :])
    count = order + SPARE + (0 if arch.vocabulary is None else order // 4)
    before: np.ndarray | int | None = None  # half of the rows, or their rank
    rare = rows_may_be_rare(question)
    least = inputs_of(arch) if question.has_regions else 0
    inputs, outputs, rows = no_rows(order)
    while True:
        inputs, outputs, rows = more_rows(question, seed, columns, (inputs, outputs, rows), count)
        kept = rows_with_large_pivots(rows)
        if kept is not None:
            return Choice(inputs[kept], outputs[kept], columns), order
        if rare and before is None:  # twice as many rows take less than an orthogonal decomposition
            before, count = rows, 2 * count
            continue
        kept, rank = independent_rows(rows)
        if rank == order or not rare or count >= MOST_SPARE * (order + SPARE):
            break
        before = independent_rows(before)[1] if isinstance(before, np.ndarray) else before
        if before == rank and count >= least:
            break
        count, before = 2 * count, rank
    sequences = all_inputs(arch, seed) if rank < order else None
    if sequences is not None and len(sequences) <= most_inputs(arch):
        sequences = with_values(arch, seed, sequences)
        inputs, outputs = np.repeat(sequences, arch.outputs), np.tile(np.arange(arch.outputs), len(sequences))
        kept, rank = independent_rows(rows_of_floats(question, seed, inputs, outputs)[:, columns])
    return Choice(inputs[kept], outputs[kept], columns), rank


Rows = tuple[np.ndarray, np.ndarray, np.ndarray]
"""For each row of a Jacobian the number of its input and of the entry of the value, and the rows."""


def no_rows(columns: int) -> Rows:
    """Return no rows of so many columns."""
    return np.arange(0), np.arange(0), np.zeros((0, columns))


def more_rows(question: Question, seed: int, columns: np.ndarray, known: Rows, count: int) -> Rows:
    """Return a row of the Jacobian as floats, in some of its columns, for each of the first inputs at which the network
    has values, given those of the first of them.
    """
    arch = question.arch
    start = len(known[0])
    inputs = np.arange(start, count)
    everywhere = start == known[0].max(initial=-1) + 1
    rows = rows_by_floats(arch, seed, inputs, turns(arch, inputs)) if everywhere else None
    if rows is None:  # there may be no value at some
        inputs = numbers_with_values(arch, seed, count)[start:]
        rows = rows_of_floats(question, seed, inputs, turns(arch, inputs))
    more = inputs, turns(arch, inputs), rows[:, columns]
    first, second, third = (np.concatenate(pair) for pair in zip(known, more, strict=True))
    return first, second, third


def rows_with_large_pivots(rows: np.ndarray) -> np.ndarray | None:
    """Return as many rows as there are columns, those that an elimination takes for pivots, if all pivots are large."""
    count = rows.shape[1]
    if not count:  # LAPACK takes no matrix without columns
        return np.arange(0)
    pivots, order = pivots_of(of_length_one(of_length_one(rows).T).T)
    if len(pivots) < count or not pivots.min() > LARGE * pivots.max():
        return None
    return np.sort(order[:count])


def pivots_of(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the pivots of an elimination that exchanges rows, without their signs, and the rows in their new order."""
    import scipy.linalg

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", scipy.linalg.LinAlgWarning)  # of a pivot that is zero
        factors, exchanged = scipy.linalg.lu_factor(matrix, check_finite=False)
    order = np.arange(len(matrix))
    for row, other in enumerate(exchanged):
        order[[row, other]] = order[[other, row]]
    return np.abs(np.diagonal(factors)), order


def independent_rows(rows: np.ndarray) -> tuple[np.ndarray, int]:
    """Return as many rows as there are columns, and the rank in floating point, all columns being of one length.

    Pivots of a triangular decomposition are small before a matrix is singular, and may be large where it is: those of
    an orthogonal one decide, which takes longer.
    """
    import scipy.linalg

    triangle, order = scipy.linalg.qr(of_length_one(of_length_one(rows).T), mode="r", pivoting=True, check_finite=False)
    pivots = np.abs(np.diagonal(triangle))
    level = max(rows.shape) * np.finfo(np.float64).eps * pivots.max(initial=0.0)
    return np.sort(order[: rows.shape[1]]), int((pivots > level).sum())


def rows_of_floats(question: Question, seed: int, inputs: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """Return rows of the Jacobian as floats, computed over balls if numbers overflow."""
    rows = rows_by_floats(question.arch, seed, inputs, outputs)
    if rows is not None:
        return rows
    everything = Choice(inputs, outputs, np.arange(question.arch.parameters))
    field, balls = with_enough_bits(Balls(), lambda field: rows_by_balls(question, field, seed, everything, None))
    return np.nan_to_num(midpoints(scaled(field, balls)), posinf=0.0, neginf=0.0)


def scaled(field: Any, raw: np.ndarray) -> np.ndarray:
    """Divide every row of balls by a number about as large as its largest entry, so that floats have them; rows of
    zeros stay.
    """
    scaled_rows: np.ndarray = field.compute(scale_rows, raw.copy())
    return scaled_rows


def scale_rows(rows: np.ndarray) -> np.ndarray:
    """Do what `scaled` does, in place, with the precision that is set."""
    for row in rows:
        largest = max(abs(entry).mid() for entry in row)
        if largest > 0:
            row /= largest
    return rows


def numbers_with_values(arch: Architecture, seed: int, count: int) -> np.ndarray:
    """Return the numbers of the first inputs at which the network has a value and derivatives at the real weights that
    the seed names: where all neurons are silent, a norm without epsilon divides by zero.

    Raises
    ------
    DivisionByZero
        If many inputs in a row have none.
    """
    found, start = np.arange(0), 0
    while len(found) < count:
        numbers = np.arange(start, start + count - len(found))
        found = np.append(found, with_values(arch, seed, numbers))
        start += len(numbers)
        if start - 1 - found.max(initial=-1) > MOST_POLES:
            raise NoValue(f"the network has no value at any of {MOST_POLES} random inputs in a row")
    return found


def with_values(arch: Architecture, seed: int, numbers: np.ndarray) -> np.ndarray:
    """Return those of some numbers of inputs at which the network has a value and derivatives."""
    X = numbered_real_inputs(arch, seed, numbers)
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            gradients(arch, real_weights(arch, seed), X, outputs=np.zeros(len(numbers), dtype=int))
    except (DivisionByZero, DomainError):
        half = len(numbers) // 2
        parts = [with_values(arch, seed, part) for part in (numbers[:half], numbers[half:])] if half else [numbers[:0]]
        return np.concatenate(parts)
    except (NoValue, MethodError):  # balls know of scores that are too large for floats, and of more functions
        pass
    return numbers


def rows_may_be_rare(question: Question) -> bool:
    """Return whether derivatives that are not zero may vanish at most inputs: at closed gates, on one side of a root of
    a square, or where a token is not.

    Elsewhere values are analytic in the inputs, and what floats miss at random ones is smaller than rounding.
    """
    return question.arch.vocabulary is not None or question.has_regions


def of_length_one(rows: np.ndarray) -> np.ndarray:
    """Divide rows by their lengths; rows of zeros stay."""
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(np.float64).tiny)


def rows_by_floats(arch: Architecture, seed: int, inputs: np.ndarray, outputs: np.ndarray) -> np.ndarray | None:
    """Return rows of the Jacobian in floating point; None if numbers overflow, or denominators vanish."""
    with np.errstate(over="ignore", invalid="ignore"):
        try:
            X = numbered_real_inputs(arch, seed, inputs)
            rows = gradients(arch, real_weights(arch, seed), X, outputs=outputs).raw
        except NoValue:
            return None
        return rows if np.isfinite(np.linalg.norm(rows)) else None


ROWS = 128
"""So many rows are computed between two steps of the progress bar."""


def rows_by_balls(
    question: Question, field: RealBalls, seed: int, choice: Choice, progress: Progress | None
) -> np.ndarray:
    """Return the chosen minor of the Jacobian, enclosed."""
    arch = question.arch
    theta, gated = ball_weights(arch, field, seed), question.has_gates
    around = theta.replace([widened(field, element) for element in theta.elements])
    blocks = [verbs.encode(field, np.zeros((0, len(choice.columns)), dtype=np.int64))]
    for start in range(0, len(choice.inputs), ROWS):
        block = slice(start, start + ROWS)
        inputs = numbered_inputs(arch, field, seed, choice.inputs[block])
        if gated:  # gates that are at zero have to be so around this point
            verbs.evaluate(arch, around, inputs if arch.vocabulary is not None else widened(field, inputs))
        rows = gradients(arch, theta, inputs, outputs=choice.outputs[block])
        blocks.append(rows.raw[:, choice.columns])
        if progress is not None:
            progress(min(start + ROWS, len(choice.inputs)), len(choice.inputs))
    return np.concatenate(blocks)
