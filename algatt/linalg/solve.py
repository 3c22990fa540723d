"""Linear systems over exact fields."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument, NoSolution
from algatt.fields import Elements, PublicArray
from algatt.linalg.engines import Engine, checked_engine
from algatt.linalg.matrix import exact_matrix


def solve(matrix: PublicArray, right: PublicArray, *, engine: Engine | None = None) -> Any:
    """Return a solution X of ``matrix @ X == right`` over GF(p) or the rationals, with zeros where it may be chosen
    freely.

    All solutions are X plus combinations of the columns of ``kernel(matrix)``. Exact. Cost: one elimination.

    Parameters
    ----------
    matrix : galois.FieldArray, or array of fractions
        Shape (rows, columns).
    right : galois.FieldArray, integers 0..p-1, or array of fractions
        Shape (rows,) or (rows, sides).

    Raises
    ------
    InvalidArgument
        If `matrix` is no galois array and has no fractions, `right` is not over its field, or their shapes do not fit.
    NoSolution
        If there is no solution.
    """
    field, left = exact_matrix(matrix)
    height, width = left.shape
    sides = Elements.of(field, right, "right").raw
    if sides.ndim not in (1, 2) or sides.shape[0] != height:
        raise InvalidArgument("right", f"of shape {sides.shape}", f"with {height} rows, as the matrix has")
    vector = sides.ndim == 1
    sides = sides[:, None] if vector else sides
    form = verbs.row_reduce(checked_engine(engine), field, np.hstack([left, sides]))
    if form.pivots and form.pivots[-1] >= width:
        raise NoSolution(f"the system of {height} equations over {field} has no solution")
    solution = verbs.encode(field, np.zeros((width, sides.shape[1]), dtype=np.int64))
    solution[list(form.pivots)] = form.matrix[:, width:]
    public = verbs.decode(field, solution)
    return public[:, 0] if vector else public
