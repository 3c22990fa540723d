"""Verbs of linear algebra: ranks, echelon forms, determinants, kernels, solutions."""

from __future__ import annotations

from typing import Any

from algatt.dispatch import declare

__all__ = [
    "arithmetic_of",
    "determinant",
    "echelon",
    "exact_rank",
    "inverse",
    "inverse_over",
    "is_invertible",
    "kernel",
    "kernel_of_rank_over",
    "kernel_over",
    "rank",
    "rank_over",
    "row_form_over",
    "row_reduce",
    "solve",
]


@declare
def inverse(matrix: Any) -> Any:
    """Return the inverse of a square matrix, or of a group element; exact over GF(p) and the rationals, rounded over
    the reals.

    Cost: an elimination of n x 2n.

    Raises
    ------
    SingularMatrix
        If there is none.
    """


@declare
def inverse_over(field: Any, raw: Any) -> Any:
    """Return the inverse of a raw square matrix over a field.

    Raises
    ------
    numpy.linalg.LinAlgError
        If there is none.
    """


@declare
def rank_over(field: Any, raw: Any, *, engine: Any = None, gap: float | None = None) -> Any:
    """Return the rank of a raw matrix over a field, as `rank` does."""


@declare
def kernel_over(field: Any, raw: Any, *, engine: Any = None, gap: float | None = None) -> Any:
    """Return a basis of the right null space of a raw matrix over a field, as raw columns, as `kernel` does."""


@declare
def kernel_of_rank_over(field: Any, raw: Any, *, rank: int) -> Any:
    """Return a basis of the right null space of a raw matrix that has at most this rank, as raw columns; none if the
    rank is smaller.
    """


@declare
def row_form_over(field: Any, raw: Any, *, gap: float | None = None, checked: bool = False, size: float = 0.0) -> Any:
    """Return the `RowForm` of a raw matrix over a field; the options are those of `algatt.linalg.row_form.row_form`."""


@declare
def exact_rank(engine: Any, field: Any, raw: Any) -> Any:
    """Return the rank of a raw matrix over GF(p). Exact. Cost: O(rows * columns * rank)."""


@declare
def row_reduce(engine: Any, field: Any, raw: Any) -> Any:
    """Return the reduced row echelon form of a raw matrix over GF(p), as an `Echelon`.

    The form is unique, so every engine returns the same. Exact. Cost: O(rows * columns * rank).
    """


@declare
def arithmetic_of(engine: Any, field: Any, work: int) -> Any:
    """Return the `Arithmetic` in which an engine eliminates rows as they come, for so many multiplications.

    Raises
    ------
    InvalidArgument
        If there is no such device.
    MissingExtra
        If what reaches the device is not installed.
    """


@declare
def rank(matrix: Any, *, engine: Any = None, gap: float | None = None) -> Any:
    """Return the rank of a matrix.

    Parameters
    ----------
    matrix : galois.FieldArray or array_like
        Shape (rows, columns). An array or list with a `fractions.Fraction` or a `flint.fmpq` is over the rationals, an
        array of `flint.arb` is a matrix of balls, and all others but those of galois are over the reals.
    engine : Engine, optional
        The exact algorithm modulo a prime: `Auto` (default), `Blas`, `Galois` or `Flint`. Not used for floats.
    gap : float, optional
        For floats: the ratio between neighbouring singular values that decides; 1000 unless given, less for numbers of
        less than 21 bits.

    Returns
    -------
    int, RankVerdict or RankLowerBound
        An exact int over GF(p) and the rationals; for floats a `RankVerdict(rank, gap)`; for balls a proven
        `RankLowerBound(rank, rows, columns)`, with a minor that does not vanish for any matrix inside.

    Raises
    ------
    RankUndecided
        If a float spectrum has no gap, or more than one.
    """


@declare
def echelon(matrix: Any, *, engine: Any = None) -> Any:
    """Return the reduced row echelon form of a matrix over GF(p) or the rationals as an `Echelon`: its rows that are
    not zero, and its pivots.

    Exact. Cost: O(rows * columns * rank).

    Raises
    ------
    InvalidArgument
        If `matrix` is no galois matrix, and has no fractions.
    """


@declare
def determinant(matrix: Any) -> Any:
    """Return the determinant of a square matrix: an int in 0..p-1 of a galois matrix, a `flint.fmpq` of one of
    fractions. Exact. Cost: an elimination.

    Raises
    ------
    InvalidArgument
        If `matrix` is not square, or neither a galois matrix nor one of fractions.
    """


@declare
def is_invertible(matrix: Any, *, gap: float | None = None) -> Any:
    """Return whether a square matrix is invertible: exact over GF(p) and the rationals; for floats under the same
    condition on the gap as `rank`.

    Raises
    ------
    InvalidArgument
        If `matrix` is not square.
    RankUndecided
        If a float spectrum has no gap, or more than one.
    """


@declare
def solve(matrix: Any, right: Any, *, engine: Any = None) -> Any:
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


@declare
def kernel(matrix: Any, *, engine: Any = None, gap: float | None = None) -> Any:
    """Return a basis of the right null space as columns: N of shape (columns, columns - rank) with ``matrix @ N == 0``.

    Exact over GF(p) and the rationals; for floats an orthonormal basis, under the same condition on the gap as `rank`.

    Raises
    ------
    RankUndecided
        If a float spectrum has no gap, or more than one.
    """


@declare
def root(field: Any, raw: Any, degree: int) -> Any:
    """Return a root of a number that is not zero, as raw 1 x 1 matrices: an x with ``x**degree == raw``, over the reals
    the positive one if there are two; None if there is none in the field.
    """
