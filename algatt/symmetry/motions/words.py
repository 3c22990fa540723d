"""Words at weights."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.fields import Elements
from algatt.fields.motions import Letter, Word
from algatt.fields.motions.constants import Constant
from algatt.programs.interpret import Results

__all__ = ["letter_value", "value_of"]


def letter_value(letter: Letter, results: Results) -> Elements:
    """Return a letter of a word at weights."""
    constant = isinstance(letter.of, Constant)
    value = Elements(results.field, verbs.embed(results.field, letter.of.array)) if constant else results[letter.of]
    if len(value.shape) < 2:
        value = Elements(value.field, value.raw.reshape(1, 1))
    if letter.kind == "transposed":
        return value.T
    return value.reciprocal() if letter.kind == "inverse" else value


def value_of(word: Word, results: Results, size: int) -> Elements:
    """Return a word at weights: a matrix with as many columns as a vector has entries."""
    field = results.field
    total = Elements.of(field, np.eye(size, dtype=np.int64))
    for letter in reversed(word.letters):
        total = applied(letter, total, results)
    for number, power in word.numbers:
        value = value_of(number, results, 1)
        total = total * (value if power > 0 else value.reciprocal()) ** abs(power)
    return total


def applied(letter: Letter, columns: Elements, results: Results) -> Elements:
    """Return a letter times columns."""
    value = letter_value(letter, results)
    if letter.kind in ("diagonal", "inverse"):
        value = value if value.shape[1] == 1 else value.T
        return value * columns
    return value @ columns
