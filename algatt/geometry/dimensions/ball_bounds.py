"""Proven bounds on the dimension at one real point, where scores have no finite-field version: from below by balls,
from above by the symmetries.

The rank of the Jacobian of a real-analytic map at any point is at most the generic rank, and a minor whose enclosure
excludes zero does not vanish. The tangents of the symmetries are polynomials with integer coefficients in the weights,
so that their generic rank is bounded modulo p as before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import DivisionByZero, DomainError, MethodError, NoValue
from algatt.fields import Balls
from algatt.fields.ball import midpoints
from algatt.geometry.dimensions.bounds import MOST_POLES, turns
from algatt.geometry.dimensions.evidence import EnclosedMinor, LowerBound, UpperBound
from algatt.geometry.dimensions.question import Progress, Question
from algatt.geometry.dimensions.real_point import (
    ball_weights,
    numbered_inputs,
    real_weights,
    rounded,
    widened,
    with_enough_bits,
    with_more_bits,
)
from algatt.geometry.dimensions.regions import inputs_of
from algatt.linalg.rank import enclosed_determinant, pivots_from_below, rounding_level, written
from algatt.maps.gradient import gradients

__all__ = ["ball_lower_bound"]

SPARE = 16
"""So many more inputs than rows are drawn, from which the rows are chosen."""

MOST_SPARE = 64
"""Where most rows add nothing, as behind gates or at repeated tokens, up to so many times as many are drawn."""


def scaled(field: Balls, raw: np.ndarray) -> np.ndarray:
    """Divide every row of balls by a number about as large as its largest entry, so that floats have them; rows of
    zeros stay.
    """
    return field.compute(scale_rows, raw.copy())


def scale_rows(rows: np.ndarray) -> np.ndarray:
    """Do what `scaled` does, in place, with the precision that is set."""
    for row in rows:
        largest = max(abs(entry).mid() for entry in row)
        if largest > 0:
            row /= largest
    return rows


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
    gap : float
        The ratio of the float singular values around that order, of all rows from which these were chosen and all
        columns.
    """

    inputs: np.ndarray
    outputs: np.ndarray
    columns: np.ndarray
    gap: float


def ball_lower_bound(question: Question, field: Balls, seed: int, upper: UpperBound) -> LowerBound:
    """Bound the dimension from below at a real point that the seed names.

    A minor as large as the upper bound is tried with twice as many bits each time. If no precision decides it, the
    bound is what an elimination with the highest precision proves. The digits of the determinant that certificates have
    must be known. `progress` is told after every row at the present precision.
    """
    choice = chosen(question, field, seed, upper.value)
    progress = question.options.progress
    while True:
        field, matrix = with_enough_bits(field, lambda field: rows_by_balls(question, field, seed, choice, progress))
        determinant = written(field, enclosed_determinant(field, matrix))
        longer = with_more_bits(field)
        if determinant is not None or longer is None:
            break
        field = longer
    rows = columns = list(range(upper.value))
    if determinant is None:
        rows, columns, determinant = largest_minor(field, matrix)
    numbers = choice.inputs * question.arch.outputs + choice.outputs
    minor = EnclosedMinor(
        rows=tuple(int(numbers[row]) for row in rows),
        columns=tuple(int(choice.columns[column]) for column in columns),
        determinant=determinant,
        bits=field.bits,
    )
    return LowerBound(len(minor.rows), int(choice.inputs.max(initial=-1)) + 1, minor, choice.gap)


def largest_minor(field: Balls, matrix: np.ndarray) -> tuple[list[int], list[int], str]:
    """Return the rows and columns of a minor that does not vanish, and its determinant in decimals.

    It is that of an elimination, less the last pivots if the digits of the determinant are not known: its own
    elimination takes other pivots.
    """
    pivots = pivots_from_below(field, matrix)
    while True:
        rows, columns = (sorted(pivot[axis] for pivot in pivots) for axis in range(2))
        determinant = written(field, enclosed_determinant(field, matrix[np.ix_(rows, columns)]))
        if determinant is not None:
            return rows, columns, determinant
        pivots.pop()


