"""Floats in which what has no value is NaN, so that many inputs can be computed at once of which some have none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.fields.functions import Log, Sqrt
from algatt.fields.real import Reals

__all__ = ["RealsOrNan"]


@dataclass(frozen=True)
class RealsOrNan(Reals):
    """The real numbers in float64, with NaN for divisions by zero, and for roots and logarithms of negative numbers. It
    shares the rest of the arithmetic of `Reals`; nothing of it is public.
    """


@verbs.reciprocal.method
def reciprocal_or_nan(field: RealsOrNan, raw: np.ndarray) -> np.ndarray:
    return np.where(raw == 0, np.nan, 1.0 / raw)


@verbs.entrywise.method
def sqrt_or_nan(field: RealsOrNan, function: Sqrt, raw: np.ndarray) -> np.ndarray:
    return np.asarray(np.sqrt(raw))


@verbs.entrywise.method
def log_or_nan(field: RealsOrNan, function: Log, raw: np.ndarray) -> np.ndarray:
    return np.where(raw > 0, np.log(raw), np.nan)


@verbs.largest.method
def largest_or_nan(field: RealsOrNan, raw: np.ndarray, *, count: int) -> np.ndarray:
    """Return 1 at the `count` largest entries of every column, NaN in columns in which these are not known."""
    ranks = (raw[..., None, :, :] >= raw[..., :, None, :]).sum(axis=-2)  # of entries without an equal one
    chosen = (ranks <= count).astype(np.float64)
    return np.where(chosen.sum(axis=-2, keepdims=True) == count, chosen, np.nan)


@verbs.column_maximum.method
def column_maximum_or_nan(field: RealsOrNan, raw: np.ndarray, *, mask: np.ndarray | None = None) -> np.ndarray:
    return verbs.column_maximum(Reals(), np.nan_to_num(raw), mask=mask)
