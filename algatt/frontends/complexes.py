"""Complex numbers as pairs of real ones, where rotations use them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument
from algatt.frontends.arrays import Array
from algatt.frontends.circles import circle, is_wave, points
from algatt.frontends.operations import Operations


@dataclass(frozen=True, eq=False)
class Complex:
    """An array of complex numbers.

    Parameters
    ----------
    pairs : Array
        Real and imaginary parts, the last axis: pairs stay together, so that it is seen where they are turned.
    """

    pairs: Array

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return self.pairs.shape[:-1]

    def view(self, function: Callable[[np.ndarray], np.ndarray]) -> Complex:
        """Return the array that a function of numpy, which moves entries, makes of it."""
        return Complex(
            self.pairs.view(lambda entries: np.stack([function(entries[..., part]) for part in (0, 1)], axis=-1))
        )

    def times(self, operations: Operations, other: Any) -> Complex:
        """Return the product with an array of complex or of real numbers: (a, b) c + (-b, a) d."""
        if not isinstance(other, Complex) and np.iscomplexobj(other):
            other = paired(operations.results.lift(other.real), operations.results.lift(other.imag))
        if not isinstance(other, Complex):
            return Complex(operations.multiply(self.pairs, operations.results.lift(other)[..., None]))
        minus = operations.multiply(self.pairs[..., 1], -1)
        turned = paired(minus, self.pairs[..., 0].spread(minus.shape)).pairs
        count = np.broadcast_shapes(self.shape[-1:], other.shape[-1:])
        terms = []
        for one, part in ((self.pairs, 0), (turned, 1)):
            rows = (flat(each, count) for each in (one, other.pairs[..., part, None]))
            terms.append(operations.multiply(*rows))
        made = operations.add(*terms)
        return Complex(made.reshape(*made.shape[:-1], *count, 2))


def flat(pairs: Array, count: tuple[int, ...]) -> Array:
    """Return pairs one after the other, all of them being there."""
    shape = (*pairs.shape[: -1 - len(count)], *count, 2)
    return pairs.spread(shape).reshape(*shape[: -1 - len(count)], -1)


def paired(real: Array, imaginary: Array) -> Complex:
    """Return the array of complex numbers with some real and imaginary parts."""
    return Complex(Array(np.stack([real.entries, imaginary.entries], axis=-1)))


def complex_result(operations: Operations, name: str, first: Any, *rest: Any) -> Array | Complex:
    """Return the result of an operation of torch that makes complex numbers, or takes them."""
    if name == "view_as_complex" and isinstance(first, Array):
        return Complex(first)
    if name == "mul":
        return first.times(operations, rest[0]) if isinstance(first, Complex) else rest[0].times(operations, first)
    if name == "view_as_real" and isinstance(first, Complex):
        return first.pairs
    should = "a product, as rotations are; or written with real and imaginary parts"
    raise InvalidArgument("it", "of complex numbers", should)


def rotations(operations: Operations, sizes: np.ndarray, angles: np.ndarray) -> Complex | None:
    """Return numbers of size one with angles that are frequencies, the last axis, times positions, as points of the
    circle; None for others.
    """
    if (sizes != 1).any():
        return None
    real, imaginary = (circle(operations, angles, name) for name in ("cos", "sin"))
    return None if real is None or imaginary is None else paired(real, imaginary)


def stored_rotations(operations: Operations, table: np.ndarray) -> Complex | None:
    """Return a table as points of the circle, if each of its columns holds the powers 0, 1, 2, ... of one number of
    size one, up to rounding; None for another table.
    """
    if table.ndim != 2 or len(table) < 2:
        return None
    frequencies = np.angle(table[1].astype(np.complex128))
    for column, frequency in zip(table.T.astype(np.complex128), frequencies.tolist(), strict=True):
        if not all(
            is_wave(table.real, *one) for one in ((column.real, frequency, np.cos), (column.imag, frequency, np.sin))
        ):
            return None
    angles, places = np.broadcast_arrays(frequencies, np.arange(len(table))[:, None])
    made = [points(operations, angles, places, np.full(table.shape, is_sine)) for is_sine in (False, True)]
    return paired(*made)
