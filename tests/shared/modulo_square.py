"""The integers modulo p^2: f(theta + p v) - f(theta) is p times the derivative of f along v, for every quotient f of
polynomials of which no denominator is divisible by p.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import PrimeField, verbs
from algatt.fields import Field
from algatt.linalg import Auto
from algatt.linalg.echelon import Echelon


@dataclass(frozen=True)
class ModuloSquare(Field):
    """The integers modulo p^2, as Python integers."""

    p: int


@verbs.encode.method
def encode(field: ModuloSquare, array: Any, *, argument: str = "array") -> np.ndarray:
    square = field.p**2
    values = np.array(array, dtype=object)
    entries = [int(x.numerator) * pow(int(x.denominator), -1, square) % square for x in values.flat]
    return np.array(entries, dtype=object).reshape(values.shape)


@verbs.add.method
def add(field: ModuloSquare, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.asarray((left + right) % field.p**2)


@verbs.negate.method
def negate(field: ModuloSquare, raw: np.ndarray) -> np.ndarray:
    return np.asarray(-raw % field.p**2)


@verbs.multiply.method
def multiply(field: ModuloSquare, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.asarray(left * right % field.p**2)


@verbs.product.method
def product(field: ModuloSquare, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.asarray(np.matmul(left, right) % field.p**2)


@verbs.transpose.method
def transpose(field: ModuloSquare, raw: np.ndarray) -> np.ndarray:
    return np.swapaxes(raw, -1, -2)


@verbs.reciprocal.method
def reciprocal(field: ModuloSquare, raw: np.ndarray) -> np.ndarray:
    return np.array([pow(int(x), -1, field.p**2) for x in raw.flat], dtype=object).reshape(raw.shape)


@verbs.circle_points.method
def circle_points(field: ModuloSquare, *, angles: tuple[float, ...], positions: tuple[int, ...]) -> Any:
    """Constants, of which only the residues modulo p matter for a derivative."""
    points = verbs.circle_points(PrimeField(field.p), angles=angles, positions=positions)
    return tuple(verbs.encode(field, part.astype(np.int64)) for part in points)


@verbs.row_reduce.method
def row_reduce(engine: Auto, field: ModuloSquare, raw: np.ndarray) -> Echelon:
    """The pivots are units, as those of matrices are whose rank is the same modulo p."""
    rows, pivots = raw.copy(), []
    for column in range(rows.shape[1]):
        below = [row for row in range(len(pivots), len(rows)) if rows[row, column] % field.p]
        if below:
            rows[[len(pivots), below[0]]] = rows[[below[0], len(pivots)]]
            pivot = rows[len(pivots)] * pow(int(rows[len(pivots), column]), -1, field.p**2) % field.p**2
            rows = (rows - np.outer(rows[:, column], pivot)) % field.p**2
            rows[len(pivots)] = pivot
            pivots.append(column)
    return Echelon(rows[: len(pivots)], tuple(pivots))
