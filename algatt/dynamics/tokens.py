"""Tokens: arrays of shape (d, n), checked, normalised, random on the sphere, or with one common angle."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import finite_number, whole
from algatt.dynamics.heads import ROUNDING
from algatt.errors import InvalidArgument
from algatt.fields import Reals
from algatt.memory import check_memory
from algatt.randomness import random_words


def token_array(tokens: Any) -> np.ndarray:
    """Return tokens as a float64 array of shape (d, n), or raise `InvalidArgument`."""
    array = verbs.encode(Reals(), tokens, argument="tokens")
    if array.ndim != 2 or 0 in array.shape:
        raise InvalidArgument("tokens", f"of shape {array.shape}", "of shape (d, n), the tokens as columns")
    return np.ascontiguousarray(array)


def check_unit(tokens: np.ndarray) -> None:
    """Raise `InvalidArgument` unless all columns have length 1 to 10^-12."""
    errors = np.abs(lengths(tokens) - 1.0)
    worst = int(errors.argmax())
    if errors[worst] > ROUNDING:
        was = f"no array of unit vectors: column {worst} has length {lengths(tokens)[worst]:.15g}"
        raise InvalidArgument(
            "tokens", was, "of unit columns to 1e-12; algatt.dynamics.normalised(tokens) divides them by their lengths"
        )


def check_not_zero(tokens: np.ndarray) -> np.ndarray:
    """Return the largest entries of the columns, or raise `InvalidArgument` if a column is zero."""
    largest: np.ndarray = np.abs(tokens).max(axis=0)
    if not largest.all():
        raise InvalidArgument("tokens", f"with a zero column {int(largest.argmin())}", "of columns that are not zero")
    return largest


def lengths(tokens: np.ndarray) -> np.ndarray:
    """Return the lengths of the columns."""
    return np.sqrt(np.square(tokens).sum(axis=0))


def normalised(tokens: Any) -> np.ndarray:
    """Return the tokens divided by their lengths.

    Parameters
    ----------
    tokens : array
        Shape (d, n).

    Raises
    ------
    InvalidArgument
        If a column is zero.

    Examples
    --------
    >>> from algatt.dynamics import normalised
    >>> normalised([[3.0, 0.0], [4.0, 2.0]])
    array([[0.6, 0. ],
           [0.8, 1. ]])
    """
    array = token_array(tokens)
    scaled = array / check_not_zero(array)  # so that no square overflows or underflows
    return scaled / lengths(scaled)


def random_tokens(count: int, dimension: int, *, seed: int = 0) -> np.ndarray:
    """Return tokens that are independent and uniform on the sphere, drawn from the stream (seed, "tokens").

    The squared lengths of the coordinate planes of a uniform point are the spacings of sorted uniform numbers, and the
    directions in the planes are uniform; an odd dimension is reached by leaving one coordinate out. So arithmetic and
    square roots are enough, and no platform's libm enters.

    Parameters
    ----------
    count, dimension : int
        The number n of tokens and their dimension d.
    seed : int, optional
        Names the tokens; the same on every platform.

    Returns
    -------
    numpy.ndarray
        Shape (d, n).

    Raises
    ------
    InvalidArgument
        If a number is not an integer of at least 1, or the seed is not one of at least 0.
    NotEnoughMemory
        If there are too many.

    Examples
    --------
    >>> from algatt.dynamics import random_tokens
    >>> random_tokens(4, 3).shape
    (3, 4)
    """
    whole("count", count), whole("dimension", dimension)
    check_memory(2 * 8.0 * count * dimension, "an array of tokens")
    planes = (dimension + 1) // 2
    cuts = np.sort(uniform_numbers(seed, "tokens/lengths", (planes - 1) * count).reshape(planes - 1, count), axis=0)
    edges = np.concatenate([np.zeros((1, count)), cuts, np.ones((1, count))])
    radii = np.sqrt(edges[1:] - edges[:-1])
    directions = circle_points(seed, planes * count).reshape(2, planes, count)
    coordinates = (radii * directions).reshape(2 * planes, count)[:dimension]
    return normalised(coordinates)


def uniform_numbers(seed: int, label: str, count: int) -> np.ndarray:
    """Return the first numbers of a stream, uniform on [0, 1): 53 bits of each word."""
    return (random_words(seed, label, count) >> np.uint64(11)).astype(np.float64) / 2.0**53


def circle_points(seed: int, count: int) -> np.ndarray:
    """Return uniform points of the circle, of shape (2, count): squares of complex numbers, whose angles are uniform in
    the disc.
    """
    length = count
    while True:
        length = 2 * length + 8
        u, v = 2.0 * uniform_numbers(seed, "tokens/directions", 2 * length).reshape(length, 2).T - 1.0
        squares = u * u + v * v
        inside = (squares < 1.0) & (squares > 0.0)
        if inside.sum() >= count:
            u, v, squares = (array[inside][:count] for array in (u, v, squares))
            return np.stack([(u * u - v * v) / squares, 2.0 * u * v / squares])


def equiangular_tokens(count: int, dimension: int, cosine: float) -> np.ndarray:
    """Return tokens on the sphere with <x_i, x_j> = cosine for all i != j.

    Parameters
    ----------
    count, dimension : int
        The number n of tokens and their dimension d >= n.
    cosine : float
        From -1 / (n - 1) to 1.

    Returns
    -------
    numpy.ndarray
        Shape (d, n): the symmetric square root of the Gram matrix (1 - g) I + g 1 1^T, over rows of zeros.

    Raises
    ------
    InvalidArgument
        If there is no room for them.

    Examples
    --------
    >>> from algatt.dynamics import equiangular_tokens
    >>> X = equiangular_tokens(3, 4, 0.5)
    >>> (X.T @ X).round(12)
    array([[1. , 0.5, 0.5],
           [0.5, 1. , 0.5],
           [0.5, 0.5, 1. ]])
    """
    n = whole("count", count)
    if whole("dimension", dimension) < n:
        raise InvalidArgument("dimension", f"{dimension}", f"at least the number {n} of tokens")
    g = check_cosine("cosine", cosine, n)
    mean = np.full((n, n), 1.0 / n)
    root = np.sqrt(1.0 - g) * (np.eye(n) - mean) + np.sqrt(max(1.0 + (n - 1) * g, 0.0)) * mean
    return normalised(np.concatenate([root, np.zeros((dimension - n, n))]))


def check_cosine(argument: str, cosine: Any, count: int) -> float:
    """Return the common cosine of a number of unit vectors, or raise `InvalidArgument` if no vectors have it."""
    g = finite_number(argument, cosine)
    least = -1.0 / (count - 1) if count > 1 else -1.0
    if not least - ROUNDING <= g <= 1.0:
        raise InvalidArgument(argument, f"{g:g}", f"from {least:g} to 1, as of {count} unit vectors")
    return max(g, least)
