"""Verbs of arithmetic: the field is a parent, as in AbstractAlgebra.jl, and the arrays are its raw representation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algatt.dispatch import declare

if TYPE_CHECKING:
    import numpy as np

    from algatt.fields.base import Field


@declare
def encode(field: Field, array: Any, /, *, argument: str = "array") -> Any:
    """Turn a public array (galois array, numpy array, integers) into the raw representation of `field`.

    Raises
    ------
    InvalidArgument
        Naming `argument`, if entries are not in the field.
    """


@declare
def embed(field: Field, constants: Any, /) -> Any:
    """Turn constants of an architecture into the raw representation of `field`: integers by the homomorphism from Z,
    other arrays by `encode`.
    """


@declare
def decode(field: Field, raw: Any, /) -> Any:
    """Turn a raw representation into the public array: a galois array over GF(p), a numpy array over the reals."""


@declare
def draw_array(field: Field, /, *, shape: tuple[int, ...], seed: int, label: str) -> Any:
    """Return a raw array of random elements of `field`, drawn from the stream (seed, label) of `algatt.randomness`."""


@declare
def add(field: Field, left: Any, right: Any, /) -> Any:
    """Add two raw arrays entry by entry, with broadcasting."""


@declare
def negate(field: Field, raw: Any, /) -> Any:
    """Negate a raw array."""


@declare
def multiply(field: Field, left: Any, right: Any, /) -> Any:
    """Multiply two raw arrays entry by entry, with broadcasting."""


@declare
def transpose(field: Field, raw: Any, /) -> Any:
    """Exchange the last two axes of a raw array."""


@declare(homes=["algatt.linalg.product"])
def product(field: Field, left: Any, right: Any, /) -> Any:
    r"""Multiply raw matrices, :math:`C_{ij} = \sum_k A_{ik} B_{kj}`, batched over all axes but the last two.

    Exact over GF(p); rounded over the reals. Cost: one matrix product per shared batch index; batch axes of only one
    factor are folded into its rows or columns.
    """


@declare
def reciprocal(field: Field, raw: Any, /) -> Any:
    """Return the reciprocals of the entries of a raw array: exact over GF(p), enclosed over balls, rounded over the
    reals.

    Raises
    ------
    DivisionByZero
        If an entry is zero, or a ball contains it.
    ScoreOverflow
        If an entry is no longer finite in floating point.
    """


@declare
def entrywise(field: Any, function: Any, raw: Any, /) -> Any:
    """Return the values of a `Function` such as ``Exp()`` at the entries of a raw array.

    Enclosed over balls, rounded over the reals; prime fields have no exponentials, roots and gates. Derivatives are
    those of `slope`.

    Raises
    ------
    MethodError
        If the function has no values over the field.
    DomainError
        If an entry is outside of the domain of the function, or a ball is not told to be inside.
    """


@declare
def slope(field: Field, function: Any, argument: Any, value: Any, /) -> Any:
    """Return the derivatives of a `Function` at raw arguments, given its values there; None for one that is locally
    constant.
    """


@declare
def largest(field: Field, raw: Any, /, *, count: int) -> Any:
    """Return constants: 1 at the `count` largest entries of each column of raw matrices, and 0 elsewhere.

    Raises
    ------
    DomainError
        If two entries on both sides of the cut are equal, or balls do not tell them apart.
    """


@declare
def take(field: Any, raw: Any, /, *, rows: Any, columns: Any) -> Any:
    """Return a submatrix of raw matrices: rows and columns are slices, or tuples of different numbers."""


@declare
def concatenate(field: Any, parts: tuple, /, *, axis: int) -> Any:
    """Put a tuple of raw matrices below each other (axis -2) or side by side (axis -1); batch axes are broadcast."""


@declare
def column_products(field: Field, left: Any, right: Any, /) -> Any:
    r"""Return the products :math:`a_j^T b_j` of the columns of two raw matrices of one shape, as a matrix
    with one row.
    """


@declare
def centre(field: Field, raw: Any, /) -> Any:
    r"""Subtract from every column of raw matrices its mean: :math:`(I - \mathbb 1 \mathbb 1^T / d)\, X`."""


@declare
def circle_points(field: Field, /, *, angles: tuple[float, ...], positions: tuple[int, ...]) -> Any:
    r"""Return the raw matrices of :math:`\cos(m \theta)` and :math:`\sin(m \theta)`: a row for each angle, a column for
    each position m.

    Floats stand for exactly what they are: an angle is an integer multiple n of the unit :math:`u = 2^{-1074}`. Rounded
    over the reals, enclosed over balls. Over GF(p) a random point z of the circle :math:`x^2 + y^2 = 1` stands for
    :math:`e^{iu}`, which is transcendental (Lindemann), and :math:`z^{nm}` for :math:`e^{i n m u}`: so what is not zero
    there is not zero for these angles.
    """


@declare
def rotate(field: Field, raw: Any, /, *, angles: tuple[float, ...], positions: tuple[int, ...]) -> Any:
    """Turn the rows 2 f and 2 f + 1 of column number k of raw matrices by the angle number f, times
    position number k.
    """


@declare
def column_maximum(field: Field, raw: Any, /, *, mask: np.ndarray | None = None) -> Any:
    """Return constants about as large as the largest entry of each column of raw matrices: shape (..., 1, columns),
    without derivatives.

    Entries at which the 0/1 matrix `mask` is 0 do not count. None over a field where nothing overflows.

    Raises
    ------
    ScoreOverflow
        If an entry is no longer finite.
    """