def chosen(question: Question, field: Balls, seed: int, order: int) -> Choice:
    """Choose rows and columns in floating point, by QR with pivoting, which keeps the minor as far from zero as it can.

    The columns that the tangents of the symmetries give are combinations of the others, and dropped. For the rest all
    generic rows do. Where scores are too large for floats, the rows are computed over balls first, and scaled. If rows
    are missing and may be rare, twice as many are drawn for as long as they add some, and until they are as many as
    the rank of a region is estimated from.
    """
    import scipy.linalg

    arch = question.arch
    theta = real_weights(arch, seed)
    no_tangent = np.zeros((1, arch.parameters))  # one at least, since LAPACK takes no matrix without rows
    tangents = np.concatenate([no_tangent, *(family.tangent_elements(theta).raw for family in question.symmetries)])
    _, _, pivots = scipy.linalg.qr(tangents, mode="economic", pivoting=True)
    columns = np.sort(pivots[arch.parameters - order :])
    inputs = numbers_with_values(arch, seed, order + SPARE)
    outputs = turns(arch, inputs)
    rows = rows_by_floats(arch, seed, inputs, outputs)
    if rows is None:
        everything = Choice(inputs, outputs, np.arange(arch.parameters), np.nan)
        field, balls = with_enough_bits(field, lambda field: rows_by_balls(question, field, seed, everything, None))
        rows = np.nan_to_num(midpoints(scaled(field, balls)), posinf=0.0, neginf=0.0)
    rows = of_length_one(rows)
    gap, rank = gap_and_rank(order, rows)
    before, rare = -1, rank < order and rows_may_be_rare(question)
    least = inputs_of(arch) if question.has_regions else 0
    while rare and rank < order and len(rows) < MOST_SPARE * (order + SPARE):
        if before == rank and len(rows) >= least:
            break
        more = numbers_with_values(arch, seed, 2 * len(rows))
        twice = rows_by_floats(arch, seed, more, turns(arch, more))
        if twice is None:
            break
        inputs, outputs, rows, before = more, turns(arch, more), of_length_one(twice), rank
        gap, rank = gap_and_rank(order, rows)
    if not order:  # LAPACK takes no matrix without columns, either
        return Choice(inputs[:0], outputs[:0], columns, gap)
    _, _, order_of_rows = scipy.linalg.qr(rows[:, columns].T, mode="economic", pivoting=True)
    kept = np.sort(order_of_rows[:order])
    return Choice(inputs[kept], outputs[kept], columns, gap)


def numbers_with_values(arch: Architecture, seed: int, count: int) -> np.ndarray:
    """Return the numbers of the first inputs at which the network has a value and derivatives at the real weights that
    the seed names: where all neurons are silent, a norm without epsilon divides by zero.

    Raises
    ------
    DivisionByZero
        If many inputs in a row have none.
    """
    theta = real_weights(arch, seed)

    def defined(numbers: np.ndarray) -> np.ndarray:
        X = rounded(numbered_inputs(arch, Balls(53), seed, numbers))
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                gradients(arch, theta, X, outputs=np.zeros(len(numbers), dtype=int))
        except (DivisionByZero, DomainError):
            half = len(numbers) // 2
            return np.concatenate([defined(numbers[:half]), defined(numbers[half:])]) if half else numbers[:0]
        except (NoValue, MethodError):  # balls know of scores that are too large for floats, and of more functions
            pass
        return numbers

    found, start = np.arange(0), 0
    while len(found) < count:
        numbers = np.arange(start, start + count - len(found))
        found = np.append(found, defined(numbers))
        start += len(numbers)
        if start - 1 - found.max(initial=-1) > MOST_POLES:
            raise NoValue(f"the network has no value at any of {MOST_POLES} random inputs in a row")
    return found


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
            rows = gradients(
                arch, real_weights(arch, seed), rounded(numbered_inputs(arch, Balls(53), seed, inputs)), outputs=outputs
            ).raw
        except NoValue:
            return None
        return rows if np.isfinite(np.linalg.norm(rows)) else None


def gap_and_rank(order: int, rows: np.ndarray) -> tuple[float, int]:
    """Return the ratio of two neighbouring singular values, and how many are above the rounding level.

    The smaller one counts as the rounding level if it is below that.
    """
    singular_values = np.linalg.svd(rows, compute_uv=False)
    if not 0 < order <= len(singular_values) or not singular_values[0]:
        return np.inf, 0
    level = rounding_level(singular_values, rows.shape)
    below = max(float(singular_values[order]) if order < len(singular_values) else 0.0, level)
    return float(max(singular_values[order - 1], level)) / below, int((singular_values > level).sum())


ROWS = 32
"""So many rows are computed between two steps of the progress bar."""


def rows_by_balls(question: Question, field: Balls, seed: int, choice: Choice, progress: Progress | None) -> np.ndarray:
    """Return the chosen minor of the Jacobian, enclosed."""
    arch = question.arch
    theta, gated = ball_weights(arch, field, seed), question.has_gates
    around = theta.replace([widened(field, element) for element in theta.elements])
    blocks = []
    for start in range(0, len(choice.inputs), ROWS):
        block = slice(start, start + ROWS)
        inputs = numbered_inputs(arch, field, seed, choice.inputs[block])
        if gated:  # gates that are at zero have to be so around this point
            verbs.evaluate(arch, around, inputs if arch.vocabulary is not None else widened(field, inputs))
        rows = gradients(arch, theta, inputs, outputs=choice.outputs[block])
        blocks.append(rows.raw[:, choice.columns])
        if progress is not None:
            progress(min(start + ROWS, len(choice.inputs)), len(choice.inputs))
    return np.concatenate([np.zeros((0, len(choice.columns)), dtype=object), *blocks])
