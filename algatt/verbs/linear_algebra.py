"""Verbs of linear algebra: ranks, echelon forms, determinants, kernels, solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from algatt.dispatch import declare

if TYPE_CHECKING:
    import galois
    import numpy as np

    from algatt.fields.base import Elements, Field
    from algatt.fields.prime import PrimeField
    from algatt.linalg.arithmetic import Arithmetic
    from algatt.linalg.echelon import Echelon
    from algatt.linalg.engines import Engine
    from algatt.linalg.generated import GeneratedMatrix
    from algatt.linalg.rank import RankVerdict
    from algatt.linalg.row_form import RowForm
    from algatt.symmetry.base import GroupElement

Invertible = TypeVar("Invertible", bound="Elements | GroupElement")


@overload
def _inverse(matrix: Invertible, /) -> Invertible: ...
@overload
def _inverse(matrix: Any, /) -> Any: ...
def _inverse(matrix: Any, /) -> Any:
    """Return the inverse of a square matrix, or of a group element; exact over GF(p) and the rationals, rounded over
    the reals.

    Cost: an elimination of n x 2n.

    Raises
    ------
    SingularMatrix
        If there is none.
    """


inverse = declare(_inverse, homes=["algatt.linalg.systems", "algatt.symmetry.group"])


@declare(homes=["algatt.linalg.systems", "algatt.linalg.rational"])
def inverse_over(field: Field, raw: np.ndarray, /) -> np.ndarray:
    """Return the inverse of a raw square matrix over a field.

    Raises
    ------
    numpy.linalg.LinAlgError
        If there is none.
    """


@declare(homes=["algatt.linalg.rank", "algatt.linalg.rational"])
def rank_over(
    field: Field,
    raw: Any,
    /,
    *,
    engine: Engine | None = None,
    gap: float | None = None,
) -> Any:
    """Return the rank of a raw matrix over a field, as `rank` does."""


@declare(homes=["algatt.linalg.regular"])
def is_regular(field: Field, raw: np.ndarray, /) -> bool:
    """Return whether it is proved that no real matrix in a raw square matrix of balls is singular."""


@declare(homes=["algatt.linalg.kernel", "algatt.linalg.rational"])
def kernel_over(
    field: Field, raw: np.ndarray, /, *, engine: Engine | None = None, gap: float | None = None
) -> np.ndarray:
    """Return a basis of the right null space of a raw matrix over a field, as raw columns, as `kernel` does."""


@declare(homes=["algatt.linalg.kernel"])
def kernel_of_rank_over(field: Field, raw: np.ndarray, /, *, rank: int) -> np.ndarray:
    """Return a basis of the right null space of a raw matrix that has at most this rank, as raw columns; none if the
    rank is smaller.
    """


@declare(homes=["algatt.linalg.row_form"])
def row_form_over(
    field: Field, raw: np.ndarray, /, *, gap: float | None = None, checked: bool = False, size: float = 0.0
) -> RowForm:
    """Return the `RowForm` of a raw matrix over a field; the options are those of `algatt.linalg.row_form.row_form`."""


@declare
def exact_rank(engine: Engine, field: PrimeField, raw: np.ndarray, /) -> int:
    """Return the rank of a raw matrix over GF(p). Exact. Cost: O(rows * columns * rank)."""


@declare(homes=["algatt.linalg.rational"])
def row_reduce(engine: Engine, field: Field, raw: np.ndarray, /) -> Echelon:
    """Return the reduced row echelon form of a raw matrix over GF(p), as an `Echelon`.

    The form is unique, so every engine returns the same. Exact. Cost: O(rows * columns * rank).
    """


@declare
def arithmetic_of(engine: Engine, field: PrimeField, work: int, /) -> Arithmetic:
    """Return the `Arithmetic` in which an engine eliminates rows as they come, for so many multiplications.

    Raises
    ------
    InvalidArgument
        If there is no such device.
    MissingExtra
        If what reaches the device is not installed.
    """


@overload
def _rank(
    matrix: GeneratedMatrix | galois.FieldArray, /, *, engine: Engine | None = None, gap: float | None = None
) -> int: ...
@overload
def _rank(
    matrix: np.ndarray[Any, np.dtype[np.number]], /, *, engine: Engine | None = None, gap: float | None = None
) -> RankVerdict: ...
@overload
def _rank(matrix: Any, /, *, engine: Engine | None = None, gap: float | None = None) -> Any: ...
def _rank(matrix: Any, /, *, engine: Engine | None = None, gap: float | None = None) -> Any:
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


rank = declare(_rank, homes=["algatt.linalg.rank"])


@declare(homes=["algatt.linalg.systems"])
def echelon(matrix: Any, /, *, engine: Engine | None = None) -> Echelon:
    """Return the reduced row echelon form of a matrix over GF(p) or the rationals as an `Echelon`: its rows that are
    not zero, and its pivots.

    Exact. Cost: O(rows * columns * rank).

    Raises
    ------
    InvalidArgument
        If `matrix` is no galois matrix, and has no fractions.
    """


@overload
def _kernel(matrix: Elements, /, *, engine: Engine | None = None, gap: float | None = None) -> Elements: ...
@overload
def _kernel(matrix: Any, /, *, engine: Engine | None = None, gap: float | None = None) -> Any: ...
def _kernel(matrix: Any, /, *, engine: Engine | None = None, gap: float | None = None) -> Any:
    """Return a basis of the right null space as columns: N of shape (columns, columns - rank) with ``matrix @ N == 0``.

    Exact over GF(p) and the rationals; for floats an orthonormal basis, under the same condition on the gap as `rank`.

    Raises
    ------
    RankUndecided
        If a float spectrum has no gap, or more than one.
    """


kernel = declare(_kernel, homes=["algatt.linalg.kernel"])


@declare(homes=["algatt.linalg.roots"])
def root(field: Field, raw: np.ndarray, degree: int, /) -> np.ndarray | None:
    """Return a root of a number that is not zero, as raw 1 x 1 matrices: an x with ``x**degree == raw``, over the reals
    the positive one if there are two; None if there is none in the field.
    """
