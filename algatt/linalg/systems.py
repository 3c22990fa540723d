"""Public matrices brought into echelon form: linear systems, inverses and determinants."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument, NoSolution, SingularMatrix
from algatt.fields import Elements, PrimeField, PublicArray, Rationals, Reals
from algatt.linalg.echelon import Echelon
from algatt.linalg.elimination import eliminate
from algatt.linalg.engines import Auto, Engine, checked_engine
from algatt.linalg.matrix import checked_square, elements_of_matrix, exact_matrix
from algatt.linalg.rational import flint_matrix


@verbs.echelon.method
def echelon_of_array(matrix: PublicArray, *, engine: Engine | None = None) -> Echelon:
    field, raw = exact_matrix(matrix)
    form = verbs.row_reduce(checked_engine(engine), field, raw)
    return Echelon(verbs.decode(field, form.matrix), form.pivots)


@verbs.echelon.method
def echelon_of_elements(matrix: Elements, *, engine: Engine | None = None) -> Echelon:
    """Its entries are raw, as those of the matrix."""
    form: Echelon = verbs.row_reduce(checked_engine(engine), matrix.field, matrix.raw)
    return form


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


@verbs.inverse.method
def inverse_of_array(matrix: PublicArray) -> Any:
    return verbs.inverse(elements_of_matrix(matrix)).public()


@verbs.inverse.method
def inverse_of_elements(matrix: Elements) -> Elements:
    size = checked_square(matrix).shape[0]
    try:
        return Elements(matrix.field, verbs.inverse_over(matrix.field, matrix.raw))
    except np.linalg.LinAlgError as error:
        raise SingularMatrix(f"a {size} x {size} matrix over {matrix.field} is singular") from error


@verbs.inverse_over.method
def inverse_over_prime_field(field: PrimeField, raw: np.ndarray) -> np.ndarray:
    size = len(raw)
    form = verbs.row_reduce(Auto(), field, np.hstack([raw, np.eye(size, dtype=field.dtype)]))
    if form.pivots != tuple(range(size)):
        raise np.linalg.LinAlgError("singular")
    return form.matrix[:, size:]


@verbs.inverse_over.method
def inverse_over_reals(field: Reals, raw: np.ndarray) -> np.ndarray:
    return np.linalg.inv(raw)


def determinant(matrix: PublicArray) -> Any:
    """Return the determinant of a square matrix: an int in 0..p-1 of a galois matrix, a `flint.fmpq` of one of
    fractions. Exact. Cost: an elimination.

    Raises
    ------
    InvalidArgument
        If `matrix` is not square, or neither a galois matrix nor one of fractions.
    """
    field, raw = exact_matrix(matrix)
    checked_square(Elements(field, raw))
    if isinstance(field, Rationals):
        return flint_matrix(field, raw).det()
    form = eliminate(field, raw)
    if form.rank < raw.shape[0]:
        return 0
    # the form's minor is the matrix with its rows and columns in the orders of the pivots
    return form.determinant * sign(form.pivot_rows) * sign(form.pivot_columns) % field.p


def is_invertible(matrix: PublicArray, *, gap: float | None = None) -> bool:
    """Return whether a square matrix is invertible: exact over GF(p) and the rationals; for floats under the same
    condition on the gap as `rank`.

    Raises
    ------
    InvalidArgument
        If `matrix` is not square.
    RankUndecided
        If a float spectrum has no gap, or more than one.
    """
    elements = checked_square(elements_of_matrix(matrix))
    return int(verbs.rank(elements, gap=gap)) == elements.shape[0]


def sign(permutation: np.ndarray) -> int:
    """Return the sign of a permutation: -1 for each cycle of even length."""
    seen = np.zeros(len(permutation), dtype=bool)
    result = 1
    for start in range(len(permutation)):
        length, place = 0, start
        while not seen[place]:
            seen[place] = True
            place = int(permutation[place])
            length += 1
        if length and length % 2 == 0:
            result = -result
    return result
