"""Verbs of arithmetic: the field is a parent, as in AbstractAlgebra.jl, and the arrays are its raw representation."""

from __future__ import annotations

from typing import Any

from algatt.dispatch import declare

__all__ = ["add", "column_maximum", "decode", "draw_array", "embed", "encode", "exp", "multiply", "negate", "product", "reciprocal", "transpose"]


@declare
def encode(field: Any, array: Any, *, argument: str = "array") -> Any:
    """Turn a public array (galois array, numpy array, integers) into the raw representation of `field`.

    Raises
    ------
    InvalidArgument
        Naming `argument`, if entries are not in the field.
    """


@declare
def embed(field: Any, constants: Any) -> Any:
    """Turn constants of an architecture into the raw representation of `field`: integers by the homomorphism from Z, other arrays by `encode`."""


@declare
def decode(field: Any, raw: Any) -> Any:
    """Turn a raw representation into the public array: a galois array over GF(p), a numpy array over the reals."""


@declare
def draw_array(field: Any, *, shape: tuple[int, ...], seed: int, label: str) -> Any:
    """Return a raw array of random elements of `field`, drawn from the stream (seed, label) of `algatt.randomness`."""


@declare
def add(field: Any, left: Any, right: Any) -> Any:
    """Add two raw arrays entry by entry, with broadcasting."""


@declare
def negate(field: Any, raw: Any) -> Any:
    """Negate a raw array."""


@declare
def multiply(field: Any, left: Any, right: Any) -> Any:
    """Multiply two raw arrays entry by entry, with broadcasting."""


@declare
def transpose(field: Any, raw: Any) -> Any:
    """Exchange the last two axes of a raw array."""


@declare
def product(field: Any, left: Any, right: Any) -> Any:
    r"""Multiply raw matrices, :math:`C_{ij} = \sum_k A_{ik} B_{kj}`, batched over all axes but the last two.

    Exact over GF(p); rounded over the reals. Cost: one matrix product per shared batch index; batch axes of only one factor are folded
    into its rows or columns.
    """


@declare
def reciprocal(field: Any, raw: Any) -> Any:
    """Return the reciprocals of the entries of a raw array: exact over GF(p), enclosed over balls, rounded over the reals.

    Raises
    ------
    DivisionByZero
        If an entry is zero, or a ball contains it.
    ScoreOverflow
        If an entry is no longer finite in floating point.
    """


@declare
def exp(field: Any, raw: Any) -> Any:
    r"""Return :math:`e^x` for the entries x of a raw array: enclosed over balls, rounded over the reals; prime fields have no exponential."""


@declare
def column_maximum(field: Any, raw: Any) -> Any:
    """Return constants about as large as the largest entry of each column of raw matrices: shape (..., 1, columns), without derivatives.

    Raises
    ------
    ScoreOverflow
        If an entry is no longer finite.
    """
