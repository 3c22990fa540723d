"""Exponentials of matrices of Lie algebras."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument
from algatt.fields import Elements, Reals
from algatt.symmetry.base import listed_matrices


def squares(tangent: Sequence[Any]) -> list[Any]:
    """Return numbers as 1 x 1 matrices."""
    return [np.reshape(c, (1, 1)) if np.ndim(c) == 0 else c for c in listed_matrices("tangent", tangent)]


def exponentials(sizes: Sequence[int], tangent: Sequence[Any]) -> tuple[tuple[Elements, ...], tuple[Elements, ...]]:
    """Return exp(c) and exp(-c) of the matrices of a tangent."""
    from scipy.linalg import expm

    field = Reals()
    listed = listed_matrices("tangent", tangent)
    entered = [Elements.of(field, matrix, f"tangent[{i}]").raw for i, matrix in enumerate(listed)]
    if [matrix.shape for matrix in entered] != [(size, size) for size in sizes]:
        raise InvalidArgument(
            "tangent",
            f"with matrices of shapes {[matrix.shape for matrix in entered]}",
            f"square matrices of sizes {list(sizes)}",
        )
    return tuple(Elements(field, expm(matrix)) for matrix in entered), tuple(
        Elements(field, expm(-matrix)) for matrix in entered
    )
