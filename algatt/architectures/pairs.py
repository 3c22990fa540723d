"""Inputs that are pairs of a matrix of numbers and of tokens: both are blocks of one matrix, with zeros beside them."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field, concatenate
from algatt.randomness import random_words

NUMBERS = 8
"""Random numbers beside tokens are the integers below this: constants, the same over all fields, as tokens are."""


def draw_pair(seed: int, label: str, numbers: int, tokens: int, vocabulary: int) -> np.ndarray:
    """Return random integers and behind them random tokens, from one stream of words."""
    words = random_words(seed, label, numbers + tokens)
    sizes = np.repeat(np.array([NUMBERS, vocabulary], dtype=np.uint64), [numbers, tokens])
    drawn: np.ndarray = (words % sizes).astype(np.int64)
    return drawn


def matrices_of_pairs(source: tuple[int, int], vocabulary: int, pairs: np.ndarray) -> np.ndarray:
    """Return the inputs that rows of numbers and tokens stand for, the numbers being written row by row."""
    height, width = source
    numbers, tokens = pairs[..., : height * width], pairs[..., height * width :]
    X = np.zeros((*pairs.shape[:-1], height + vocabulary, width + tokens.shape[-1]), dtype=np.int64)
    X[..., :height, :width] = numbers.reshape(*pairs.shape[:-1], height, width)
    X[..., height:, width:] = np.arange(vocabulary)[:, None] == tokens[..., None, :]
    return X


def blocks_of_pair(source: tuple[int, int], X: Any) -> tuple[Any, np.ndarray]:
    """Return the pairs that raw inputs are: their numbers, and the numbers of their tokens."""
    height, width = source
    return X[..., :height, :width], np.argmax(X[..., height:, width:] != 0, axis=-2)


def entered_pair(field: Field, source: tuple[int, int], units: np.ndarray, numbers: Any) -> Elements:
    """Return inputs as elements, of public numbers and of the unit vectors of tokens.

    Raises
    ------
    InvalidArgument
        If the numbers are not of the right shape.
    """
    S = Elements.of(field, numbers, "inputs[0]")
    if S.shape != (*units.shape[:-2], *source):
        was = f"of shape {S.shape}"
        raise InvalidArgument(
            "inputs[0]", was, f"of shape {source}, or (batch, {source[0]}, {source[1]}), as inputs[1]"
        )
    (rows, columns), (vocabulary, tokens) = source, units.shape[-2:]

    def zeros(height: int, width: int) -> Elements:
        return Elements.of(field, np.zeros((*units.shape[:-2], height, width), dtype=np.int64))

    above = concatenate([S, zeros(rows, tokens)], axis=1)
    return concatenate([above, concatenate([zeros(vocabulary, columns), Elements.of(field, units)], axis=1)], axis=0)


def entered_matrix(source: tuple[int, int], X: Elements) -> Elements:
    """Return inputs, or raise `InvalidArgument` if there are no zeros beside the numbers, or no tokens below them."""
    height, width = source
    beside = [X.raw[..., :height, width:], X.raw[..., height:, :width]]
    units = X.raw[..., height:, width:]
    if any((one != 0).any() for one in beside) or not ((units == 0) | (units == 1)).all():
        was = "a matrix with other entries than 0 and 1 beside and below the numbers"
    elif not ((units != 0).sum(axis=-2) == 1).all():
        was = "a matrix with columns that are no unit vectors of tokens"
    else:
        return X
    raise InvalidArgument("inputs", was, "a pair of numbers and tokens, or a matrix with these two blocks")
