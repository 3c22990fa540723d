"""Matrices as users give them."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from algatt.arguments import check_over
from algatt.errors import InvalidArgument
from algatt.fields import Balls, Elements, PrimeField, Rationals, Reals
from algatt.fields.arrays import public_array
from algatt.fields.ball import holds_balls
from algatt.fields.prime import galois_characteristic
from algatt.fields.real import field_of

Matrix = TypeVar("Matrix", Elements, np.ndarray)


def elements_of_matrix(matrix: Any, argument: str = "matrix") -> Elements:
    """Read the field off a public matrix."""
    values, _ = public_array(matrix, argument)
    if holds_balls(values):
        bits = max(entry.bits() for entry in values.flat if hasattr(entry, "bits"))
        return matrix_shaped(Elements.of(Balls(max(Balls().bits, bits)), values, argument), argument)
    source = values if isinstance(matrix, list | tuple) else matrix  # a list is read once
    return checked_matrix(Elements.of(field_of(matrix, argument), source, argument), argument)


def exact_matrix(matrix: Any, argument: str = "matrix") -> tuple[PrimeField | Rationals, np.ndarray]:
    """Return the prime field and the residues of a public matrix, or the rationals and its entries; raise
    `InvalidArgument` if it is over the reals.

    Those of a galois array are its integers where they are: an elimination copies them once, into its own numbers.
    """
    order = galois_characteristic(matrix, argument)
    if order is not None:
        residues = matrix_shaped(matrix, argument).view(np.ndarray)
        return PrimeField(order), residues
    elements = elements_of_matrix(matrix, argument)
    if not isinstance(elements.field, PrimeField | Rationals):
        should = (
            "a galois array, as algatt.PrimeField(p).galois(rows) makes it, or an array of fractions: this is computed "
            "exactly or not at all"
        )
        raise InvalidArgument(argument, f"over {elements.field}", should)
    return elements.field, elements.raw


def checked_matrix(matrix: Elements, argument: str = "matrix") -> Elements:
    """Return the elements, or raise `InvalidArgument` unless they are a matrix over a prime field or the reals."""
    check_over(argument, matrix.field, PrimeField | Rationals | Reals, "over a PrimeField, Rationals() or Reals()")
    return matrix_shaped(matrix, argument)


def matrix_shaped(matrix: Matrix, argument: str) -> Matrix:
    """Return the matrix, or raise `InvalidArgument` unless they have rows and columns."""
    if len(matrix.shape) != 2:
        raise InvalidArgument(argument, f"of shape {matrix.shape}", "of shape (rows, columns)")
    return matrix


def checked_square(matrix: Elements) -> Elements:
    """Return the elements, or raise `InvalidArgument` unless they are a square matrix over a prime field or
    the reals.
    """
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InvalidArgument("matrix", f"of shape {matrix.shape}", "square")
    return checked_matrix(matrix)
