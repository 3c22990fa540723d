"""Arrays of tensors: as matrices, as they are stored, and in the place of those of a point."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from algatt.fields import Elements
from algatt.parameters import Weights


def as_matrix(raw: np.ndarray) -> np.ndarray:
    """Return a tensor as a matrix of floats."""
    matrix: np.ndarray = raw.reshape(((1, 1) + raw.shape)[-2:]).astype(np.float64, copy=False)
    return matrix


def entered(one: Elements, raw: np.ndarray) -> Elements:
    """Return the tensor in the place of another one, of its shape, from a matrix that was just made."""
    return Elements(one.field, sealed(raw).reshape(one.raw.shape))


def replaced(theta: Weights, arrays: Mapping[str, np.ndarray]) -> Weights:
    """Return a point with other arrays for some tensors, which cannot be written to from now on."""
    tensors = theta.tensors
    return theta.replace([entered(one, arrays[name]) if name in arrays else one for name, one in tensors.items()])


def sealed(raw: np.ndarray) -> np.ndarray:
    """Return an array that was just made, which cannot be written to from now on: `Weights` makes no copy of it."""
    raw.setflags(write=False)
    return raw


def largest(raw: np.ndarray) -> float:
    """Return the size of the largest entry."""
    return float(max(raw.max(), -raw.min()))
