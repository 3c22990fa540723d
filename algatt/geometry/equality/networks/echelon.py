r"""Matrices that bring one matrix, or two that they act on inversely, to a form that depends on their orbit only.

Where g multiplies N and :math:`g^{-T}` multiplies M, one g brings N to its reduced echelon form. Rows of N that become
zero leave the matrices

.. math:: g = \begin{pmatrix} 1 & a \\ 0 & b \end{pmatrix}, \quad
   M = \begin{pmatrix} T \\ D \end{pmatrix}, \quad
   g^{-T} M = \begin{pmatrix} T \\ b^{-T} (D - a^T T) \end{pmatrix},

so that D is reduced modulo the rows of T, and brought to its echelon form.
"""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.errors import NoNormalForm
from algatt.fields import Elements, Reals
from algatt.linalg import Auto
from algatt.linalg.row_form import pivot_columns, row_form

SMALL = 1e-8
"""Singular values that are smaller than this beside the largest one are taken for zero."""

INDEPENDENT = 1e-12
"""Singular values of floats that are larger than this beside the largest one are those of independent columns."""

NEARLY_SMALL = 5 / 8, 1 / 2, 7 / 16
"""Powers of the unit of rounding: in a normal form singular values below the second, beside the largest one, are taken
for zero, and those between the first and the last may be rounding, or not; 1e-10, 1e-8 and 1e-7 for float64.
"""


def independent_columns(matrix: Elements, small: float = SMALL) -> list[int]:
    """Return columns that span those of a matrix, which depend on the span of its rows only: the first ones; over the
    reals those that pivoting takes, with singular values that are small taken for zero.
    """
    if not isinstance(matrix.field, Reals):
        return list(verbs.row_reduce(Auto(), matrix.field, matrix.raw).pivots)
    return list(columns_of_floats(matrix, matrix.field.unit, small)[0])


def columns_of_floats(
    matrix: Elements, unit: float, small: float | None = None, beside: Elements | None = None
) -> tuple[tuple[int, ...], bool]:
    """Return the columns that pivoting takes, and whether rounding by a unit can change neither these nor their number;
    what is small is so beside the largest singular value, or that of another matrix which this one is a part of.
    """
    low, middle, high = (unit**power for power in NEARLY_SMALL)
    if not matrix.raw.any():
        return (), True
    _, sizes, rows = np.linalg.svd(matrix.raw, full_matrices=False)
    sizes = sizes / (sizes[0] if beside is None else np.linalg.norm(beside.raw, 2))
    pivots, clear = pivot_columns(rows[sizes > (middle if small is None else small)], unit)
    return pivots, clear and not ((low < sizes) & (sizes < high)).any()


def chosen_columns(matrix: Elements, beside: Elements | None = None) -> list[int]:
    """Return independent columns that make a normal form.

    Raises
    ------
    NoNormalForm
        If rounding could choose others.
    """
    if not isinstance(matrix.field, Reals):
        return independent_columns(matrix)
    columns, clear = columns_of_floats(matrix, matrix.field.unit, beside=beside)
    if not clear:
        raise NoNormalForm(
            "floats have no normal form: rounding could decide which columns of a tensor are independent, as some "
            "nearly tie or are nearly zero"
        )
    return list(columns)


def without_rows(A: Elements, vector: Elements) -> Elements:
    """Return the v with A v = 0 that differs from a vector by a combination of the rows of A; over the reals by a basis
    of such v, so that A v is rounding of v, which may be much smaller than the vector.

    Raises
    ------
    SingularMatrix
        If there is none, or more than one, as over a prime field.
    """
    if isinstance(A.field, Reals):
        from scipy.linalg import qr

        basis, triangle, _ = qr(A.raw.T, pivoting=True)
        sizes = np.abs(triangle.diagonal())
        basis = basis[:, int(np.sum(sizes > SMALL * sizes.max(initial=0.0))) :]
        return Elements(vector.field, basis @ (basis.T @ vector.raw))
    A = A[independent_columns(A.T)]
    return vector - A.T @ verbs.inverse(A @ A.T) @ (A @ vector)


def reduction(matrix: Elements) -> tuple[list[int], Elements]:
    """Return independent columns that span those of a matrix, and an invertible matrix that brings them to the first
    unit vectors.
    """
    field = matrix.field
    if not isinstance(field, Reals):
        form = row_form(matrix)
        return list(form.pivots), form.transform
    height, width = matrix.shape
    left, sizes, right = np.linalg.svd(matrix.raw, full_matrices=height > width)
    rank = int(np.sum(sizes > INDEPENDENT * sizes.max(initial=0.0)))
    columns = list(range(width)) if rank == width else list(pivot_columns(right[:rank], field.unit)[0])
    return columns, verbs.inverse(Elements(field, np.hstack([matrix.raw[:, columns], left[:, rank:]])))


def completed(columns: Elements) -> Elements:
    """Return an invertible matrix that begins with independent columns, and goes on with unit vectors."""
    height = columns.shape[0]
    rows = independent_columns(columns.T)
    units = np.delete(np.eye(height, dtype=np.int64), rows, axis=1)
    return Elements(columns.field, np.hstack([columns.raw, Elements.of(columns.field, units).raw]))


def echelon(rows: Elements, rank: int | None = None) -> Elements:
    """Return a matrix that brings another one, perhaps of a rank that is known, to its reduced echelon form."""
    return verbs.inverse(completed(rows[:, chosen_columns(rows)[:rank]]))


def echelon_of_both(first: Elements, second: Elements) -> Elements:
    """Return g that brings the first matrix to its echelon form, and the second one to a form that depends on both."""
    g, rank = echelon(first), len(chosen_columns(second))
    known = len(independent_columns(first))
    turned = verbs.inverse(g).T @ second
    T, D = turned[:known], turned[known:]
    columns = chosen_columns(T, turned)
    identity = Elements.of(g.field, np.eye(g.shape[0], dtype=np.int64)).raw.copy()
    if columns:
        rows = chosen_columns(T[:, columns].T)
        a = D[:, columns] @ verbs.inverse(T[rows][:, columns])
        D = D - a @ T[rows]
        identity[known:, rows] = (-a).raw
    change = Elements(g.field, identity)  # of the second matrix
    if rank > len(columns):
        lower = Elements.of(g.field, np.eye(g.shape[0], dtype=np.int64)).raw.copy()
        lower[known:, known:] = echelon(D, rank - len(columns)).raw
        change = Elements(g.field, lower) @ change
    return verbs.inverse(change).T @ g
