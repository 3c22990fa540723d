"""Elimination of numbers that are known within rounding."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.errors import NoValue
from algatt.fields.ball import entrywise, midpoints
from algatt.fields.virtual.rounded import Rounded, balls
from algatt.linalg.echelon import Echelon
from algatt.linalg.engines import Auto


@verbs.row_reduce.method
def row_reduce_rounded(engine: Auto, field: Rounded, raw: np.ndarray) -> Echelon:
    """A column in which all that is left may be zero has no pivot; errors are those of the row operations together, as
    balls would grow with each of them.
    """
    A, errors = midpoints(raw), midpoints(entrywise(lambda entry: entry.rad(), raw))
    T, pivots = np.eye(len(raw)), list[int]()
    for column in range(raw.shape[1]):
        done = len(pivots)
        left, before = np.abs(T[done:] @ A[:, column]), np.abs(T[:done] @ A[:, column])
        doubt = np.abs(T[done:]) @ (errors[:, column] + errors[:, pivots] @ before)
        certain = np.where(left > doubt, left, 0.0)
        if not certain.any():
            continue
        place = done + int(certain.argmax())
        T[[done, place]] = T[[place, done]]
        T[done] /= T[done] @ A[:, column]
        factors = T @ A[:, column]
        factors[done] = 0.0
        T -= np.outer(factors, T[done])
        pivots.append(column)
    T = T[: len(pivots)]
    form, spread = T @ A, np.abs(T) @ errors
    spread += spread[:, pivots] @ np.abs(form)
    form[:, pivots], spread[:, pivots] = np.eye(len(pivots)), 0.0
    if np.any(spread > field.tolerance * np.abs(form).max(initial=0.0)):
        raise NoValue(f"a row form is not known up to {field.tolerance:g} of it")
    return Echelon(balls(form, spread), tuple(pivots))
